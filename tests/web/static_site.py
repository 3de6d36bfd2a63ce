"""The static page instead of a server: ``BLACKPOKER_STATIC=/blackpoker/ pytest tests/web`` after ``make static``.

Tests that a static page cannot pass are listed below by name, with the reason.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
STATIC: Final = ROOT / "dist" / "static"
#: the page's folder on the host; empty: the tests use a server
PREFIX: Final = os.environ.get("BLACKPOKER_STATIC", "")

TWO_PEOPLE: Final = "two people meet on a server"
OWN_SERVER: Final = "it is about the server itself: its database, its end, its answers to others"
NO_SOCKET: Final = "it takes hold of the WebSocket or of a request to the server; here there is none"
#: tests or files that a static page cannot pass, and why
EXCLUDED: Final = {
    "test_account.py": OWN_SERVER,
    "test_tournament.py": OWN_SERVER,
    "test_fair.py": OWN_SERVER,
    "test_felt.py::test_two_friends_play_again": TWO_PEOPLE,
    "test_figures.py": "figures of the server's page: what it loads, and how fast it answers",
    "test_home.py::test_a_lobby_with_three_rooms": TWO_PEOPLE,
    "test_home.py::test_a_quick_match": TWO_PEOPLE,
    "test_home.py::test_there_is_always_something_to_watch": "nobody else is there: a static page has no lobby",
    "test_motion.py": "it writes into the server's database, watches from another browser, or listens to the WebSocket",
    "test_room_keys.py": "its rooms are those of a server: lobby, friend by link",
    "test_rooms.py::test_a_lost_connection_is_shown": NO_SOCKET,
    "test_rooms.py::test_the_table_opens_without_an_identity": NO_SOCKET,
    "test_rooms.py::test_two_friends_one_of_them_on_a_phone": TWO_PEOPLE,
    "test_says.py": NO_SOCKET,
    "test_screens.py::test_screens_that_open_fit_the_window": TWO_PEOPLE,
    "test_stories.py::test_a_match_of_two_decks": OWN_SERVER,
    "test_stories.py::test_two_friends_by_link": TWO_PEOPLE,
    "test_turning.py::test_an_analysis_that_fails_spoils_nothing": NO_SOCKET,
    "test_windows.py::test_an_answer_on_its_way_is_seen": NO_SOCKET,
}

#: init script: number the engines, so that each gets other random values; a second room with the id of the first would
#: overwrite it
NUMBERED: Final = """window.Worker = class extends Worker {
  constructor(address, options) {
    const number = 1 + Number(localStorage.getItem('engines'));
    localStorage.setItem('engines', number);
    super(address, {...options, name: String(number)});
  }
};
"""
#: prefix of the worker: seed its randomness from the test's name and its own number
CHANCE: Final = """let state = %d + Number(self.name);
const draw = () => {
  state = state + 0x6d2b79f5 | 0;
  let bits = Math.imul(state ^ state >>> 15, 1 | state);
  bits = bits + Math.imul(bits ^ bits >>> 7, 61 | bits) ^ bits;
  return (bits ^ bits >>> 14) >>> 24;
};
crypto.getRandomValues = values => {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  bytes.forEach((_, n) => bytes[n] = draw());
  return values;
};
"""
#: send a request to the engine like another tab would
ASK: Final = """([method, path, body, name]) => new Promise(done => {
  const tab = new BroadcastChannel(name);
  const own = 'test' + Math.random().toString(36).slice(2), id = own + '.1';
  let leave;
  const ask = () => tab.postMessage({op: 'ask', id, method, path, body});
  tab.onmessage = ({data}) => {
    if (data.op === 'answer' && data.id === id) { tab.close(); leave(); done(JSON.parse(data.text)); }
    if (data.op === 'ready') ask();
  };
  navigator.locks.request(`${name} tab ${own}`, () => {
    tab.postMessage({op: 'hello', tab: own});
    return new Promise(gone => leave = gone);
  });
})"""

#: a player in another tab, without the user interface: takes the useful proposals first, else ends the prompt
PLAYER: Final = """([name, level, regulation]) => new Promise((done, failed) => {
  const tab = new BroadcastChannel(name), id = 'bench' + Math.random().toString(36).slice(2), line = id + '.2';
  const times = [];
  let last = null, room = '', tried = new Set(), sent = 0;
  const say = message => tab.postMessage({op: 'say', id: line, text: JSON.stringify({id: ++sent, ...message})});
  const act = words => say({type: 'move', seq: last.seq, tokens: words});
  const finish = ask => {
    const offered = ask.options.map(one => one.token);
    const end = ['pass', 'end', 'done'].find(word => offered.includes(word));
    const ready = ask.proposal ?? [];
    if (ready.length) act(ask.multiple && ready.at(-1) !== 'done' ? [...ready, 'done'] : ready);
    else act([end ?? offered[0]]);
  };
  const answer = ask => {
    const fresh = ask.options.find(one => one.action && one.usefulness && !tried.has(ask.seq + one.token));
    if (!fresh) return finish(ask);
    tried.add(ask.seq + fresh.token);
    say({type: 'preview', seq: ask.seq, tokens: [fresh.token], complete: true});
  };
  const heard = message => {
    if (message.type === 'update') {
      const now = performance.now();
      if (last && last.waiting === 'p2' && message.seq > last.seq) times.push(now - last.at);
      last = {seq: message.seq, waiting: message.waiting_for, at: now, ask: message.prompt};
      if (message.prompt) answer(message.prompt);
    } else if (message.type === 'preview_result') {
      if (message.complete) act(message.tokens); else answer(last.ask);
    } else if (message.type === 'error') {
      if (last?.ask && message.code !== 'old') finish({...last.ask, proposal: []});
    } else if (message.type === 'game_over') {
      tab.close();
      done({times, record: message.record_id});
    }
  };
  tab.onmessage = ({data}) => {
    if (data.op === 'ready' && !room) tab.postMessage({op: 'ask', id: id + '.1', method: 'POST', path: '/api/rooms',
      body: JSON.stringify({regulation, opponent: level, window_ms: 0})});
    else if (data.op === 'answer' && data.id === id + '.1') {
      room = JSON.parse(data.text).room.id;
      tab.postMessage({op: 'dial', id: line});
      say({type: 'join', room, seat: 'p1', lang: 'en'});
      say({type: 'ready'});
    } else if (data.op === 'message' && data.id === line) heard(JSON.parse(data.text));
    else if (data.op === 'failed' || data.op === 'closed') failed(new Error(JSON.stringify(data)));
  };
  navigator.locks.request(`${name} tab ${id}`, () => {  // as every tab: it is there as long as it holds this
    tab.postMessage({op: 'hello', tab: id});
    return new Promise(() => {});
  });
})"""
#: true once the engine is ready: it has sent the guest's name
READY: Final = "() => document.querySelector('.chip.who .name')?.innerText.length > 1"


def excluded(name: str) -> str:
    """Return the reason why a test is excluded; empty if it is not."""
    return next((why for part, why in EXCLUDED.items() if part in name), "") if PREFIX else ""


class StaticSite:
    """dist/static served by a file host, in its own folder."""

    def __init__(self, folder: Path, prefix: str = PREFIX) -> None:
        sys.path.insert(0, str(ROOT / "web"))
        import static  # type: ignore[import-not-found]

        self.folder = folder
        self.prefix = prefix
        self.chance = 1
        self.host = static.host(0, prefix)
        self.url = f"http://127.0.0.1:{self.host.server_address[1]}{prefix.rstrip('/')}"
        self.starts = 0

    def draw_from(self, name: str) -> None:
        self.chance = sum(ord(letter) * 31**place for place, letter in enumerate(name)) % 2**31

    def start(self) -> None:
        self.starts += 1
        threading.Thread(target=self.host.serve_forever, daemon=True).start()

    def kill(self) -> None:
        self.host.shutdown()
        self.host.server_close()

    def address(self, path: str) -> str:
        """Return the address of a screen in the form 404.html redirects to."""
        return f"{self.url}/?go={quote(path)}" if path != "/" else f"{self.url}/"

    def prepare(self, context: Any) -> None:
        """Seed the engine of a browser with the test's name."""

        def altered(route: Any) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=CHANCE % self.chance + answer.text())

        context.add_init_script(NUMBERED)

        context.route("**/assets/worker-*.js", altered)

    def ask(self, page: Any, method: str, path: str, body: str) -> Any:
        return page.evaluate(ASK, [method, path, body, f"blackpoker{self.prefix.rstrip('/')}"])
