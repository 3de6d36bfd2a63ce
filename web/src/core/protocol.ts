// Written by web/make_types.py from the server's schema; do not edit.

export interface AccountChange {
  name?: string | null;
  crest?: string | null;
}

export interface AccountDevice {
  id: string;
  kind: "desk" | "phone";
  label: string;
  since: number;
  seen: number;
  here: boolean;
}

export interface AccountPasskey {
  id: string;
  label: string;
  since: number;
  used: number;
}

/** The answer at ``seq`` is stored and will happen. */
export interface Ack {
  type: "ack";
  id: number;
  seq: number;
}

/** The answer to the prompt at ``seq``: a whole sentence, as offered words or as text in the notation. With an attack ``plan``: who attacks when it resolves, as in a message of that name. */
export interface Act {
  type: "act";
  id?: number;
  seq?: number;
  words?: string[];
  text?: string;
  plan?: string[];
}

/** A prompt. ``window`` says why a chance was not passed; ``deadline_ms`` is what is left of its own limit; ``results`` what the request on top of the stage does if nobody answers, as far as the seat may know. */
export interface Ask {
  seq: number;
  kind: string;
  options: OfferedWord[];
  prompt?: string;
  marks?: Mark[];
  window?: string;
  deadline_ms?: number | null;
  several?: boolean;
  proposal?: string[];
  results?: Result[];
  lethal?: ("p1" | "p2")[];
}

/** Against a computer player: a thought about the choice at ``seq``; with ``move`` what to do. */
export interface AskHint {
  type: "hint";
  id?: number;
  seq?: number;
  move?: boolean;
}

/** The seat's own settings; nobody else is told. */
export interface AssistState {
  type: "assist_state";
  mode: "auto" | "firm" | "full";
  stops: ("attack" | "block" | "end" | "judgement" | "magic" | "summon")[];
  arm: string[];
  hold: boolean;
  skip: "" | "attack" | "stage" | "turn";
  accept: boolean;
  id?: number;
  plan?: string[];
}

/** ``said``: what led here, as a player reads it, and by whom; empty where it began. */
export interface BoardStep {
  by: string;
  said: string;
  action: string;
  view: View;
}

/** Puzzles by their names. */
export interface BoardsAsked {
  puzzles: string[];
}

/** A rated game as the bot played it. */
export interface BotGame {
  record: string;
  seat: "p1" | "p2";
  result: "drawn" | "lost" | "won";
  opponent: string;
  opponent_id: string;
  regulation: string;
  at: number;
}

/** A bot of the ladder. ``rating`` is the order: ``mu`` less three times ``sigma``. */
export interface BotLine {
  id: string;
  name: string;
  rating: number;
  mu: number;
  sigma: number;
  games: number;
  won: number;
  drawn: number;
  faults: number;
  played: number;
}

/** What a bot plays, where it stands, its last games. */
export interface BotPage {
  bot: BotLine;
  place: number;
  plays: BotPlays[];
  games: BotGame[];
}

export interface BotPlays {
  regulation: string;
  games: number;
}

/** A text in both languages. */
export interface BothTexts {
  en: Told;
  ja: Told;
}

/** ``place`` is the engine's own name of the unit: where it stands from the life side. ``card`` and ``new`` are None where this audience cannot tell. */
export interface BulwarkView {
  place: string;
  id: number;
  card: string | null;
  driven: boolean;
  new: boolean | null;
  role: "attacker" | "blocker" | null;
  blocks: number | null;
}

/** The chance of P1 to win before a step of the replay, from 0 to 1. */
export interface ChanceAt {
  step: number;
  turn: number;
  p1: number;
}

/** A line of one's own, or a phrase; there are rooms in which nothing else is said. */
export interface Chat {
  type: "chat";
  id?: number;
  text?: string;
  phrase?: "" | "again" | "bye" | "good_game" | "hello" | "luck" | "oops" | "sorry" | "thanks" | "thinking" | "well_played";
}

/** ``who``: whoever says it, by a name of this room alone. ``phrase``: it has no text then. */
export interface ChatLine {
  type: "chat_line";
  by: string;
  name: string;
  text: string;
  who?: string;
  phrase?: "" | "again" | "bye" | "good_game" | "hello" | "luck" | "oops" | "sorry" | "thanks" | "thinking" | "well_played";
}

/** An attacker, who blocks it and what comes of it if nobody adds anything. ``total``: the sum of soldiers' numbers; ``falls``: it goes to the grave; ``lost``: the blockers that do. */
export interface Clash {
  attacker: string;
  number: number;
  blockers?: string[];
  total?: number | null;
  falls?: boolean;
  lost?: string[];
}

/** Milliseconds left in the bank; ``running``: whether it is being used up now. */
export interface Clock {
  left_ms: number;
  running?: boolean;
  grace_ms?: number;
}

/** Seconds: a bank, what each own decision adds, the limit of a chance that is not one's own turn (it passes then), how long a lost connection stops the clock. A bank of 0: no clock. */
export interface ClockRules {
  bank?: number;
  each?: number;
  chance?: number;
  grace?: number;
}

/** The whole game told apart: from ``before`` to ``after`` the chance of P1 changes by what P1's choices cost, less what P2's did, and by ``luck``. */
export interface CoachedGame {
  p1: CoachedSeat;
  p2: CoachedSeat;
  before: number;
  after: number;
  luck: number;
}

/** How a player chose: ``accuracy``, what was left of the best chance, the mean of all sentences; ``choice``, what all of them cost together. */
export interface CoachedSeat {
  accuracy: number;
  choice: number;
}

