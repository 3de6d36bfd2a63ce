// The bot of seeded.py for Node, without packages. exec:"node examples/bots/seeded.js"
"use strict";

let state = 1;
let words = [];
let seq = 0;

/** Returns one of the options; a single option uses no random number. */
function pick(options) {
  if (options.length === 1) return options[0].token;
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return options[state % options.length].token;
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const handlers = {
  hello({ seed }) {
    state = seed % 2 ** 32 || 1;
    send({ type: "join", detail: "lean" });
  },
  prompt(message) {
    seq = message.seq;
    words = [pick(message.options)];
    send({ type: "preview", seq, tokens: words });
  },
  preview_result({ complete, options }) {
    if (complete) return send({ type: "move", seq, tokens: words });
    words.push(pick(options));
    send({ type: "preview", seq, tokens: words });
  },
  game_over() {},
  quit() {
    process.exit(0);
  },
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    handlers[message.type](message);
  });
