// Self-play games, and the records kept for training (training/README.md).
#pragma once

// The initial data of a group of games; the same fields, in this order, are in training/selfplay.py.
struct Job {
  const Tables* tables;
  const State* start;
  const Search* players;  // two
  int64_t regulation;
  uint8_t made[8];
};

// The settings of self-play: shares are per thousand decisions.
struct Lesson {
  int64_t games, seed, threads, milliseconds, playouts, quick, odd, blind, values, policies, noise;
};

// A recorded decision. A value: the actual world and the result of the game; a policy: a world determinized for its
// mover, and the visits of each option in the search.
struct Record {
  enum { BITS_KEPT = 184, OPTIONS_KEPT = 56 };
  uint32_t game;
  uint8_t policy, kind, options, bits_on, won, starts, regulation, unused;
  uint16_t mean, visited;  // the value of the search in 65536ths; all visits
  uint16_t bits[BITS_KEPT], rows[OPTIONS_KEPT], shown[OPTIONS_KEPT];
  int16_t scores[OPTIONS_KEPT];
  uint16_t visits[OPTIONS_KEPT];
};

static bool keep_bits(State* S, Search* mine, Record* record) {
  features_extract(S, &mine->feature_map, S->asked, mine->bits);
  if (mine->bits.n > Record::BITS_KEPT) return false;
  record->bits_on = mine->bits.n;
  memcpy(record->bits, mine->bits.at, 2 * mine->bits.n);
  return true;
}

static Node* child_of(const Node* root, int64_t key) {
  for (int i = 0; i < root->children.n; i++)
    if (root->children.at[i]->key == key) return root->children.at[i];
  return nullptr;
}

static bool keep_policy(State* S, Search* mine, Record* record) {
  if (S->options.n > Record::OPTIONS_KEPT) return false;
  State W;
  memcpy(&W, S, sizeof(State));
  W.uses = nullptr;
  determinization_redeal(&W, mine->seat, &mine->knowledge, &mine->chance, 0);
  HeuristicScorer_scores(&W, &mine->policy, mine->scratch);
  if (W.outgrown || !keep_bits(&W, mine, record)) return false;
  int64_t base = search_situation(S), top = search_highest_score(&W, mine->scratch), visited = 0;
  record->policy = 1;
  record->options = S->options.n;
  for (int i = 0; i < S->options.n; i++) {
    int64_t option = S->options.at[i], rows = features_option_row(&W, &mine->feature_map, option);
    const Node* child = child_of(mine->root, base + option);
    record->rows[i] = (uint16_t)(rows / 2048);
    record->shown[i] = (uint16_t)(rows % 2048);
    record->scores[i] = (int16_t)min_of(top - mine->scratch.at[i], (int64_t)MOST_SCORE_GAP);
    record->visits[i] = child == nullptr ? 0 : (uint16_t)min_of(child->visits, (int64_t)65535);
    visited += record->visits[i];
  }
  record->visited = (uint16_t)min_of(visited, (int64_t)65535);
  return true;
}

// Return the value of the search for the asked player, in 65536ths.
static uint16_t opinion(State* S, Search* mine) {
  double total = 0;
  int64_t visits = 0, base = search_situation(S);
  for (int i = 0; i < S->options.n; i++)
    if (const Node* child = child_of(mine->root, base + S->options.at[i])) visits += child->visits, total += child->total;
  return visits ? (uint16_t)min_of((int64_t)(65536 * total / (double)visits), (int64_t)65535) : 32768;
}

static int64_t drawn_by_visits(State* S, Search* mine, Shuffler* dice) {
  int64_t base = search_situation(S), sum = 0;
  for (int i = 0; i < S->options.n; i++)
    if (const Node* child = child_of(mine->root, base + S->options.at[i])) sum += child->visits;
  if (sum == 0) return S->options.at[0];
  int64_t drawn = Shuffler_below(S, dice, sum);
  for (int i = 0; i < S->options.n; i++)
    if (const Node* child = child_of(mine->root, base + S->options.at[i]))
      if ((drawn -= child->visits) < 0) return S->options.at[i];
  return S->options.at[0];
}