export interface CodeSignIn {
  name: string;
  cards: string;
}

/** Puzzles of one kind. */
export interface CollectionInfo {
  id: string;
  name: string;
  about: string;
}

/** A room and where people find it. */
export interface Created {
  room: RoomInfo;
  path: string;
}

/** What the browser's dialog gave, as JSON. */
export interface Credential {
  credential: { [name: string]: unknown };
}

export interface CurvePoint {
  at: number;
  points: number;
}

/** Who is asked for what. To the asked seat alone: the words it may say, what it has said of this sentence so far, and what it has chosen in the effect that is being carried out. */
export interface DecisionView {
  player: "p1" | "p2";
  kind: string;
  options: string[];
  said: string[];
  chosen: string[];
}

/** ``text``: the deck as it was understood, what could not be read left out; ``figures``: one for each deck. */
export interface DeckAnswer {
  legal: boolean;
  en: string[];
  ja: string[];
  text?: string;
  figures?: DeckFigures[];
}

export interface DeckCheck {
  regulation: string;
  deck: string;
}

/** What one deck can do; ``life``: how many cards of life it begins with. */
export interface DeckFigures {
  cards: number;
  left_out: number;
  life: number;
  uses: DeckUse[];
  notes: DeckNote[];
}

export interface DeckHandedIn {
  deck: string;
}

/** What the frame says to a deck, and whether that is kept. */
export interface DeckNote {
  kept: boolean;
  ja: string;
  en: string;
}

/** An action and a deck: ``times``: for how many requests at once its cards are keys; ``chance``: that the first hand holds a whole key. */
export interface DeckUse {
  action: string;
  times: number;
  chance: number;
}

/** A deck of a match. ``top`` is the card everybody sees of a retired one. */
export interface DeckView {
  deck: number;
  retired: boolean;
  top: string | null;
  cards: string[] | null;
}

export interface DeviceId {
  id: string;
}

/** Where another device goes, once and soon. What stands behind # is sent to no server, so it is in no log. */
export interface DeviceLink {
  path: string;
  seconds: number;
}

export interface Done {
  done?: boolean;
}

/** A word of a draft behind its action: what was asked for, what stands there, and what could stand there instead. ``auto``: nobody has said or tapped it. */
export interface DraftStep {
  kind: string;
  word: string;
  told: Told;
  auto?: boolean;
  options?: OfferedWord[];
}

/** The words said so far; nothing happens, the answer says what can follow. ``text``: a whole sentence in the notation instead (blockers of all attackers at once). At a chance with ``fill``: the rest is put together too, with what lies at the ``picks`` where that can be said; without any word the first action worth proposing that begins with what was picked, and none where none is. */
export interface DraftWords {
  type: "draft";
  id?: number;
  seq?: number;
  words?: string[];
  picks?: string[];
  fill?: boolean;
  text?: string;
}

/** What can follow the words of a draft. ``text`` is the sentence in the notation once it is complete; ``proposal`` a way to complete it; ``warn`` what a second tap should be asked for (``lose``: you would lose, ``vain``: it would do nothing). Of a request ``says`` is what it says, ``price`` what it certainly costs with all that raises, and ``steps`` its words. Of attackers and blockers ``clashes`` and ``damage`` (per player, the raw sum) say what the fight will come to; ``lethal`` who would lose, as far as you may know it. */
export interface Drafted {
  type: "drafted";
  id: number;
  seq: number;
  words: string[];
  complete: boolean;
  text?: string;
  kind?: string;
  prompt?: string;
  marks?: Mark[];
  options?: OfferedWord[];
  proposal?: string[];
  warn?: string[];
  clashes?: Clash[];
  damage?: { [name: string]: number };
  lethal?: ("p1" | "p2")[];
  results?: Result[];
  steps?: DraftStep[];
  says?: Told;
  price?: Told;
}

/** ``decked``: a deck list is handed in; ``deck``: which one, once the tournament is over. */
export interface EntrantInfo {
  id: string;
  name: string;
  player?: string;
  crest?: string;
  decked?: boolean;
  deck?: string;
}

/** ``deck``: the list, where one is brought; it can be handed in later as well. */
export interface EntryText {
  deck?: string;
}

/** Nothing has changed. ``code`` is for programs, the texts are for people. */
export interface Error {
  type: "error";
  id: number;
  code: string;
  en: string;
  ja: string;
  ruling?: string;
}

/** Something that happened, as an audience may hear it. ``cards`` are None where it does not see them, ``top`` is the one of them everybody sees. Which of the other fields are set depends on ``event``. */
export interface Event {
  event: "attached" | "attacked" | "blocked" | "bonus" | "buried" | "charged" | "closed" | "damaged" | "dealt" | "declared" | "discarded" | "drew" | "dropped" | "drove" | "entered" | "fizzled" | "flipped" | "keys_returned" | "keys_spent" | "looked" | "milled" | "negated" | "opened" | "pack_opened" | "passed" | "raised" | "reordered" | "resolving" | "retargeted" | "returned" | "revealed" | "shuffled" | "staged" | "sunk" | "took" | "topped" | "trump_lost" | "trump_set" | "turn" | "turned" | "won";
  player: "p1" | "p2";
  count?: number;
  cards?: string[] | null;
  top?: string | null;
  action?: string | null;
  request?: number | null;
  kind?: string | null;
  unit?: number | null;
  attacker?: number | null;
  amount?: number | null;
  target?: Place | null;
  zone?: "aside" | "field" | "grave" | "hand" | "life" | "pack" | "stage" | "trumps" | null;
  turn_number?: number | null;
  winner?: "draw" | "p1" | "p2" | null;
}

