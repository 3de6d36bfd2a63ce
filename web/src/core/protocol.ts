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

/** Accept or decline the open offer of that kind. */
export interface AnswerOffer {
  type: "answer_offer";
  id?: number;
  kind?: "draw" | "rematch" | "rewind";
  accept?: boolean;
}

/** The seat's own settings; no other client receives them. */
export interface AssistState {
  type: "assist_settings";
  mode: "auto" | "firm" | "full";
  stops: ("attack" | "block" | "end" | "judgement" | "magic" | "summon")[];
  stop_cards: string[];
  stop_next: boolean;
  skip_until: "" | "attack" | "stage" | "turn";
  accept_combat: boolean;
  id?: number;
  planned_attackers?: string[];
}

/** The ``clash`` of the attacker with the unit ``token``: alone, or together with the units that block the attacker already if this unit is one of them. */
export interface BlockPreview {
  token: string;
  clash: ForecastClash;
}

/** The blockers ``chosen`` for each attacker, and the previews for one attacker; a unit that cannot block it has none. */
export interface BlockPreviews {
  attacker: string;
  previews: BlockPreview[];
  chosen: { [name: string]: string[] };
}

/** ``move``: the move that led here, as a player reads it, and ``by`` its player; empty at the start. */
export interface BoardStep {
  by: string;
  move: string;
  action: string;
  view: View;
}

/** The ids of puzzles. */
export interface BoardsAsked {
  puzzles: string[];
}

/** A rated game from the bot's side. */
export interface BotGame {
  record: string;
  seat: "p1" | "p2";
  result: "drawn" | "lost" | "won";
  opponent: string;
  opponent_id: string;
  regulation: string;
  at: number;
}

/** A bot of the leaderboard, sorted by ``rating``: ``mu`` minus three times ``sigma``. */
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

/** A bot: its regulations, its rank, its last games. */
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
  en: RichText;
  ja: RichText;
}

/** A bulwark. ``name`` is the engine's name of the unit: its position from the life side. ``card`` and ``new`` are None if this audience does not know. */
export interface BulwarkView {
  name: string;
  id: number;
  card: string | null;
  driven: boolean;
  new: boolean | null;
  role: "attacker" | "blocker" | null;
  blocks: number | null;
}

/** A person who asks to cast (``present``) or was named. ``named_by``: the players who have; ``host``: the host has. An absent one has no name. */
export interface Caster {
  handle: string;
  name?: string;
  present?: boolean;
  named_by?: Player[];
  host?: boolean;
}

/** The casters and those who ask to be one; sent to the players and the host of the tournament. */
export interface Casters {
  type: "casters";
  casters: Caster[];
}

/** The chance of P1 to win before a step of the replay, from 0 to 1. */
export interface ChanceAt {
  step: number;
  turn: number;
  p1: number;
}

/** A line of text, or a phrase; some rooms allow phrases only. */
export interface Chat {
  type: "chat";
  id?: number;
  text?: string;
  phrase?: "" | "again" | "bye" | "good_game" | "hello" | "luck" | "oops" | "sorry" | "thanks" | "thinking" | "well_played";
}

/** A chat message. ``handle``: its author, by a name of this room alone. ``phrase``: the message has no text then. */
export interface ChatLine {
  type: "chat";
  seat: string;
  name: string;
  text: string;
  handle?: string;
  phrase?: "" | "again" | "bye" | "good_game" | "hello" | "luck" | "oops" | "sorry" | "thanks" | "thinking" | "well_played";
}

/** Milliseconds left in the bank; ``running``: it is running down now. */
export interface Clock {
  left_ms: number;
  running?: boolean;
  grace_ms?: number;
}

/** Seconds: a bank, the increment of each own decision, the limit of a chance outside of one's own turn (it passes then), the time that a lost connection stops the clock. A bank of 0: no clock. */
export interface ClockRules {
  bank?: number;
  each?: number;
  chance?: number;
  grace?: number;
}

/** The decomposition of a game: from ``before`` to ``after`` the chance of P1 changes by the loss of P1's choices, minus that of P2's, and by ``luck``. */
export interface CoachedGame {
  p1: CoachedSeat;
  p2: CoachedSeat;
  before: number;
  after: number;
  luck: number;
}

/** The quality of a player's choices. ``accuracy`` is the mean share of the best chance over all moves; ``choice`` is their total loss. */
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

/** A room and its path. */
export interface Created {
  room: RoomInfo;
  path: string;
}

/** The result of the browser's passkey dialog, as JSON. */
export interface Credential {
  credential: { [name: string]: unknown };
}

export interface CurvePoint {
  at: number;
  points: number;
}

/** The current decision. For the asked seat only: the options, the tokens of this move so far (``so_far``), and the earlier choices in the effect being resolved. */
export interface DecisionView {
  player: Player;
  kind: string;
  options: string[];
  so_far: string[];
  chosen: string[];
}

/** ``text``: the deck without the parts that could not be read; ``figures``: statistics, one entry for each deck. */
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

