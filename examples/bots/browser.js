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
  const say = (message) => socket.send(JSON.stringify(message));
  const pick = (options) => options[Math.floor(Math.random() * options.length)].word;
  let seq = -1;
  let words = [];

  return new Promise((resolve, reject) => {
    const hear = {
      welcome: () => say({ type: "ready", salt: String(Math.random()) }),
      update: ({ ask }) => {
        if (!ask || ask.seq === seq) return;
        seq = ask.seq;
        words = [pick(ask.options)];
        say({ type: "draft", seq, words });
      },
      drafted: ({ complete, options }) => {
        if (complete) return say({ type: "act", seq, words });
        words.push(pick(options));
        say({ type: "draft", seq, words });
      },
      error: ({ code, en }) => code !== "late" && reject(new Error(en)),
      over: (told) => {
        if (!told.match) return;
        resolve(told);
        socket.close();
      },
    };
    socket.onopen = () => say({ type: "join", room: room.id, detail: "lean" });
    socket.onerror = () => reject(new Error("the connection is lost"));
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      hear[told.type]?.(told);
    };
  });
}

var game = play();
game.then(({ winner, reason }) => console.log(`won by ${winner} (${reason})`));