// Search with noise at the root: a share of every prior is replaced by random weights, so that the search explores
// options that the net would never try. A first play-out creates the root's children.
static bool doubted(State* S, Search* mine, const Lesson* lesson, int64_t playouts, Shuffler* dice) {
  if (lesson->noise == 0) return searched(S, mine, playouts, 64);
  if (mine->tree == nullptr) begin(mine, S);
  find(mine, S);
  if (grow(mine, S, 1)) return false;
  Grown<Node>& children = mine->root->children;
  int64_t parts[112], sum = 0;
  for (int i = 0; i < children.n && i < 112; i++) {  // a few options get most of the weight
    int64_t x = Shuffler_below(S, dice, 1024);
    sum += parts[i] = x * x / 1024 * x / 1024 * x / 1024 + 1;
  }
  double share = (double)lesson->noise / 1000;
  for (int i = 0; i < children.n && i < 112; i++)
    children.at[i]->prior = (1 - share) * children.at[i]->prior + share * (double)parts[i] / (double)sum;
  for (int64_t n; (n = Search_due(S, mine, playouts, 64)) > 0;)
    if (grow(mine, S, n)) return false;
  return true;
}

static void lesson_game(const Job* job, const Lesson* lesson, int64_t number, std::vector<Record>& kept) {
  State S;
  memcpy(&S, job->start, sizeof(State));
  S.tables = job->tables;
  S.uses = nullptr;
  S.source.state = seeded((uint64_t)(lesson->seed + number));
  Search seats[2];
  for (int seat = 0; seat < 2; seat++) {
    memcpy(&seats[seat], job->players + seat, sizeof(Search));
    seats[seat].chance.state = seeded((uint64_t)(2 * (lesson->seed + number) + seat) + (UINT64_C(1) << 40));
  }
  Shuffler dice = {seeded((uint64_t)(lesson->seed + number) + (UINT64_C(1) << 41))};
  size_t first = kept.size();
  int64_t turn = 0;
  State_advance(&S);
  for (int i = 1; i <= job->made[0]; i++) State_push(&S, job->made[i]);
  while (S.options.n != 0 && !S.outgrown) {
    if (S.options.n == 1) {
      State_push(&S, S.options.at[0]);
      continue;
    }
    Search* mine = &seats[S.asked];
    bool full = Shuffler_below(&S, &dice, 1000) < lesson->policies;
    if (!(full ? doubted(&S, mine, lesson, lesson->playouts, &dice) : searched(&S, mine, lesson->quick, 64))) break;
    int64_t option = Search_best(&S, mine), odd = Shuffler_below(&S, &dice, 1000);
    Record record = {};
    record.game = (uint32_t)number;
    record.kind = S.kind;
    record.regulation = (uint8_t)job->regulation;
    record.starts = S.turn_number != turn;
    record.mean = opinion(&S, mine);
    record.won = S.asked;
    turn = S.turn_number;
    if (full && keep_policy(&S, mine, &record)) kept.push_back(record);
    if (Shuffler_below(&S, &dice, 1000) < lesson->values && keep_bits(&S, mine, &record)) {
      record.policy = record.options = 0;
      kept.push_back(record);
    }
    if (odd < lesson->odd) option = drawn_by_visits(&S, mine, &dice);
    else if (odd < lesson->odd + lesson->blind) option = S.options.at[Shuffler_below(&S, &dice, S.options.n)];
    State_push(&S, option);
  }
  for (Search& seat : seats) delete seat.tree;
  if (S.outgrown || S.winner == UNDECIDED) return kept.resize(first);
  for (size_t i = first; i < kept.size(); i++)  // 2: won, 1: drawn
    kept[i].won = S.winner == DRAW ? 1 : S.winner == kept[i].won ? 2 : 0;
}

extern "C" {

int64_t blackpoker_record_size() { return sizeof(Record); }

// Play games until they or the time are over; append the records to a file. ``out``: games, records; -1: no file.
void blackpoker_selfplay(const Job* jobs, int64_t n, const Lesson* lesson, const char* path, int64_t* out) {
  FILE* file = fopen(path, "ab");
  out[0] = out[1] = file == nullptr ? -1 : 0;
  if (file == nullptr) return;
  std::mutex writing;
  std::atomic<bool> late{false};
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(lesson->milliseconds);
  over_threads(lesson->games, lesson->threads, [&](int64_t i) {
    if (late || (late = std::chrono::steady_clock::now() > end)) return;
    std::vector<Record> kept;
    lesson_game(jobs + i % n, lesson, i, kept);
    std::lock_guard<std::mutex> lock(writing);
    out[0]++;
    out[1] += (int64_t)fwrite(kept.data(), sizeof(Record), kept.size(), file);
  });
  fclose(file);
}
}