/** The statistics of a deck; ``life`` is its number of life cards at the start. */
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

/** A requirement of the frame, and whether the deck meets it. */
export interface DeckNote {
  kept: boolean;
  ja: string;
  en: string;
}

/** An action with a deck: ``times`` requests at once have keys, and ``chance`` is the probability that the first hand has a complete key. */
export interface DeckUse {
  action: string;
  times: number;
  chance: number;
}

/** A deck of a match. ``top`` is the public card of a retired deck. */
export interface DeckView {
  deck: number;
  retired: boolean;
  top: string | null;
  cards: string[] | null;
}

export interface DeviceId {
  id: string;
}

/** The link to open once on another device, soon. The part after # is never sent to a server, so it appears in no log. */
export interface DeviceLink {
  path: string;
  seconds: number;
}

export interface Done {
  done?: boolean;
}

/** ``decked``: a deck list is submitted; ``deck``: the list, once the tournament is over. */
export interface EntrantInfo {
  id: string;
  name: string;
  player?: string;
  crest?: string;
  decked?: boolean;
  deck?: string;
}

/** ``deck``: the list, if the frame needs one; it can also be submitted later. */
export interface EntryText {
  deck?: string;
}

/** The message was refused and nothing has changed. ``code`` is for programs, the texts are for people. */
export interface Error {
  type: "error";
  id: number;
  code: string;
  en: string;
  ja: string;
  ruling?: string;
}

/** An event as one audience may see it. ``cards`` is None if they are hidden, ``top`` is the public one of them. The other fields set depend on ``event``. */
export interface EventView {
  event: "attached" | "attacked" | "blocked" | "bonus" | "buried" | "charged" | "closed" | "damaged" | "dealt" | "declared" | "discarded" | "drew" | "dropped" | "drove" | "entered" | "fizzled" | "flipped" | "fogged" | "fogs_cleared" | "keys_returned" | "keys_spent" | "looked" | "milled" | "negated" | "opened" | "pack_opened" | "packed" | "passed" | "raised" | "reordered" | "resolving" | "retargeted" | "returned" | "revealed" | "set_aside" | "shuffled" | "staged" | "sunk" | "took" | "topped" | "trump_lost" | "trump_set" | "turn" | "turned" | "uncovered" | "won";
  player: Player;
  count?: number;
  cards?: string[] | null;
  top?: string | null;
  action?: string | null;
  request?: number | null;
  kind?: string | null;
  unit?: number | null;
  attacker?: number | null;
  amount?: number | null;
  target?: Location | null;
  zone?: "aside" | "field" | "fog" | "grave" | "hand" | "life" | "pack" | "rare" | "stage" | "trumps" | null;
  turn_number?: number | null;
  winner?: "draw" | "p1" | "p2" | null;
}

/** A line of an entry: its name and text, without the signs of the notation. */
export interface Fact {
  name: string;
  text: string;
}

/** Notable figures of a game: the largest damage taken at once, and the life each player paid as a cost. */
export interface Facts {
  blow: number;
  struck: "p1" | "p2";
  paid_p1: number;
  paid_p2: number;
}

/** A fog: its cards, and what it is bound to, if it still works (N-060, N-061). */
export interface FogView {
  fog: "close" | "down" | "force" | "up";
  cards: string[];
  target: Location | null;
}

/** An attacker, its blockers and the result without responses. ``blockers_total``: the sum of the soldiers' numbers; ``falls``: the attacker goes to the grave; ``fallen_blockers``: the blockers that do. */
export interface ForecastClash {
  attacker: string;
  number: number;
  blockers?: string[];
  blockers_total?: number | null;
  falls?: boolean;
  fallen_blockers?: string[];
}

/** One certain result: a request is ``negated``; a unit ``falls``, ``leaves`` the field otherwise, has another ``number``, is driven or charged; a player takes ``damage``, draws or discards. ``location`` as in ``notation.options.board_location``. For damage and drawn cards ``previous`` and ``life`` are the player's life before and after the effect, -1 if not both are certain and known to the seat. */
export interface ForecastResult {
  kind: "charges" | "damage" | "discard" | "draw" | "drives" | "falls" | "leaves" | "negated" | "number";
  location: string;
  number?: number;
  previous?: number;
  life?: number;
  text?: RichText;
}

export interface FrameRecord {
  frame: string;
  games: number;
  won: number;
  drawn: number;
}

/** A game, or with ``match`` the whole match, is over. The commitment is revealed; the record can be fetched. */
export interface GameOver {
  type: "game_over";
  game: number;
  winner: "draw" | "p1" | "p2";
  reason: string;
  match_over: boolean;
  record_id?: string;
  commitment?: string;
  secret?: string;
  salts?: string[];
  seals?: string[];
  decks?: string[];
  record_hash?: string;
  view?: View | null;
}

/** A grave. ``top`` is the one public card. */
export interface GraveView {
  count: number;
  top: string | null;
  cards: string[] | null;
  known: string[];
}

