// A bot in a browser: open the page of a server, paste this into the console (F12), and it plays a game against "easy".
// It uses the WebSocket protocol of every client (docs/protocol.md). `await game` is the result.
"use strict";

async function play(opponent = "easy", regulation = "lite+entry") {
  await fetch("/api/me"); // creates a guest account
  const opened = await fetch("/api/rooms", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ opponent, regulation }),
  });
  const { room } = await opened.json();
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
  const send = (message) => socket.send(JSON.stringify(message));
  const pick = (options) => options[Math.floor(Math.random() * options.length)].token;
  let seq = -1;
  let words = [];

  return new Promise((resolve, reject) => {
    const handlers = {
      welcome: () => send({ type: "ready", salt: String(Math.random()) }),
      update: ({ prompt }) => {
        if (!prompt || prompt.seq === seq) return;
        seq = prompt.seq;
        words = [pick(prompt.options)];
        send({ type: "preview", seq, tokens: words });
      },
      preview_result: ({ complete, options }) => {
        if (complete) return send({ type: "move", seq, tokens: words });
        words.push(pick(options));
        send({ type: "preview", seq, tokens: words });
      },
      error: ({ code, en }) => code !== "late" && reject(new Error(en)),
      game_over: (result) => {
        if (!result.match_over) return;
        resolve(result);
        socket.close();
      },
    };
    socket.onopen = () => send({ type: "join", room: room.id, detail: "lean" });
    socket.onerror = () => reject(new Error("the connection is lost"));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      handlers[message.type]?.(message);
    };
  });
}

var game = play();
game.then(({ winner, reason }) => console.log(`won by ${winner} (${reason})`));