/** A line of an entry: what it is about and the text, without the signs of the notation. */
export interface Fact {
  name: string;
  text: string;
}

/** What a game is remembered by: the largest blow anybody took at once, and the life each paid as a price. */
export interface Facts {
  blow: number;
  struck: "p1" | "p2";
  paid_p1: number;
  paid_p2: number;
}

export interface FrameRecord {
  frame: string;
  games: number;
  won: number;
  drawn: number;
}

/** ``top`` is the one public card. */
export interface GraveView {
  count: number;
  top: string | null;
  cards: string[] | null;
  known: string[];
}

/** ``cards``: all of them, for those who see them. ``known``: those somebody else has seen there. */
export interface HandView {
  count: number;
  cards: string[] | null;
  known: string[];
}

/** ``network``: where others on the network find this server; told to a page on the server's own machine alone. */
export interface Health {
  status: "failing" | "ok";
  version: string;
  rooms: number;
  connections: number;
  processes: number;
  network?: string;
}

export interface HearAgain {
  id: string;
}

/** The answer to ``hint``: a thought, or what to do, with what this seat knows. */
export interface Hinted {
  type: "hinted";
  id: number;
  seq: number;
  told: Told;
  move?: boolean;
}

/** The first message. ``seat``: one to take, ``any`` free one, ``watch``, or ``cast``: watch with both hands in sight, where both players show theirs; somebody who has a seat gets it back. ``since``: the last ``seq`` that was seen of game ``game``, so that the events after it are told again. */
export interface Join {
  type: "join";
  id?: number;
  room?: string;
  seat?: "any" | "cast" | "p1" | "p2" | "watch";
  lang?: "en" | "ja";
  detail?: "bot" | "full" | "lean";
  game?: number;
  since?: number;
}

/** What a page keeps for its owner's other devices, and which version that is; 0: nothing yet. */
export interface Kept {
  version: number;
  data: { [name: string]: unknown } | null;
}

export interface KeptVersion {
  version: number;
}

/** One's name, so that nobody leaves by mistake. */
export interface Leaving {
  name: string;
}

/** A lesson in the list; ``card``: the one that stands for it on the path. */
export interface LessonInfo {
  id: string;
  format: string;
  card: string;
  title: string;
  about: string;
  tasks: number;
}

export interface LessonPage {
  id: string;
  format: string;
  title: string;
  about: string;
  tasks: TaskPage[];
}

/** Cards known at the ends of life, each list from its end. */
export interface LifeView {
  top: string[];
  bottom: string[];
}

/** A line of the log. ``kind``: the event it tells of; ``by``: whose doing it is; ``turn``: the number of the turn that begins. ``auto``: written for an automatic pass; the stop that would have asked stands with it. */
export interface Line {
  text: string;
  seq: number;
  kind?: string;
  by?: "p1" | "p2" | null;
  turn?: number;
  marks?: Mark[];
  auto?: boolean;
  stop?: string;
}

export interface LinkToken {
  token: string;
}

/** How many cards of life both had at a step of the replay. */
export interface LivesAt {
  step: number;
  p1: number;
  p2: number;
}

export interface LobbyPage {
  open: LobbyRoom[];
  live: LobbyRoom[];
  quick: QuickWait[];
  shown: ShownInfo[];
}

/** ``seconds``: since its game began, or, where somebody waits, since somebody sits there. ``minutes``: of its clock, 0 where there is none. ``view``: its board as somebody who comes to watch would see it now; None where nobody may, where they see it later, and of all but the games with most watchers. */
export interface LobbyRoom {
  id: string;
  path: string;
  regulation: string;
  people: Sitting[];
  seconds: number;
  watching?: number;
  minutes?: number;
  turn?: number;
  view?: View | null;
}

/** Send the whole view again. */
export interface LookAgain {
  type: "look";
  id?: number;
}

/** From ``at`` up to ``to`` a text names a player (``seat:p1``) or an entry of the reference (``action:counter``, ``trump:civil_war``, ``character:soldier``). */
export interface Mark {
  at: number;
  to: number;
  what: string;
}

/** What a mark on the table means. */
export interface MarkPage {
  id: string;
  text: string;
}

/** What an audience may know of a match and of the game in play. */
export interface MatchView {
  regulation: string;
  number: number;
  replay: number;
  score: { [name: string]: number };
  picks: { [name: string]: number | null };
  decks: { [name: string]: DeckView[] };
  look: { [name: string]: number[] };
  decision: DecisionView | null;
  game: View | null;
  over?: "draw" | "p1" | "p2" | null;
}

/** ``rename_after``: when the name can be changed again; 0: now. ``muted``, ``banned``: until when; 0: not. */
export interface MyAccount {
  player: string;
  name: string;
  crest: string;
  created: number;
  rename_after: number;
  code_at: number;
  muted: number;
  banned: number;
  games: number;
  names: string[];
  devices: AccountDevice[];
  passkeys: AccountPasskey[];
}

/** What the one who asks is there: ``id`` where he has entered, and the room he has to play in now. ``counts_at``: where that is over, when what came of it counts. */
export interface MyPart {
  host: boolean;
  id?: string;
  deck?: string;
  away?: string;
  room?: string;
  may_enter?: boolean;
  counts_at?: number;
}

/** A guest; ``id`` is nobody's secret, the cookie is. Of somebody who has an account: ``crest``, a card, and ``player``, as everybody may know him: ``/api/players/{id}``. */
export interface Myself {
  id: string;
  name: string;
  account?: boolean;
  crest?: string;
  player?: string;
}

/** A name that can be had, as everybody would see it. */
export interface NameCheck {
  name: string;
}