/** A hand. ``cards``: all of them, or None if hidden. ``known``: the cards another player has seen there. */
export interface HandView {
  count: number;
  cards: string[] | null;
  known: string[];
}

/** ``network``: the server's address on its network; sent only to a page on the server's own machine. ``database``, ``redis``: whether they answer; without Redis its part is true. */
export interface Health {
  status: "failing" | "ok";
  version: string;
  rooms: number;
  connections: number;
  processes: number;
  network?: string;
  database?: boolean;
  redis?: boolean;
}

/** The answer to ``hint``: a comment or a recommended move, from the knowledge of this seat. */
export interface Hint {
  type: "hint";
  id: number;
  seq: number;
  text: RichText;
  with_move?: boolean;
}

/** The first message. ``seat``: ``p1`` or ``p2``, ``any`` free one, ``watch``, or ``caster``: watch, and see both hands once both players or the host have named this client. A client that has a seat gets it back. ``since``: the last ``seq`` that was received of game ``game``; the events after it are sent again. ``back``: the card back of this player, shown to the others. */
export interface Join {
  type: "join";
  id?: number;
  room?: string;
  seat?: "any" | "caster" | "p1" | "p2" | "watch";
  lang?: "en" | "ja";
  detail?: "bot" | "full" | "lean";
  game?: number;
  since?: number;
  back?: string;
}

/** The data a page stores for its owner's other devices, and its version; 0 if there is none yet. */
export interface Kept {
  version: number;
  data: { [name: string]: unknown } | null;
}

export interface KeptVersion {
  version: number;
}

/** The account's name, to confirm the deletion. */
export interface Leaving {
  name: string;
}

/** A lesson in the list; ``card``: its symbol on the path. */
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
  edition: string;
  format: string;
  title: string;
  about: string;
  tasks: TaskPage[];
}

/** Cards known at the ends of life, each list starting at its end. */
export interface LifeView {
  top: string[];
  bottom: string[];
}

export interface LinkToken {
  token: string;
}

/** The life of both players at a step of the replay. */
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

/** ``seconds``: since the game began, or since a waiting player sat down. ``minutes``: of its clock, 0 if it has none. ``view``: the board as a new spectator would see it now; None if spectators are not allowed or see it delayed, and outside the games with the most spectators. */
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

/** A location on the table that a token refers to. ``text`` is the token in the notation; ``player`` is the owner; ``name`` is a card (``S5``), a position (``b1``, ``t2``), or the number of a request on the stage (``1``). */
export interface Location {
  text: string;
  kind: "card" | "player" | "request" | "trump" | "unit" | "word";
  player: Player | null;
  name: string;
}

/** A line of the log. ``kind``: its event; ``player``: the one who caused it; ``turn``: the number of the turn that begins. ``automatic``: an automatic pass; ``stop``: the stop that would have prevented it. */
export interface LogEntry {
  text: string;
  seq: number;
  kind?: string;
  player?: Player | null;
  turn?: number;
  spans?: TextSpan[];
  automatic?: boolean;
  stop?: string;
}

/** Offer a draw, a rewind to just before the own decision at ``seq`` (0: the last one), or a rematch. */
export interface MakeOffer {
  type: "make_offer";
  id?: number;
  kind?: "draw" | "rematch" | "rewind";
  seq?: number;
}

/** The explanation of a mark on the table. */
export interface MarkPage {
  id: string;
  text: string;
}

/** Everything an audience may know about a match and the game in play. */
export interface MatchView {
  regulation: string;
  number: number;
  replay: number;
  score: { [name: string]: number };
  picks: { [name: string]: number | null };
  decks: { [name: string]: DeckView[] };
  viewable_decks: { [name: string]: number[] };
  decision: DecisionView | null;
  game: View | null;
  over: ResultView | null;
}

/** Mute a person: their chat is no longer sent to this client, in any room, permanently; ``on`` false: unmute. ``handle``: the name in lines of chat and in seats. */
export interface MutePlayer {
  type: "mute";
  id?: number;
  handle?: string;
  on?: boolean;
}

/** ``id``: to unmute the player. */
export interface MutedPlayer {
  id: string;
  name: string;
  since: number;
}

/** ``rename_after``: time of the next possible name change, 0 if now. ``muted`` and ``banned``: end times, 0 if not. */
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

/** The caller's part in a tournament: ``id`` if entered, and the room to play in now. ``counts_at``: if that game is over, the time at which its result is published. */
export interface MyPart {
  host: boolean;
  id?: string;
  deck?: string;
  away?: string;
  room?: string;
  may_enter?: boolean;
  counts_at?: number;
}

/** A guest; the cookie is secret, ``id`` is not. For an account also ``crest``, a card, and ``player``, the public id of ``/api/players/{id}``. */
export interface Myself {
  id: string;
  name: string;
  account?: boolean;
  crest?: string;
  player?: string;
}

