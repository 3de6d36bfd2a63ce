// Games between AI players. Their decisions are translated code; this file contains only the loops.
#pragma once

static Node* moved(const Node* node, Tree* to) {
  Node* new_ = (Node*)to->take(sizeof(Node));
  *new_ = *node;
  new_->children = Grown<Node>{};
  for (int i = 0; i < node->children.n; i++) to->append(new_->children, moved(node->children.at[i], to));
  return new_;
}

// Move the root; only its subtree is kept.
static void find(Search* search, State* S) {
  S->tree = search->tree;
  Search_find(S, search);
  Tree* kept = new Tree;
  search->root = moved(search->root, kept);
  delete search->tree;
  search->tree = kept;
}

// The same as Search.grow; return the number of play-outs left when a world outgrew its memory. That one is undone.
static int64_t grow(Search* search, const State* at, int64_t n) {
  State W;
  for (; n > 0; n--) {
    int64_t chance = search->chance.state, decisions = search->decisions;
    memcpy(&W, at, sizeof(State));
    W.tree = search->tree;
    W.uses = nullptr;
    determinization_redeal(&W, search->seat, &search->knowledge, &search->chance, 0);
    double result = Search_explore(&W, search, at->turn_number + search->horizon);
    if (W.outgrown) {
      search->chance.state = chance;
      search->decisions = decisions;
      return n;
    }
    Search_backpropagate(&W, search, result);
  }
  return 0;
}

static void begin(Search* search, State* S) {
  search->tree = S->tree = new Tree;
  search->root = Node___init__(S, 0, 0, search->seat, 1.0);
}

// The same as ai.playout.heuristic_choice.
static int64_t heuristic_choice(State* S, Search* mine, int64_t noise, int64_t overlook) {
  State W;
  memcpy(&W, S, sizeof(State));
  W.uses = nullptr;
  determinization_redeal(&W, mine->seat, &mine->knowledge, &mine->chance, 0);
  List<int32_t, 112> scores;
  scores.n = 0;
  heuristic_player_score_options(&W, &mine->policy, noise, overlook, &mine->chance, scores);
  int64_t best = heuristic_player_argmax(&W, scores);
  if (heuristic_player_may_err(&W, noise, overlook)) {
    State trial;
    while (scores.at[best] != NEVER) {
      memcpy(&trial, &W, sizeof(State));
      trial.uses = nullptr;
      bool wasted = heuristic_player_is_wasted(&trial, W.options.at[best], &mine->policy);
      W.outgrown |= trial.outgrown;
      if (!wasted) break;
      scores.at[best] = NEVER;
      best = heuristic_player_argmax(&W, scores);
    }
  }
  S->outgrown |= W.outgrown;
  return W.options.at[best];
}

// Grow the tree of this decision; return false if a world outgrew its memory, which also ends this game.
static bool searched(State* S, Search* mine, int64_t playouts, int64_t chunk) {
  if (mine->tree == nullptr) begin(mine, S);
  find(mine, S);
  for (int64_t n; (n = Search_due(S, mine, playouts, chunk)) > 0;)
    if (grow(mine, S, n)) {
      outgrow(S);
      return false;
    }
  return true;
}

// The same choice as the players of ai.players.
static int64_t thought(State* S, const Level* level, Search* mine) {
  if (level->random) return S->options.at[Shuffler_below(S, &mine->chance, S->options.n)];
  if (level->playouts == 0) return heuristic_choice(S, mine, level->noise, level->overlook);
  if (level->overlook && Shuffler_below(S, &mine->chance, 100) < level->overlook)
    return heuristic_choice(S, mine, level->noise, 0);
  return searched(S, mine, level->playouts, level->chunk) ? Search_best(S, mine) : S->options.at[0];
}

// A seated player chooses in a world indistinguishable to its seat (ai.player_view.PlayerView), else in the game.
static int64_t chosen(State* S, const Level* level, Search* mine) {
  if (level->random || !level->seated) return thought(S, level, mine);
  State seen;
  memcpy(&seen, S, sizeof(State));
  seen.uses = nullptr;
  Shuffler fixed = {seeded(0)};
  determinization_redeal(&seen, mine->seat, &mine->knowledge, &fixed, 0);
  int64_t option = thought(&seen, level, mine);
  S->outgrown |= seen.outgrown;
  return option;
}