/** ``crest``: the card whose crest is one's face. */
export interface NewAccount {
  name: string;
  crest?: string;
}

/** ``version``: the one this follows. */
export interface NewKept {
  version: number;
  data: { [name: string]: unknown };
}

export interface NewName {
  name: string;
}

/** An offer was made (``open``), taken or turned down. */
export interface Offer {
  type: "offer";
  kind: "draw" | "rematch" | "rewind";
  by: "p1" | "p2";
  state: "declined" | "open" | "taken";
  seq?: number;
}

/** A word that may be said next. ``place``: where on the table the thing it names lies (``card:p1:S5``, ``unit:p1:b1``, ``trump:p2:t1``, ``stage:1``, ``player:p2``). Of an action: ``starts``, the places it can begin with (of an attack the soldiers that may attack); ``takes``, the cards of the hand one of which it asks for at once; ``price``, the letters it is paid with now; ``useful``, 0 where it would change nothing, 2 where most would do it before they go on. Of one of few words: ``results``, what it costs and brings. */
export interface OfferedWord {
  word: string;
  label?: string;
  marks?: Mark[];
  place?: string;
  action?: string;
  starts?: string[];
  takes?: string[];
  price?: string;
  useful?: number;
  results?: Result[];
  warn?: string[];
}

/** Where it is. */
export interface OpenedTournament {
  id: string;
  path: string;
}

export interface OpponentLevel {
  id: string;
  ja: string;
  en: string;
  line_ja: string;
  line_en: string;
  thinks: boolean;
}

/** A game, or with ``match`` the whole match, is over. The commitment is opened; the record can be fetched. */
export interface Over {
  type: "over";
  game: number;
  winner: "draw" | "p1" | "p2";
  reason: string;
  match: boolean;
  record?: string;
  commitment?: string;
  secret?: string;
  salts?: string[];
  seals?: string[];
  decks?: string[];
  chain?: string;
  view?: View | null;
}

/** Its size is nobody else's business. */
export interface PackView {
  opened: boolean;
  count: number | null;
  cards: string[] | null;
}

/** Local rules a room plays by. */
export interface PackageInfo {
  id: string;
  version: string;
  ja: string;
  en: string;
  text_ja: string;
  text_en: string;
  authors?: string[];
  licence?: string;
}

/** Where to wait. ``seconds``: how long that usually takes; None where it is not known. */
export interface Paired {
  room: string;
  path: string;
  seconds?: number | null;
}

export interface PaperDeck {
  deck: string;
  lang?: "en" | "ja";
}

export interface PasskeyId {
  id: string;
}

/** What the browser's dialog is opened with. */
export interface PasskeyOptions {
  options: { [name: string]: unknown };
}

/** Nothing can be stored at the moment: the game waits, clocks and windows stand; or it goes on again. */
export interface Paused {
  type: "paused";
  on: boolean;
  en?: string;
  ja?: string;
}

/** Answered with a pong. */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Something on the table that a word names. ``text`` is the word of the notation; ``player`` is whose it is; ``name`` is a card (``S5``), a place (``b1``, ``t2``), or the number of a request on the stage (``1``). */
export interface Place {
  text: string;
  kind: "card" | "player" | "request" | "trump" | "unit" | "word";
  player: "p1" | "p2" | null;
  name: string;
}

/** Attackers picked before the attack resolves, by their places (``all``: whoever may): private, used when it does if they still may, and told with the seat's own settings. */
export interface PlannedAttack {
  type: "plan";
  id?: number;
  attackers?: string[];
}

/** ``step``: after how many sentences; ``opponent`` and the rest as for a room. */
export interface PlayOn {
  step: number;
  opponent?: string;
  first?: "p1" | "p2";
  window_ms?: number | null;
}

/** The same, and whom to play it on with. */
export interface PlayPosition {
  position: string;
  opponent?: string;
  first?: "p1" | "p2";
  window_ms?: number | null;
}

/** Somebody in a format. Points, place and ``games`` are of the season that runs, the rest of all of them; in ``counted`` games actions and trumps were looked for. */
export interface PlayerFormat {
  format: string;
  points: number;
  games: number;
  placed: boolean;
  place: number;
  won: number;
  drawn: number;
  lost: number;
  streak: number;
  longest: number;
  curve: CurvePoint[];
  frames: FrameRecord[];
  counted: number;
  actions: UsedInGames[];
  trumps: UsedInGames[];
}

/** ``opponent_id`` is empty where the opponent has left. */
export interface PlayerGame {
  record: string;
  seat: "p1" | "p2";
  regulation: string;
  format: string;
  result: "drawn" | "lost" | "won";
  opponent: string;
  opponent_id: string;
  points: number;
  change: number;
  at: number;
}

export interface PlayerPage {
  player: string;
  name: string;
  crest: string;
  since: number;
  season: SeasonInfo;
  placed: number;
  formats: PlayerFormat[];
  games: PlayerGame[];
}

export interface Pong {
  type: "pong";
  id: number;
}

/** A position in TOML or a saved game in JSON. */
export interface PositionText {
  position: string;
}

/** What a room would have sent; ``state`` is ``open``, ``done`` or ``astray``, and ``text`` tells about it. */
export interface PracticeAnswer {
  messages: (Welcome | RoomState | Update | Drafted | Ack | Error | Reasons | Hinted | AssistState | Offer | ChatLine | Over | Pong | Paused)[];
  said: string[];
  state: string;
  text: string;
}