/** Name a caster, or with ``on`` false withdraw it. The caster sees both hands if both players have named it, or the host of the tournament, delayed by at least a minute and four decisions. */
export interface NameCaster {
  type: "name_caster";
  id?: number;
  handle?: string;
  on?: boolean;
}

/** An available name, as it is displayed. */
export interface NameCheck {
  name: string;
}

/** ``crest``: the card shown as the player's picture. */
export interface NewAccount {
  name: string;
  crest?: string;
}

/** ``version``: the version this data replaces. */
export interface NewKept {
  version: number;
  data: { [name: string]: unknown };
}

export interface NewName {
  name: string;
}

/** An offer was made (``open``), accepted or declined. */
export interface Offer {
  type: "offer";
  kind: "draw" | "rematch" | "rewind";
  player: Player;
  state: "accepted" | "declined" | "open";
  seq?: number;
}

/** The location of a tournament. */
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

/** A legal next token. ``location``: the location on the table of what it names (``card:p1:S5``, ``unit:p1:b1``, ``trump:p2:t1``, ``stage:1``, ``player:p2``). For an action: ``start_locations``, those it can begin with (for an attack the soldiers that may attack); ``cards_asked_later``, the cards of the hand one of which it asks for at once; ``price``, the letters of its present price; ``usefulness``, 0 without effect, 2 recommended before going on. For one of a few words: ``results``, its costs and effects. */
export interface Option {
  token: string;
  label?: string;
  spans?: TextSpan[];
  location?: string;
  action?: string;
  start_locations?: string[];
  cards_asked_later?: string[];
  price?: string;
  usefulness?: number;
  results?: ForecastResult[];
  warnings?: string[];
}

/** A pack. In edition 6 its size is known to its owner only, in edition 9 to all (N-051). */
export interface PackView {
  opened: boolean;
  count: number | null;
  cards: string[] | null;
}

/** Local rules of a room. */
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

/** The room to wait in. ``seconds``: the usual wait, None if unknown. */
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

/** The options of the browser's passkey dialog. */
export interface PasskeyOptions {
  options: { [name: string]: unknown };
}

/** Storage is not available: the game waits, clocks and windows stand still; ``paused`` false: it continues. */
export interface Paused {
  type: "paused";
  paused: boolean;
  en?: string;
  ja?: string;
}

/** Request a pong. */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Attackers chosen before the attack resolves, by their locations (``all``: all that may attack). They are private, are used if they still may attack, and are sent with the seat's own settings. */
export interface PlanAttack {
  type: "plan_attack";
  id?: number;
  attackers?: string[];
}

/** ``step``: the number of moves to keep; the other fields as for a room. */
export interface PlayOn {
  step: number;
  opponent?: string;
  first?: "p1" | "p2";
  window_ms?: number | null;
}

/** The same, with the opponent to continue it with. */
export interface PlayPosition {
  position: string;
  opponent?: string;
  first?: "p1" | "p2";
  window_ms?: number | null;
}

export type Player = "p1" | "p2";

/** A player in a format. Points, rank and ``games`` are of the current season, the other figures of all seasons; actions and trumps are counted in ``counted`` games. */
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

/** ``opponent_id`` is empty if the opponent's account was deleted. */
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

/** The messages a room would have sent; ``state`` is ``open``, ``done`` or ``astray``, and ``text`` explains it. */
export interface PracticeAnswer {
  messages: (Welcome | RoomState | Update | PreviewResult | Ack | Error | Refusals | Hint | AssistState | Offer | ChatLine | GameOver | TranscriptSignature | Casters | Pong | Paused)[];
  moves: string[];
  state: string;
  text: string;
}

/** The moves so far, and a message of the WebSocket protocol; ``since``: the last ``seq`` received. */
export interface Practised {
  message: Join | Ready | Reveal | SubmitMove | PreviewMove | RequestRefusals | RequestHint | RequestResync | SetAssist | PlanAttack | Resign | MakeOffer | AnswerOffer | Chat | MutePlayer | ReportPlayer | NameCaster | SignTranscript | Ping;
  moves?: string[];
  since?: number;
  lang?: "en" | "ja";
  mode?: "auto" | "firm" | "full";
}

/** Preview of the tokens so far; nothing happens, the answer contains what can follow. ``text``: a whole move in the notation instead. At a chance with ``complete``: the rest is completed too, using what lies at the ``picks`` if possible; without any token it is the first action worth proposing that uses all picked locations, else the last of them, if there is one. For attackers and blockers with ``tap``: the selection after a tap on an own unit (empty: none). So far these are the attackers of ``tokens``, or the blockers of each attacker in ``blocks``; ``attacker`` is the one that the unit will block (empty: the first one). A preview has the whole selection, so it can be requested again. */
export interface PreviewMove {
  type: "preview";
  id?: number;
  seq?: number;
  tokens?: string[];
  picks?: string[];
  complete?: boolean;
  text?: string;
  tap?: string;
  blocks?: { [name: string]: string[] };
  attacker?: string;
}

