// Runtime of the translated rules: in-place lists, pools, bits. It contains no rule of the game.
#pragma once

// Flag the game for Python: a list or pool is full, or an assertion failed.
#ifndef __CUDACC__
__attribute__((cold, noinline))
#endif
static void outgrow(State* S) { S->outgrown = 1; }

static inline int64_t min_of(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t max_of(int64_t a, int64_t b) { return b > a ? b : a; }
static inline double min_of(double a, double b) { return b < a ? b : a; }
// // and % of Python: rounded towards minus infinity.
static inline int64_t share_of(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static inline int64_t rest_of(int64_t a, int64_t b) { return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0); }
#ifdef __CUDACC__
static inline int64_t lowest_bit(int64_t x) { return __ffsll(x) - 1; }
static inline int64_t count_bits(int64_t x) { return __popcll((uint64_t)x); }
static inline int64_t highest_bit(int64_t x) { return INT64_C(1) << (63 - __clzll(x)); }
#else
static inline int64_t lowest_bit(int64_t x) { return __builtin_ctzll((uint64_t)x); }
static inline int64_t count_bits(int64_t x) { return __builtin_popcountll((uint64_t)x); }
static inline int64_t highest_bit(int64_t x) { return INT64_C(1) << (63 - __builtin_clzll((uint64_t)x)); }
#endif

// References are positions in a pool; the highest number is None.
template <class T> static inline T* at(T* pool, uint8_t i) { return i == 255 ? nullptr : pool + i; }
template <class T> static inline T* at(T* pool, uint16_t i) { return i == 65535 ? nullptr : pool + i; }
template <class T> static inline int64_t place_of(const T*, decltype(nullptr)) { return -1; }
template <class T> static inline int64_t place_of(const T* pool, const T* p) { return p == nullptr ? -1 : p - pool; }

template <class T, int N, class V> static inline void append(State* S, List<T, N>& l, V v) {
  if (l.n < N) l.at[l.n++] = (T)v;
  else outgrow(S);
}
// Append to a list under construction; ``n`` is a separate variable to avoid a dependency on the stored length.
template <class T, int N> static inline void append_if(State* S, List<T, N>& l, int& n, int64_t v, bool wanted) {
  if (n < N) {
    l.at[n] = (T)v;
    n += wanted;
  } else if (wanted) outgrow(S);
}
template <class T, int N> static inline T pop(List<T, N>& l) { return l.at[--l.n]; }
template <class T, int N> static inline T pop_at(List<T, N>& l, int64_t i) {
  T v = l.at[i];
  l.n--;
  for (int j = (int)i; j < l.n; j++) l.at[j] = l.at[j + 1];
  return v;
}
template <class T, int N> static inline void remove(State*, List<T, N>& l, int64_t v) {
  for (int i = 0; i < l.n; i++)
    if (l.at[i] == (T)v) {
      pop_at(l, i);
      return;
    }
}
template <class T, int N> static inline void push_front(State* S, List<T, N>& l, int64_t v) {
  if (l.n >= N) return outgrow(S);
  for (int j = l.n; j > 0; j--) l.at[j] = l.at[j - 1];
  l.at[0] = (T)v;
  l.n++;
}
template <class T, int N> static inline bool contains(const List<T, N>& l, int64_t v) {
  for (int i = 0; i < l.n; i++)
    if (l.at[i] == (T)v) return true;
  return false;
}
template <class T, int N> static inline void clear(List<T, N>& l) { l.n = 0; }
template <class T, int N> static inline void reverse(List<T, N>& l) {
  for (int i = 0, j = l.n - 1; i < j; i++, j--) {
    T t = l.at[i];
    l.at[i] = l.at[j];
    l.at[j] = t;
  }
}
template <class T, int N, class U, int M> static inline void extend(State* S, List<T, N>& l, const List<U, M>& o) {
  for (int i = 0; i < o.n; i++) append(S, l, o.at[i]);
}
template <class T, int N, class U, int M> static inline void give(State* S, List<T, N>& l, const List<U, M>& o) {
  if (o.n > N) return outgrow(S);
  l.n = o.n;
  for (int i = 0; i < o.n; i++) l.at[i] = (T)o.at[i];
}

// Shuffles decided by the caller, for one option: the orders given so far, from the top. At the first missing order the
// pile is stored for the caller and the game continues unshuffled; the caller replays the option with the order.
struct Orders {
  enum { MOST = 8 };
  int32_t given, used, wanted;
  List<uint8_t, 54> pile, order[MOST];
};
template <int N> static inline void decided(State* S, List<uint8_t, N>& cards) {
  Orders* orders = S->orders;
  if (cards.n < 2 || orders->wanted) return;
  if (orders->used < orders->given) {
    const List<uint8_t, 54>& order = orders->order[orders->used++];
    for (int i = 0; i < cards.n; i++) cards.at[i] = order.at[cards.n - 1 - i];
    return;
  }
  orders->wanted = 1;
  orders->pile = cards;
}

// Allocate a unit or request; if none is free, return the first one and flag the game.
template <class T> static inline T* taken(State* S, T* pool, uint64_t& free) {
  if (!free) {
    outgrow(S);
    return pool;
  }
  int i = (int)lowest_bit((int64_t)free);
  free &= free - 1;
  return pool + i;
}
static inline Unit* make_Unit(State* S) { return taken(S, S->pool_Unit, S->free_Unit); }
static inline Request* make_Request(State* S) { return taken(S, S->pool_Request, S->free_Request); }
static inline void mark(uint64_t& free, uint8_t i) {
  if (i != 255) free &= ~(UINT64_C(1) << i);
}
template <int N> static inline void mark(uint64_t& free, const List<uint8_t, N>& l) {
  for (int i = 0; i < l.n; i++) mark(free, l.at[i]);
}

// The same as ai.features.add_cards.
template <int N> static inline void add_cards(int64_t first, int64_t cards, List<uint16_t, N>& l) {
  for (uint64_t c = (uint64_t)cards; c != 0 && l.n < N; c &= c - 1) l.at[l.n++] = (uint16_t)(first + lowest_bit((int64_t)c));
}

// The same as ai.net. Sums of rows wrap at 16 bits; all other sums fit 32 bits.
#if defined(__SSE2__) && !defined(__CUDACC__)
static inline __m128i eight(const int16_t* at) { return _mm_loadu_si128((const __m128i*)at); }
template <int N> static inline void net_active(const Net* net, const List<uint16_t, N>& bits, int16_t* sums) {
  const int16_t *bias = net->weights + FIRST_BIAS, *first = net->weights + FIRST;
  __m128i at[UNITS / 8];
  for (int j = 0; j < UNITS / 8; j++) at[j] = eight(bias + 8 * j);
  for (int i = 0; i < bits.n; i++) {
    const int16_t* row = first + (int64_t)bits.at[i] * UNITS;
#pragma GCC unroll 8
    for (int j = 0; j < UNITS / 8; j++) at[j] = _mm_add_epi16(at[j], eight(row + 8 * j));
  }
  __m128i most = _mm_set1_epi16((int16_t)MOST_SUM), zero = _mm_setzero_si128();
  for (int j = 0; j < UNITS / 8; j++)
    _mm_storeu_si128((__m128i*)(sums + 8 * j), _mm_min_epi16(_mm_max_epi16(at[j], zero), most));
}
template <int N> static inline void net_through(const int16_t* weights, const int16_t* bias, const int16_t* sums,
                                                int32_t* out) {
  __m128i at[N / 4];
  for (int j = 0; j < N / 4; j++) at[j] = _mm_setzero_si128();
  for (int i = 0; i < UNITS; i += 2) {
    int32_t two;
    memcpy(&two, sums + i, 4);
    if (two == 0) continue;
    __m128i both = _mm_set1_epi32(two);
#pragma GCC unroll 8
    for (int j = 0; j < N / 4; j++)
      at[j] = _mm_add_epi32(at[j], _mm_madd_epi16(both, eight(weights + i * N + 8 * j)));
  }
  for (int j = 0; j < N / 4; j++) _mm_storeu_si128((__m128i*)(out + 4 * j), at[j]);
  for (int j = 0; j < N; j++) out[j] += 256 * bias[j];
}
static inline int64_t net_dot(const int16_t* question, const int16_t* a, const int16_t* b) {
  __m128i sum = _mm_setzero_si128();
  for (int j = 0; j < QUERY_SIZE; j += 8)
    sum = _mm_add_epi32(sum, _mm_madd_epi16(eight(question + j), _mm_add_epi16(eight(a + j), eight(b + j))));
  int32_t four[4];
  _mm_storeu_si128((__m128i*)four, sum);
  return (int64_t)four[0] + four[1] + four[2] + four[3];
}
#else
template <int N> static inline void net_active(const Net* net, const List<uint16_t, N>& bits, int16_t* sums) {
  const int16_t* bias = net->weights + FIRST_BIAS;
  uint16_t at[UNITS];
  for (int j = 0; j < UNITS; j++) at[j] = (uint16_t)bias[j];
  for (int i = 0; i < bits.n; i++) {
    const int16_t* row = net->weights + FIRST + (int64_t)bits.at[i] * UNITS;
    for (int j = 0; j < UNITS; j++) at[j] = (uint16_t)(at[j] + (uint16_t)row[j]);
  }
  for (int j = 0; j < UNITS; j++) {
    int16_t sum = (int16_t)at[j];
    sum = sum < 0 ? 0 : sum;
    sums[j] = sum > MOST_SUM ? (int16_t)MOST_SUM : sum;
  }
}
template <int N> static inline void net_through(const int16_t* weights, const int16_t* bias, const int16_t* sums,
                                                int32_t* out) {
  for (int j = 0; j < N; j++) out[j] = 256 * bias[j];
  for (int i = 0; i < UNITS; i += 2) {
    const int16_t* pair = weights + i * N;
    for (int j = 0; j < N; j++) out[j] += sums[i] * pair[2 * j] + sums[i + 1] * pair[2 * j + 1];
  }
}
static inline int64_t net_dot(const int16_t* question, const int16_t* a, const int16_t* b) {
  int64_t sum = 0;
  for (int j = 0; j < QUERY_SIZE; j++) sum += (int64_t)question[j] * (a[j] + b[j]);
  return sum;
}
#endif
template <int N> static inline int64_t net_value(const Net* net, const List<uint16_t, N>& bits) {
  int16_t sums[UNITS];
  int32_t inner[INNER];
  net_active(net, bits, sums);
  net_through<INNER>(net->weights + SECOND, net->weights + SECOND_BIAS, sums, inner);
  const int16_t* third = net->weights + THIRD;
  int64_t said = (int64_t)net->weights[THIRD_BIAS] * 256;
  for (int j = 0; j < INNER; j++) said += (int64_t)(inner[j] > 0 ? inner[j] >> 8 : 0) * third[j];
  int64_t at = max_of((int64_t)0, min_of(said + 524288, (int64_t)1048576)), low = LIST_LOGISTIC[at >> 11];
  return low + ((LIST_LOGISTIC[(at >> 11) + 1] - low) * (at & 2047) >> 11);
}
template <int N, int M> static inline void net_policy_query(const Net* net, const List<uint16_t, N>& bits,
                                                        List<int16_t, M>& question) {
  int16_t sums[UNITS];
  int32_t inner[QUERY_SIZE];
  net_active(net, bits, sums);
  net_through<QUERY_SIZE>(net->weights + QUERY, net->weights + QUERY_BIAS, sums, inner);
  question.n = QUERY_SIZE;
  for (int j = 0; j < QUERY_SIZE; j++)
    question.at[j] = (int16_t)max_of(-MOST_QUERY, min_of((int64_t)(inner[j] >> 8), MOST_QUERY));
}
template <int M> static inline int64_t net_policy_logit(const Net* net, const List<int16_t, M>& question, int64_t row,
                                                    int64_t shown) {
  int64_t sum = net_dot(question.at, net->weights + OPTION + row * QUERY_SIZE, net->weights + SHOWN + shown * QUERY_SIZE);
  return (sum >> 8) + net->weights[OPTION_BIAS + row];
}
static inline int64_t net_heuristic_weight(const Net* net, int64_t kind) { return net->weights[HEURISTIC_WEIGHT + kind]; }

#ifdef __CUDACC__
// There is no search on a GPU.
static inline Node* make_Node(State*) { return nullptr; }
template <class T> static inline void append(State*, Grown<T>&, T*) {}
#else
// The memory of a search: an arena, freed as a whole.
struct Tree {
  static constexpr size_t BLOCK = 1 << 18;
  std::vector<char*> blocks;
  size_t used = BLOCK;
  ~Tree() {
    for (char* block : blocks) free(block);
  }
  void* take(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (used + size > BLOCK) {
      blocks.push_back((char*)calloc(1, size > BLOCK ? size : BLOCK));
      used = 0;
    }
    used += size;
    return blocks.back() + used - size;
  }
  template <class T> void append(Grown<T>& l, T* v) {
    if (l.n == l.room) {
      T** old = l.at;
      l.room = l.room ? 2 * l.room : 4;
      l.at = (T**)take(l.room * sizeof(T*));
      if (l.n) memcpy(l.at, old, l.n * sizeof(T*));
    }
    l.at[l.n++] = v;
  }
};
static inline Node* make_Node(State* S) { return (Node*)S->tree->take(sizeof(Node)); }
template <class T> static inline void append(State* S, Grown<T>& l, T* v) { S->tree->append(l, v); }
#endif

// Events: count only the actions declared by each player, and raised ones that take effect.
static inline void report(State* S, int64_t kind, int64_t player, int64_t action) {
  if (kind != DECLARED && kind != RESOLVING) return;
  if (S->uses == nullptr) return;
  if (kind == RESOLVING && !S->pool_Request[S->active].raised) return;
  S->uses[player * PLANS + action]++;
}