/** The sentences said so far, and a message of the WebSocket's protocol; ``since``: the last ``seq`` heard. */
export interface Practised {
  message: Join | Ready | Reveal | Act | DraftWords | Why | AskHint | LookAgain | SetAssist | PlannedAttack | Resign | Propose | Reply | Chat | Unhear | ReportPerson | ShowHand | Ping;
  said?: string[];
  since?: number;
  lang?: "en" | "ja";
  mode?: "auto" | "firm" | "full";
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  en: string;
  ja: string;
  ruling?: string;
}

/** Offer a draw, a rewind to just before the own decision at ``seq`` (0: the last one), or a rematch. */
export interface Propose {
  type: "propose";
  id?: number;
  kind?: "draw" | "rematch" | "rewind";
  seq?: number;
}

/** A puzzle in the list. ``title``: what is asked for; ``name``: its own, of those made by hand; ``level``: how deep its answer lies, 1 to 5; ``collection``: the one it belongs to. */
export interface PuzzleInfo {
  id: string;
  title: string;
  name: string;
  format: string;
  level: number;
  collection: string;
}

export interface PuzzleList {
  today: string;
  collections: CollectionInfo[];
  puzzles: PuzzleInfo[];
}

/** ``solution``: how it goes; ``why``: what it is made of; ``reasons``: why nothing else does it. ``life``: how much both have, also where a game would not tell it; ``hand`` and ``bulwarks``: what the other side has. In a puzzle everything lies open. ``position``: the question as text. */
export interface PuzzlePage {
  id: string;
  title: string;
  name: string;
  format: string;
  level: number;
  collection: string;
  life: number[];
  hand: string[];
  bulwarks: string[];
  hints: string[];
  solution: string[];
  why: WhyPage[];
  reasons: string[];
  position: string;
}

/** ``page``: of the booklet; 0: only on paper. */
export interface QuickBlock {
  id: string;
  page: number;
  title: string;
  text: string;
  items: QuickItem[];
  actions?: string[];
}

/** ``cards``: to draw, with ``sign`` after the first; one with a minus lies face down. */
export interface QuickItem {
  title: string;
  text: string;
  cards: string[];
  sign: string;
}

/** ``opponent``: whom to meet, people or bots; bots that meet are rated, and people who both want to be and have accounts. */
export interface QuickMatch {
  regulation?: string;
  opponent?: "bot" | "human";
  rated?: boolean;
}

/** The game on two pages, and the words of the game in both languages. */
export interface QuickStart {
  blocks: QuickBlock[];
  terms: Term[];
}

/** A quick match: whether somebody waits for it now, and how many seconds it usually takes; None: unknown. */
export interface QuickWait {
  regulation: string;
  waiting: boolean;
  seconds?: number | null;
}

/** ``placed``: games after which somebody stands in the ladder. ``wait``: seconds one usually waits for a rated game of the format's own quick match; None where that is not known. ``mine``: of whoever asks and has an account. */
export interface RatingLadder {
  format: string;
  formats: string[];
  season: SeasonInfo;
  seasons: SeasonInfo[];
  placed: number;
  lines: RatingLine[];
  champions: SeasonFirst[];
  mine?: RatingLine | null;
  wait?: number | null;
}

/** ``place`` 0: not placed yet, because of too few games. ``change``: of the last game; ``streak``: games won in a row; ``curve``: points after each of the last games. */
export interface RatingLine {
  player: string;
  name: string;
  crest: string;
  place: number;
  points: number;
  change: number;
  games: number;
  won: number;
  drawn: number;
  streak: number;
  curve: number[];
}

/** The seat is ready for the game: its deck (a deck file's text; empty: the regulation's own) and the seal of deck and salt, which goes into the shuffles, so that not even the server can choose them (docs/fairness.md). A salt instead of a seal is taken as told openly. */
export interface Ready {
  type: "ready";
  id?: number;
  deck?: string;
  salt?: string;
  seal?: string;
}

/** An action that is not offered, or not to these ``places``, and why. */
export interface Reason {
  action: string;
  ruling: string;
  ja: string;
  en: string;
  places?: string[];
}

/** Why several actions may not be requested. */
export interface ReasonGroup {
  ruling: string;
  ja: string;
  en: string;
  actions: string[];
}

export interface Reasons {
  type: "reasons";
  id: number;
  actions: Reason[];
}

export interface Record {
  id: string;
  text: string;
  meta: { [name: string]: unknown };
}

/** Where a record is. */
export interface RecordPlace {
  id: string;
  path: string;
}

/** A finished game as text. */
export interface RecordText {
  text: string;
}

/** A format, frame or option. ``adds``: the entries of the reference a format has and the one below has not. */
export interface RegulationPart {
  id: string;
  ja: string;
  en: string;
  text_ja?: string;
  text_en?: string;
  decks?: number;
  build?: string;
  most_trumps?: number;
  most_cards?: number;
  exactly?: number;
  cards?: string[];
  sample?: string;
  adds?: string[];
}

/** What can be played: the parts, and every legal combination as text. */
export interface Regulations {
  formats: RegulationPart[];
  frames: RegulationPart[];
  options: RegulationPart[];
  legal: string[];
  edition: string;
  packages?: PackageInfo[];
}

/** What a guide says in a first game: when, how many times, and the actions it advises. */
export interface RemarkPage {
  id: string;
  when: string[];
  times: number;
  text: string;
  point: string[];
  advise: string[];
}

/** Some frames of a finished game. ``turns``: the step at which each turn begins. */
export interface Replay {
  id: string;
  meta: { [name: string]: unknown };
  steps: number;
  turns: number[];
  frames: ReplayStep[];
}