/** The preview of a draft. ``text`` is the move in the notation once it is complete; ``proposal`` a way to complete it; ``warnings`` those to confirm by a second tap (``lose``: you would lose, ``vain``: it would do nothing). A request has its text, ``price`` with all raised actions, as far as it is certain, and ``steps``, its tokens. For attackers and blockers ``clashes`` and ``damage`` (per player, the raw sum) are the expected results of the fight; ``lethal_for`` the players who would lose, as far as you may know it. A selection has the ``picks`` in use and their names as ``title``; at a chance also the tokens of all ``actions`` possible with them and the ``refusals`` of the others; blockers the ``blocks``; ``refusal`` is the reason why a tap changed nothing. */
export interface PreviewResult {
  type: "preview_result";
  id: number;
  seq: number;
  tokens: string[];
  complete: boolean;
  text?: string;
  kind?: string;
  prompt?: string;
  spans?: TextSpan[];
  options?: Option[];
  proposal?: string[];
  warnings?: string[];
  clashes?: ForecastClash[];
  damage?: { [name: string]: number };
  blocks?: BlockPreviews | null;
  lethal_for?: Player[];
  results?: ForecastResult[];
  steps?: PreviewStep[];
  summary?: RichText;
  price?: RichText;
  picks?: string[];
  title?: RichText;
  actions?: string[];
  refusals?: RefusedAction[];
  refusal?: string;
}

/** A token of a draft after its action: the kind of decision, the token, and its alternatives. ``automatic``: without a choice. */
export interface PreviewStep {
  kind: string;
  token: string;
  text: RichText;
  automatic?: boolean;
  options?: Option[];
}

/** The error body of a refused request. */
export interface Problem {
  code: string;
  en: string;
  ja: string;
  ruling?: string;
}

/** A prompt. ``reason``: why a chance was not passed; ``deadline_ms``: the rest of its own limit; ``results``: those of the request on top of the stage without a response, as far as the seat may know them. */
export interface Prompt {
  seq: number;
  kind: string;
  options: Option[];
  prompt?: string;
  spans?: TextSpan[];
  reason?: string;
  deadline_ms?: number | null;
  multiple?: boolean;
  proposal?: string[];
  results?: ForecastResult[];
  lethal_for?: Player[];
  preview?: PreviewResult | null;
}

/** A puzzle in the list. ``title``: the task; ``name``: the title of a handmade puzzle; ``level``: depth of the solution, 1 to 5; ``collection``: the collection it belongs to. */
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

/** ``solution``: the moves of the solution; ``why``: the actions it consists of; ``reasons``: why no other move works. ``life``: the life of both players, also where a game would hide it; ``hand`` and ``bulwarks``: those of the other side. In a puzzle everything is open. ``position``: the position as text. */
export interface PuzzlePage {
  id: string;
  edition: string;
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

/** ``page``: of the booklet; 0: only in print. */
export interface QuickBlock {
  id: string;
  page: number;
  title: string;
  text: string;
  items: QuickItem[];
  actions?: string[];
}

/** ``cards``: to draw, with ``sign`` after the first; one with a minus is face down. */
export interface QuickItem {
  title: string;
  text: string;
  cards: string[];
  sign: string;
}

/** ``opponent``: people or bots. Matches between bots are rated, and so are those between people with accounts who both choose it. */
export interface QuickMatch {
  regulation?: string;
  opponent?: "bot" | "human";
  rated?: boolean;
}

/** The quick-start guide of two pages, and the glossary in both languages. */
export interface QuickStart {
  blocks: QuickBlock[];
  terms: Term[];
}

/** A quick match: whether a player waits for it now, and the usual wait in seconds; None if unknown. */
export interface QuickWait {
  regulation: string;
  waiting: boolean;
  seconds?: number | null;
}

/** The rare card zone (N-070). ``card`` is None if there is none, or if this audience does not know it. */
export interface RareView {
  count: number;
  card: string | null;
}

/** ``placed``: games needed for a rank. ``wait``: usual seconds of waiting for a rated game in the format's own quick match, None if unknown. ``mine``: the row of the caller, if signed in. */
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

/** ``place`` 0: no rank yet, because of too few games. ``change``: by the last game; ``streak``: games won in a row; ``curve``: points after each of the last games. */
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

/** The seat is ready for the game: its deck (a deck file's text; empty: the regulation's own) and the seal of deck and salt, which goes into the shuffles, so that not even the server can choose them (docs/fairness.md). A salt instead of a seal is used as it is. ``key``: the public key of the signatures that this client will send. */
export interface Ready {
  type: "ready";
  id?: number;
  deck?: string;
  salt?: string;
  seal?: string;
  key?: string;
}

/** The reason why several actions cannot be requested. */
export interface ReasonGroup {
  ruling: string;
  ja: string;
  en: string;
  actions: string[];
}

export interface Record {
  id: string;
  text: string;
  meta: { [name: string]: unknown };
}

/** The location of a record. */
export interface RecordPlace {
  id: string;
  path: string;
}

/** A finished game as text. */
export interface RecordText {
  text: string;
}

/** A refusal in both languages and the ruling behind it. */
export interface Refusal {
  ruling: string;
  ja: string;
  en: string;
}

export interface Refusals {
  type: "refusals";
  id: number;
  refusals: RefusedAction[];
}

/** An action that cannot be requested now, the reason, and the locations it could begin with otherwise. */
export interface RefusedAction {
  action: string;
  reason: Refusal;
  locations: string[];
}

/** A format, frame or option. ``adds``: the entries that a format has in addition to the one below it, or that a frame brings. ``pack``, ``rare``, ``scenario``, ``trumps``: the cards a frame lays there at set-up; ``draft``: the number of picks. */
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
  least?: number;
  pack?: number;
  rare?: number;
  scenario?: number;
  trumps?: number;
  draft?: number;
}