// The options chosen in decisions with two or more; the same size is in native/ai_games.py.
struct Choices {
  uint16_t n;
  uint8_t at[4094];
};

static void note(Choices* choices, State* S, int64_t option) {
  if (choices == nullptr || S->options.n < 2) return;
  if (choices->n < sizeof(choices->at)) choices->at[choices->n++] = (uint8_t)option;
  else outgrow(S);
}

// Return the CPU time of the calling thread.
static int64_t nanoseconds() {
#ifdef __wasm__
  return 0;  // no such clock
#else
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1000000000 * (int64_t)now.tv_sec + now.tv_nsec;
#endif
}

// The same as ai.batch_play.play_game. ``made``: the number of predetermined set-up choices, then the choices;
// ``times``: for each seat its CPU time and its number of choices.
static void game_of(State* S, const Level* levels, Search* players, const uint8_t* made, Result* out,
                    Choices* choices, int64_t* times) {
  if (S->options.n == 0) State_advance(S);  // else the game continues from a decision
  for (int i = 1; i <= made[0]; i++) {
    note(choices, S, made[i]);
    step<true>(S, out, made[i]);
  }
  bool begun = false;
  while (S->options.n != 0 && !S->outgrown) {
    int64_t n = S->options.n, option = S->options.at[0];
    if (!begun && S->point >= CHANCE) {
      begun = true;
      out->first = S->turn;
    }
    if (n > 1) {
      int64_t before = times == nullptr ? 0 : nanoseconds();
      option = chosen(S, &levels[S->asked], &players[S->asked]);
      if (times != nullptr) {
        times[2 * S->asked] += nanoseconds() - before;
        times[2 * S->asked + 1]++;
      }
    }
    note(choices, S, option);
    if (S->outgrown) break;
    out->decisions += begun;
    out->forced += begun && n == 1;
    step<true>(S, out, option);
  }
  out->winner = S->winner;
  out->turns = S->turn_number;
  out->outgrown = S->outgrown;
}

extern "C" {

// Play games between two players. ``dice``: a seed of each seat's generator for every game; ``players``: an initial
// search for each seat; ``made``: eight bytes per game.
void blackpoker_players(const Tables* tables, const State* starts, int64_t stride, const int64_t* seeds,
                        const int64_t* dice, int64_t n, int64_t threads, const Level* levels, const Search* players,
                        const uint8_t* made, Result* out, uint32_t* uses, Choices* choices, int64_t* times) {
  over_threads(n, threads, [=](int64_t i) {
    State S;
    memcpy(&S, starts + stride * i, sizeof(State));
    S.tables = tables;
    S.uses = uses == nullptr ? nullptr : uses + i * 2 * PLANS;
    if (stride == 0) S.source.state = seeded((uint64_t)seeds[i]);
    Search seats[2];
    for (int seat = 0; seat < 2; seat++) {
      memcpy(&seats[seat], players + seat, sizeof(Search));
      seats[seat].chance.state = seeded((uint64_t)dice[2 * i + seat]);
    }
    out[i] = Result{};
    out[i].hash = 0xcbf29ce484222325ull;
    game_of(&S, levels, seats, made + 8 * i, &out[i], choices == nullptr ? nullptr : choices + i,
            times == nullptr ? nullptr : times + 4 * i);
    for (Search& seat : seats) delete seat.tree;
  });
}

// One search kept across decisions. ``at`` is the current position.
void blackpoker_search_begin(Search* search, State* at) { begin(search, at); }
void blackpoker_search_end(Search* search) {
  delete search->tree;
  search->tree = nullptr;
}
int64_t blackpoker_search_find(Search* search, State* at) {
  find(search, at);
  return 0;  // the caller reads a number from every search function
}
int64_t blackpoker_search_due(Search* search, State* at, int64_t budget, int64_t chunk) {
  return Search_due(at, search, budget, chunk);
}
int64_t blackpoker_search_grow(Search* search, const State* at, int64_t n) { return grow(search, at, n); }
int64_t blackpoker_search_best(Search* search, State* at) { return Search_best(at, search); }
}