/** The game after a sentence; number 0 is the deal. */
export interface ReplayStep {
  step: number;
  turn: number;
  by: string;
  said: string;
  events: Event[];
  lines: Line[];
  views: { [name: string]: View };
}

/** Answer the open offer of that kind. */
export interface Reply {
  type: "reply";
  id?: number;
  kind?: "draw" | "rematch" | "rewind";
  accept?: boolean;
}

/** Tell an operator of somebody. What was said in the room goes along, and where the game's record will be. */
export interface ReportPerson {
  type: "report";
  id?: number;
  who?: string;
  why?: "chat" | "name" | "other" | "unfair";
  words?: string;
}

/** A request, public on the stage. ``cost`` is the printed one. */
export interface RequestView {
  id: number;
  action: string;
  controller: "p1" | "p2";
  cost: string;
  keys: string[];
  virtual_keys: string[];
  target: Place | null;
  source: Place | null;
}

/** Give up the game in play. ``fault``: a bot that broke, and so has lost; in the ladder that counts whenever it happens. */
export interface Resign {
  type: "resign";
  id?: number;
  fault?: boolean;
}

/** What a request does if nobody answers: a request is ``negated``, a unit ``falls``, its ``number`` changes, a player takes ``damage`` or may ``draw``. ``told``: the same in words. */
export interface Result {
  kind: "damage" | "draw" | "falls" | "negated" | "number";
  place: string;
  number?: number;
  was?: number;
  told?: Told;
}

export interface ResultView {
  winner: "draw" | "p1" | "p2";
  reason: string;
}

/** The salt of the seal, once both seats are ready. ``terms``: the hash of what the game will be played under as this client has seen it (docs/fairness.md); if that is another by now, nothing is opened. */
export interface Reveal {
  type: "reveal";
  id?: number;
  salt?: string;
  terms?: string;
}

export interface RoomInfo {
  id: string;
  phase: "over" | "playing" | "waiting";
  settings: RoomSettings;
  p1: SeatInfo;
  p2: SeatInfo;
  game: number;
  watching: number;
  commitment?: string;
  practice?: boolean;
  packages?: PackageInfo[];
  edition?: string;
  start?: string;
  tournament?: string;
}

/** How a room plays. ``opponent``: who sits at the other seat: ``human``, ``bot`` (a client of the protocol), or the name of a level; ``temper``: how that likes to play, where it thinks ahead. ``window_ms``: the least time of a window in which somebody might answer, asked or not. ``listed``: everybody may find the room in the lobby; else only those who have its path do. ``quick``: somebody waits here for whoever wants the same; only ``/api/quick`` makes such a room, and only whom it brings gets the other seat of its first game. ``rated``: that game is rated; both have accounts. ``chat``: whether people may write what they like, or say one of a few phrases. */
export interface RoomSettings {
  regulation?: string;
  opponent?: string;
  clock?: ClockRules;
  window_ms?: number | null;
  spectators?: boolean;
  spectator_delay?: number;
  first?: "p1" | "p2";
  listed?: boolean;
  quick?: boolean;
  temper?: "" | "attacking" | "patient";
  rated?: boolean;
  chat?: "free" | "phrases";
}

/** Something about the room has changed: who sits there, who is connected, which game it is. */
export interface RoomState {
  type: "room";
  room: RoomInfo;
}

/** Rooms the browser remembers. */
export interface RoomsAsked {
  rooms?: string[];
}

/** ``of``: at which step the rule itself is said; everything lies open. */
export interface RuleBoards {
  steps: BoardStep[];
  of: number;
}

/** A scenario that shows a ruling at work, to be opened on the desk. */
export interface RuleExample {
  ruling: string;
  scenario: string;
  variant: string;
  text: string;
}

/** The key of an action, to draw it. ``form``: one, two, each, same_suit, same_number or whole; ``sets``: the cards each of its parts is taken from, or of "whole" the cards of each alternative. */
export interface RuleKey {
  form: string;
  count: number;
  sign: string;
  text: string;
  sets: string[][];
}

/** One entry of the reference. */
export interface RulePage {
  kind: string;
  id: string;
  title: string;
  other: string;
  group: string;
  facts: Fact[];
  notes: string[];
  clauses: string[];
  rulings: string[];
  prose?: string[];
  rows?: string[][];
  example?: boolean;
  costs?: string[];
  card?: string;
  short?: string;
  allows?: string[];
  parts?: RulePart[];
  partner?: string;
  since?: string;
  when?: string;
  key?: RuleKey | null;
  asks?: string;
  theirs?: string;
  near?: string[];
  step?: string;
  haste?: boolean;
  haste_with?: string[];
}

/** An action a trump allows or raises, whole. ``when``: main, quick or raised; ``source``: what is driven for it. */
export interface RulePart {
  id: string;
  title: string;
  costs: string[];
  key: string;
  when: string;
  source: string;
  target: string;
  clauses: string[];
  notes: string[];
}

/** A room in which the one who asks has a seat. ``turn`` is 0, and ``view`` None, where it is not known without taking the game up. */
export interface RunningGame {
  id: string;
  path: string;
  regulation: string;
  phase: string;
  you: string;
  people: Sitting[];
  turn?: number;
  your_turn?: boolean;
  view?: View | null;
}

/** How one variant went; ``error`` is empty if everything held, else ``line`` and ``text`` say where it did not. */
export interface ScenarioResult {
  variant: string;
  line: number;
  text: string;
  error: string;
}

/** A scenario file. */
export interface ScenarioText {
  scenario: string;
}

/** ``deal``: the position a guided first game begins from; ``marks``: what is explained when it is first seen. */
export interface SchoolPage {
  lessons: LessonInfo[];
  guide: RemarkPage[];
  marks: MarkPage[];
  deal: string;
}