/** The playable regulations of the edition ``id``: their parts, and each legal combination as text; ``recommended``: some of these, the simplest first. */
export interface Regulations {
  formats: RegulationPart[];
  frames: RegulationPart[];
  options: RegulationPart[];
  legal: string[];
  edition: string;
  packages?: PackageInfo[];
  id?: string;
  recommended?: string[];
}

/** A remark of the guide in a first game: its trigger, its maximal number of repetitions, and the actions it advises. */
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

/** The game after a move; number 0 is the deal. */
export interface ReplayStep {
  step: number;
  turn: number;
  by: string;
  move: string;
  events: EventView[];
  lines: LogEntry[];
  views: { [name: string]: View };
}

/** Report a person to an operator. The chat of the room is included, and the future location of the game's record. */
export interface ReportPlayer {
  type: "report";
  id?: number;
  handle?: string;
  reason?: "chat" | "name" | "other" | "unfair";
  comment?: string;
}

/** Against a computer player: request a comment on the choice at ``seq``; with ``move`` a recommended move. */
export interface RequestHint {
  type: "hint";
  id?: number;
  seq?: number;
  with_move?: boolean;
}

/** Request the reasons why actions are not offered. */
export interface RequestRefusals {
  type: "refusals";
  id?: number;
}

/** Request the whole view again. */
export interface RequestResync {
  type: "resync";
  id?: number;
}

/** A request, public on the stage. ``cost`` is the printed one. */
export interface RequestView {
  id: number;
  action: string;
  controller: Player;
  cost: string;
  keys: string[];
  virtual_keys: string[];
  target: Location | null;
  source: Location | null;
}

/** Resign the game in play. ``fault``: a bot that broke, and so has lost; the ladder counts it at any time. */
export interface Resign {
  type: "resign";
  id?: number;
  fault?: boolean;
}

/** The result of a game or a match; ``winner`` is None for a draw. */
export interface ResultView {
  winner: Player | null;
  reason: string;
}

/** The salt of the seal, once both seats are ready. ``terms``: the hash of the game's conditions as this client has seen them (docs/fairness.md); if it differs from the present one, nothing is revealed. */
export interface Reveal {
  type: "reveal";
  id?: number;
  salt?: string;
  terms?: string;
}

/** A text and its spans. */
export interface RichText {
  text?: string;
  spans?: TextSpan[];
}

export interface RoomInfo {
  id: string;
  phase: "over" | "playing" | "waiting";
  settings: RoomSettings;
  p1: SeatInfo;
  p2: SeatInfo;
  game: number;
  spectators: number;
  commitment?: string;
  practice?: boolean;
  packages?: PackageInfo[];
  edition?: string;
  start_hash?: string;
  tournament?: string;
}

/** Settings of a room. ``opponent``: the other seat: ``human``, ``bot`` (a client of the protocol), or the name of a level; ``temper``: the playing style of a level that searches. ``window_ms``: the least time of a window in which a response is possible, with or without a prompt. ``listed``: the room is in the public lobby; else only its path leads to it. ``quick``: it waits for another player with the same settings; only ``/api/quick`` makes such a room and assigns the other seat of its first game. ``rated``: that game is rated; both have accounts. ``chat``: free text, or a few phrases only. */
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

/** The room has changed: its seats, its connections, its game. */
export interface RoomState {
  type: "room";
  room: RoomInfo;
}

/** The rooms the browser remembers. */
export interface RoomsAsked {
  rooms?: string[];
}

/** ``of``: the step in which the rule itself is used; everything is open. */
export interface RuleBoards {
  steps: BoardStep[];
  of: number;
}

/** A scenario that demonstrates a ruling, to be opened in the analysis. */
export interface RuleExample {
  ruling: string;
  scenario: string;
  variant: string;
  text: string;
}

/** The key of an action, for drawing. ``form``: one, two, each, same_suit, same_number or whole; ``sets``: the possible cards of each of its parts, or for "whole" the cards of each alternative. */
export interface RuleKey {
  form: string;
  count: number;
  sign: string;
  text: string;
  sets: string[][];
}

/** One entry of the rulebook. */
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

