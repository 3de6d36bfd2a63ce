// The bot of seeded.py for Node, without packages. exec:"node examples/bots/seeded.js"
"use strict";

let state = 1;
let words = [];
let seq = 0;

/** Returns one of the options; a single option uses no random number. */
function pick(options) {
  if (options.length === 1) return options[0].word;
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return options[state % options.length].word;
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const hear = {
  hello({ seed }) {
    state = seed % 2 ** 32 || 1;
    say({ type: "join", detail: "lean" });
  },
  ask(told) {
    seq = told.seq;
    words = [pick(told.options)];
    say({ type: "draft", seq, words });
  },
  drafted({ complete, options }) {
    if (complete) return say({ type: "act", seq, words });
    words.push(pick(options));
    say({ type: "draft", seq, words });
  },
  over() {},
  quit() {
    process.exit(0);
  },
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const told = JSON.parse(line);
    hear[told.type](told);
  });