export interface SeasonFirst {
  season: SeasonInfo;
  player: string;
  name: string;
  crest: string;
}

/** ``number`` 0: before an operator has set one. ``ends`` 0: nobody knows yet. */
export interface SeasonInfo {
  number: number;
  ja: string;
  en: string;
  began: number;
  ends: number;
}

/** A seat as everybody may see it. */
export interface SeatInfo {
  kind: string;
  name: string;
  connected: boolean;
  ready: boolean;
  level?: string;
  seal?: string;
  bot?: string;
  player?: string;
  shows?: boolean;
  who?: string;
}

/** A position as both seats see it, what may be done and why the rest may not, also by ``reasons``. */
export interface Seen {
  regulation: string;
  views: { [name: string]: View };
  asked: string;
  kind: string;
  prompt: string;
  options: OfferedWord[];
  refused: Reason[];
  reasons: ReasonGroup[];
  text: string;
}

/** Whom the host takes out. */
export interface SentAway {
  id: string;
}

/** Settings of auto-pass; what is left out stays. ``arm``: hand cards to stop for. ``hold``: 止める. ``skip``: until the stage is empty, until I am attacked, until my turn; ``accept``: 受けます (pass, do not block, pass). */
export interface SetAssist {
  type: "assist";
  id?: number;
  mode?: "auto" | "firm" | "full";
  stops?: ("attack" | "block" | "end" | "judgement" | "magic" | "summon")[];
  arm?: string[];
  hold?: boolean;
  skip?: "" | "attack" | "stage" | "turn";
  accept?: boolean;
}

/** The seat lets casters see its hand, or no longer. They see it where both do, and a minute later at least. */
export interface ShowHand {
  type: "show_hand";
  id?: number;
  on?: boolean;
}

/** A game between computer players that can always be watched. ``step`` and ``view``: where it was decided. */
export interface ShownInfo {
  id: string;
  path: string;
  regulation: string;
  level: string;
  turns: number;
  winner: string;
  step?: number;
  view?: View | null;
}

/** One player's zones. ``life`` is a number below ten to everybody; ``pack`` is None where there is none. */
export interface SideView {
  life: number | "10+";
  life_known: LifeView;
  hand: HandView;
  grave: GraveView;
  soldiers: SoldierView[];
  bulwarks: BulwarkView[];
  trumps: TrumpView[];
  pack: PackView | null;
  aside: string[];
  used: string[];
}

/** ``code``: the twelve cards, told once. */
export interface SignedInAs {
  id: string;
  name: string;
  code?: string[];
}

/** Who sits at a seat: ``kind`` is ``open``, ``human`` or ``ai``. */
export interface Sitting {
  seat: string;
  kind: string;
  name: string;
  level?: string;
}

/** ``place`` is the engine's own name of the unit: its first card. ``base`` is the number without modifiers; ``new`` is None where only its player can tell. */
export interface SoldierView {
  place: string;
  id: number;
  cards: string[];
  number: number;
  base: number;
  driven: boolean;
  new: boolean | null;
  kind: string;
  role: "attacker" | "blocker" | null;
  blocks: number | null;
}

/** ``run``: a letter for each round or game: W, D, L, B (bye), T (through unplayed), - (being played); ``others``: against whom, ``brought``: points. ``ties``: in percent, in their order. ``away``: not paired at present. */
export interface StandingRow {
  place: number;
  id: string;
  points: number;
  won: number;
  drawn: number;
  lost: number;
  run: string;
  others: string[];
  brought?: number[];
  ties?: number[];
  away?: string;
}

/** How a table ends, or has ended: one of the two has won, it is drawn, or both have lost. */
export interface TableFix {
  round: number;
  table: number;
  outcome: "draw" | "lost" | "one" | "two";
}

/** ``outcome``: empty while it is open; ``lost``: by both. ``until``: when whoever has not come has lost. */
export interface TableInfo {
  round: number;
  number: number;
  one: string;
  two: string;
  room: string;
  outcome?: "" | "draw" | "lost" | "one" | "two";
  games?: number[];
  why?: "host" | "left" | "lot" | "missed" | "played" | "";
  records?: string[];
  until?: number;
}

/** ``read``: there is nothing to do but to read; ``shown``: how it is done, for those who want to be shown; ``board``: how it begins, as whoever learns sees it. */
export interface TaskPage {
  text: string;
  hint: string;
  good: string;
  point: string[];
  costs: string;
  read: boolean;
  shown: string[];
  board: View;
}

export interface Term {
  ja: string;
  en: string;
}

/** A text for the one who is asked, and whom and what it names. */
export interface Told {
  text?: string;
  marks?: Mark[];
}

/** A line of the list. ``winner``: of one that is over. */
export interface TournamentHead {
  id: string;
  name: string;
  kind: "arena" | "knockout" | "robin" | "swiss";
  regulation: string;
  phase: "open" | "over" | "running";
  entrants: number;
  most: number;
  host: string;
  starts?: number;
  minutes?: number;
  round?: number;
  total?: number;
  accounts?: boolean;
  winner?: string;
  called_off?: boolean;
}

/** What moves: told anew to everybody who looks on. ``next_at``: when it begins or the next round does, 0: not by itself; ``ends``: of an arena. ``tables``: of this round, of an arena those that play. */
export interface TournamentLive {
  id: string;
  seq: number;
  phase: "open" | "over" | "running";
  now: number;
  round: number;
  total: number;
  entrants: number;
  lines: StandingRow[];
  tables: TableInfo[];
  next_at?: number;
  ends?: number;
  called_off?: boolean;
}