/** An action that a trump allows or raises. ``when``: main, quick or raised; ``source``: the driven unit. */
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

/** The result of a search, best first. ``sure``: the first page answers; otherwise the first ones are guesses. ``answered`` is False if probably no page answers. */
export interface RuleSearch {
  pages: RulePage[];
  sure: boolean;
  answered: boolean;
}

/** A room in which the caller has a seat. ``turn`` is 0 and ``view`` None if the room is not loaded. */
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

/** The result of one variant; ``error`` is empty if all expectations held, else ``line`` and ``text`` locate the failure. */
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

/** ``deal``: the start position of a guided first game; ``marks``: explanations shown when a mark first appears. */
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

/** ``number`` 0: before an operator has set a season. ``ends`` 0: not decided yet. */
export interface SeasonInfo {
  number: number;
  ja: string;
  en: string;
  began: number;
  ends: number;
}

/** The public information of a seat. */
export interface SeatInfo {
  kind: string;
  name: string;
  connected: boolean;
  ready: boolean;
  level?: string;
  seal?: string;
  bot?: string;
  player?: string;
  handle?: string;
  key?: string;
  back?: string;
}

/** A position as both seats see it, its options, and why the other actions are refused, also grouped as ``reasons``. */
export interface Seen {
  regulation: string;
  views: { [name: string]: View };
  asked: string;
  kind: string;
  prompt: string;
  options: Option[];
  refused: RefusedAction[];
  reasons: ReasonGroup[];
  text: string;
}

/** The entrant the host removes. */
export interface SentAway {
  id: string;
}

/** Settings of auto-pass; omitted ones stay. ``stop_cards``: hand cards to stop for. ``stop_next``: 止める. ``skip_until``: the stage is empty, I am attacked, my turn. ``accept_combat``: 受けます (pass, do not block, pass). */
export interface SetAssist {
  type: "assist_settings";
  id?: number;
  mode?: "auto" | "firm" | "full";
  stops?: ("attack" | "block" | "end" | "judgement" | "magic" | "summon")[];
  stop_cards?: string[];
  stop_next?: boolean;
  skip_until?: "" | "attack" | "stage" | "turn";
  accept_combat?: boolean;
}

/** A game between computer players that can always be watched. ``step`` and ``view``: its decisive moment. */
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

/** One player's zones. A ``life`` below ten is public; ``pack`` and ``rare`` are None if there is none. */
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
  rare: RareView | null;
  fogs: FogView[];
}

/** The signature of the first ``count`` events of game ``part`` of the match, as this client was sent them (docs/fairness.md). It is relayed to the other seat; one that signs no more events than the last is dropped. */
export interface SignTranscript {
  type: "sign";
  id?: number;
  count?: number;
  signature?: string;
  part?: number;
}

/** ``code``: the twelve cards of the recovery code, returned only once. */
export interface SignedInAs {
  id: string;
  name: string;
  code?: string[];
}

/** The occupant of a seat: ``kind`` is ``open``, ``human`` or ``ai``. */
export interface Sitting {
  seat: string;
  kind: string;
  name: string;
  level?: string;
}

/** A soldier. ``name`` is the engine's name of the unit: its first card. ``base`` is the number without modifiers; ``new`` is None if only its player knows. */
export interface SoldierView {
  name: string;
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

/** ``run``: a letter for each round or game: W, D, L, B (bye), T (through unplayed), - (open); ``others``: opponents, ``brought``: points. ``ties``: tie-breaks in percent. ``away``: reason for not being paired. */
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

/** The answer to the prompt at ``seq``: a whole move, as offered tokens or as text in the notation. For an attack ``attackers``: those of its resolution, as in ``plan_attack``. */
export interface SubmitMove {
  type: "move";
  id?: number;
  seq?: number;
  tokens?: string[];
  text?: string;
  attackers?: string[];
}

/** The result of a table set by the host: one of the two has won, it is drawn, or both have lost. */
export interface TableFix {
  round: number;
  table: number;
  outcome: "draw" | "lost" | "one" | "two";
}

/** ``outcome``: empty while open; ``lost``: both lost. ``until``: deadline for missing players. */
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

/** ``read``: a task without a move; ``shown``: the solution, shown on request; ``board``: the start as the learner sees it. */
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

/** The span ``start`` to ``end`` of a text that names a player (``seat:p1``) or a rulebook entry (``action:counter``, ``trump:riot``, ``character:soldier``). */
export interface TextSpan {
  start: number;
  end: number;
  ref: string;
}

/** A row of the list. ``winner``: of a finished tournament. */
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

/** The changing part of a page, sent to all followers. ``next_at``: time of the next automatic pairing, 0: none; ``ends``: of an arena. ``tables``: of this round, of an arena the open ones. */
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

/** ``results``: of all decided tables, with their records once these are public. */
export interface TournamentPage {
  rules: TournamentRules;
  host: string;
  decks: number;
  entrants: EntrantInfo[];
  results: TableInfo[];
  byes: string[][];
  live: TournamentLive;
}

/** Rules of a tournament. - ``rounds``: of a Swiss tournament, 0: as many as determine one winner. ``minutes``: of an arena. - ``starts``: start time in seconds since 1970; 0: the host starts it. - ``by_itself``: rounds follow ``pause`` seconds after the last table; otherwise the host pairs them. - ``wait``: seconds after which a player missing at a table has lost. - ``listed``: public; otherwise only those with the link can find it. - ``accounts``: only for players with an account. ``rated``: its games can count for ratings. - ``per_address``: entrants of one address, so that strangers cannot fill all places. - ``spectator_delay``: seconds by which spectators are delayed, and results with them. */
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
  per_address?: number;
}

/** The signature of the client at the other seat, as it sent it. */
export interface TranscriptSignature {
  type: "signature";
  count: number;
  signature: string;
  part?: number;
}

export interface TrumpView {
  name: string;
  open: boolean;
  card: string | null;
}

/** A move that changed the game. ``step`` is its step of the replay. ``question`` is the prompt, empty if any action could be chosen. ``before`` and ``after`` are the chance of ``player`` to win, from 0 to 1. ``better`` is the move the search preferred, with the knowledge of that player. ``choice`` and ``luck`` add up to the change: the loss of the move compared with the best one, and everything that no player could choose. A fall by choices of more than ten percent has its ``cause``; then the figures are those of the round, and ``better`` is confirmed by playing on, with its effect as ``remedy``, and in the notation as ``better_move``. */
export interface TurningPoint {
  step: number;
  turn: number;
  player: "p1" | "p2";
  question: BothTexts;
  move: BothTexts;
  before: number;
  after: number;
  better?: BothTexts | null;
  choice?: number;
  luck?: number;
  cause?: BothTexts | null;
  remedy?: BothTexts | null;
  better_move?: string;
}

/** The analysis of a finished game; until it is ``ready``, repeat the request. ``progress`` is from 0 to 1. ``course`` is the curve of the chances at some steps, ``lives`` that of the life. */
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

export interface Unmute {
  id: string;
}

/** New events and the present prompt. ``seq`` is the number of moves in this game; events and lines are those after ``since``. ``view`` is whole in the first update of a connection and if ``since`` is -1; otherwise ``view_changes`` has the fields that differ from the view before, by path (``turn_number``, ``p1.hand``). A bot gets no texts and every view whole, a lean one no view, and receives events with its next prompt. */
export interface Update {
  type: "update";
  game: number;
  seq: number;
  since: number;
  prompt?: Prompt | null;
  waiting_for?: Player | null;
  events?: EventView[];
  lines?: LogEntry[];
  view?: View | null;
  view_changes?: { [name: string]: unknown } | null;
  match?: MatchView | null;
  clocks?: { [name: string]: Clock };
  practice?: boolean;
  match_game?: number;
  previous_events?: number;
  first_event?: number;
}

/** An action by its id, or a trump by its card: the number of last games that used it, and their results. */
export interface UsedInGames {
  id: string;
  games: number;
  won: number;
  drawn: number;
}

/** Everything an audience may know about a game (R-210…R-216). ``you`` is the seat it is for. ``declared``: requests with keys that wait while triggers are carried out, before they are on the stage; their keys lie nowhere else. */
export interface View {
  you: Player | null;
  turn: Player;
  chance: Player;
  turn_number: number;
  passed: Player[];
  stage: RequestView[];
  resolving: RequestView | null;
  decision: DecisionView | null;
  p1: SideView;
  p2: SideView;
  over: ResultView | null;
  declared: RequestView[];
}

/** A running table. ``view``: as a new spectator would see it now, None if hidden or delayed. */
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

/** The answer to ``join``. ``last_answered``: the last ``seq`` this seat has answered (-1: none), so that an answer with a lost acknowledgement is not sent again. */
export interface Welcome {
  type: "welcome";
  version: number;
  room: RoomInfo;
  seat: Player | null;
  seq: number;
  last_answered: number;
  id?: number;
  levels?: string[];
  deck?: string;
  handle?: string;
  caster?: boolean;
}

/** An action of the solution, its keys, and its effect. */
export interface WhyPage {
  action: string;
  cards: string[];
  name: string;
  text: string;
}

export type ClientMessage = Join | Ready | Reveal | SubmitMove | PreviewMove | RequestRefusals | RequestHint | RequestResync | SetAssist | PlanAttack | Resign | MakeOffer | AnswerOffer | Chat | MutePlayer | ReportPlayer | NameCaster | SignTranscript | Ping;

export type ServerMessage = Welcome | RoomState | Update | PreviewResult | Ack | Error | Refusals | Hint | AssistState | Offer | ChatLine | GameOver | TranscriptSignature | Casters | Pong | Paused;

/** a life with fewer cards than this is shown as a number. */
export const LIFE_COUNTED = 10;

export const UNCOUNTED = "10+";

/** the cards each player is dealt at set-up. */
export const STARTING_HAND = 7;