/** ``results``: of every table that is decided; records stand with them once they may be read. */
export interface TournamentPage {
  rules: TournamentRules;
  host: string;
  decks: number;
  entrants: EntrantInfo[];
  results: TableInfo[];
  byes: string[][];
  live: TournamentLive;
}

/** What a tournament is played under. ``rounds``: of a Swiss one, 0: as many as find one winner; ``minutes``: of an arena. ``starts``: when it begins by itself, in seconds since 1970; 0: when its host says so. ``by_itself``: rounds follow each other ``pause`` seconds after the last table; else its host pairs them. ``wait``: seconds after which whoever has not come to his table has lost. ``listed``: everybody may find it; else only who has its link. ``accounts``: only for those who have one; ``rated``: then its games can count for their ratings. ``spectator_delay``: seconds that whoever looks on is behind; what comes of a table counts so much later. */
export interface TournamentRules {
  name: string;
  kind?: "arena" | "knockout" | "robin" | "swiss";
  regulation?: string;
  clock?: ClockRules;
  rounds?: number;
  minutes?: number;
  most?: number;
  listed?: boolean;
  accounts?: boolean;
  starts?: number;
  by_itself?: boolean;
  pause?: number;
  wait?: number;
  window_ms?: number | null;
  rated?: boolean;
  spectator_delay?: number;
}

export interface TrumpView {
  place: string;
  open: boolean;
  card: string | null;
}

/** A sentence that changed the game. ``step``: of the replay, where it was to be said; ``question``: what was asked, empty where any action could be chosen; ``before`` and ``after``: the chance of ``player`` to win, from 0 to 1; ``better``: what the search preferred, with what that player knew; ``choice`` and ``luck`` add up to the change: what the sentence cost against the best one, and all that nobody could choose. */
export interface TurningPoint {
  step: number;
  turn: number;
  player: "p1" | "p2";
  question: BothTexts;
  said: BothTexts;
  before: number;
  after: number;
  better?: BothTexts | null;
  choice?: number;
  luck?: number;
}

/** Of a finished game; until they are ``ready`` ask again. ``progress``: from 0 to 1. ``course``: how the chances went, at some steps; ``lives`` the same of what was left. */
export interface TurningPoints {
  ready: boolean;
  progress: number;
  points: TurningPoint[];
  course?: ChanceAt[];
  lives?: LivesAt[];
  facts?: Facts | null;
  coach?: CoachedGame | null;
}

export interface TwelveCards {
  code: string[];
}

/** What somebody says in a chat is no longer told here, in any room, for ever; ``on`` false: it is again. ``who``: as lines of chat and seats name them. */
export interface Unhear {
  type: "unhear";
  id?: number;
  who?: string;
  on?: boolean;
}

/** ``id``: to hear him again. */
export interface UnheardPerson {
  id: string;
  name: string;
  since: number;
}

/** What has happened and what is asked now. ``seq`` is the number of sentences said in this game; the view is whole, the events and lines are those after ``since``. A bot gets no texts, a lean one no view either, and hears of what has happened when it is asked next. */
export interface Update {
  type: "update";
  game: number;
  seq: number;
  since: number;
  ask?: Ask | null;
  waiting?: "p1" | "p2" | null;
  events?: Event[];
  lines?: Line[];
  view?: View | null;
  match?: MatchView | null;
  clocks?: { [name: string]: Clock };
  practice?: boolean;
  part?: number;
  opens?: number;
}

/** An action by its id, or a trump by its card: in how many of the last games, and how many of them were won. */
export interface UsedInGames {
  id: string;
  games: number;
  won: number;
  drawn: number;
}

/** Everything an audience may know of a game (R-210…R-216). ``you`` is the seat it is for. */
export interface View {
  you: "p1" | "p2" | null;
  turn: "p1" | "p2";
  chance: "p1" | "p2";
  turn_number: number;
  passed: ("p1" | "p2")[];
  stage: RequestView[];
  resolving: RequestView | null;
  decision: DecisionView | null;
  p1: SideView;
  p2: SideView;
  over: ResultView | null;
}

/** A table that plays. ``view``: as somebody who comes to watch sees it, where he would see it now. */
export interface WatchTable {
  room: string;
  round: number;
  number: number;
  one: string;
  two: string;
  watching: number;
  turn?: number;
  thrill?: number;
  view?: View | null;
}

/** The answer to ``join``. ``accepted``: the last ``seq`` this seat has answered (-1: none), so that an answer whose acknowledgement was lost is not sent again. */
export interface Welcome {
  type: "welcome";
  version: number;
  room: RoomInfo;
  you: "p1" | "p2" | null;
  seq: number;
  accepted: number;
  id?: number;
  levels?: string[];
  deck?: string;
}

/** Why the actions that are not offered are not. */
export interface Why {
  type: "why";
  id?: number;
}

/** An action the answer uses, its keys, and what it does. */
export interface WhyPage {
  action: string;
  cards: string[];
  name: string;
  text: string;
}

export type ClientMessage = Join | Ready | Reveal | Act | DraftWords | Why | AskHint | LookAgain | SetAssist | PlannedAttack | Resign | Propose | Reply | Chat | Unhear | ReportPerson | ShowHand | Ping;

export type ServerMessage = Welcome | RoomState | Update | Drafted | Ack | Error | Reasons | Hinted | AssistState | Offer | ChatLine | Over | Pong | Paused;

/** fewer cards than this in a life are counted by everybody. */
export const LIFE_COUNTED = 10;

export const MANY = "10+";
