// The same functions on a GPU: the same generated rules, one thread per game, the games of a warp in parallel.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// All functions of the header run on the GPU.
#define static static __device__
#include "games.h"
#undef static

#ifndef BLOCK
#define BLOCK 128
#endif

// Counts of the steps of all threads: decisions, starts, ends, and idle steps. They must add up to all steps.
enum { STEPS, DECISIONS, STARTS, ENDS, IDLE, COUNTS };
static unsigned long long counted[COUNTS];
static float milliseconds;

static bool failed(cudaError_t error, const char* what) {
  if (error != cudaSuccess) fprintf(stderr, "blackpoker: %s: %s\n", what, cudaGetErrorString(error));
  return error != cudaSuccess;
}

// The job of a launch: whole games, or repeated play-outs of one game.
struct Job {
  const Tables* tables;
  const State* starts;
  const int64_t* seeds;  // null for play-outs
  int64_t stride, n, stream, seed, noise;
  const PositionSummary* policy;
  Result* out;
  uint32_t* uses;
  unsigned long long* counts;
};

static __device__ void start(const Job& job, State* S, Shuffler* dice, Result* result, int64_t i) {
  memcpy(S, job.starts + job.stride * i, sizeof(State));
  S->tables = job.tables;
  S->uses = job.uses == nullptr ? nullptr : job.uses + i * 2 * PLANS;
  S->tree = nullptr;
  *result = Result{};
  if (job.seeds == nullptr) {
    dice->state = seeded((uint64_t)(job.seed + i));
    result->first = S->turn;
    return;
  }
  result->hash = 0xcbf29ce484222325ull;
  if (job.stride == 0) S->source.state = seeded((uint64_t)job.seeds[i]);
  dice->state = seeded((uint64_t)job.seeds[i] + (uint64_t)job.stream);
}

// Play one decision, at random or by noisy heuristics; choices of the set-up are not counted.
template <bool HASHED, bool THINKS>
static __device__ void decide(const Job& job, State* S, Shuffler* dice, Result* result, PositionSummary* policy,
                              List<int32_t, 112>* scratch, bool* begun) {
  int64_t n = S->options.n, option = S->options.at[0];
  bool setup = !*begun && S->winner == UNDECIDED && S->point < CHANCE;
  if (!setup) {
    if (!*begun) result->first = S->turn;
    *begun = true;
    result->decisions++;
    result->forced += n == 1;
  }
  if (THINKS && n > 1) option = scorer_noisy_option(S, policy, *scratch, job.noise, dice);
  else if (n > 1 || setup) option = S->options.at[Shuffler_below(S, dice, n)];
  step<HASHED>(S, result, option);
}

// The lanes of a warp synchronise once per decision; a lane with a finished game starts the next one meanwhile.
template <bool HASHED, bool THINKS> __global__ void __launch_bounds__(BLOCK) playing(Job job) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, all = (int64_t)gridDim.x * blockDim.x;
  State S;
  Shuffler dice;
  Result result;
  PositionSummary policy;
  List<int32_t, 112> scratch;
  if (THINKS) memcpy(&policy, job.policy, sizeof(PositionSummary));
  bool fresh = true, begun = false;
  unsigned long long mine[COUNTS] = {};
  for (;;) {
    __syncwarp();
    if (!__any_sync(0xffffffffu, i < job.n)) break;
    bool begins = false;
    if (i >= job.n) {
      mine[IDLE]++;
    } else if (fresh) {
      start(job, &S, &dice, &result, i);
      fresh = false;
      begun = job.seeds == nullptr;
      begins = !begun;
      mine[STARTS]++;
    } else if (S.options.n == 0 || S.outgrown) {
      if (!begun) result.first = S.turn;
      result.winner = S.winner;
      result.turns = S.turn_number;
      result.outgrown = S.outgrown;
      job.out[i] = result;
      i += all;
      fresh = true;
      mine[ENDS]++;
    } else {
      decide<HASHED, THINKS>(job, &S, &dice, &result, &policy, &scratch, &begun);
      mine[DECISIONS]++;
    }
    __syncwarp();
    if (begins) State_advance(&S);
    mine[STEPS]++;  // at the end: built by nvcc 13.0, counting at the beginning gave a wrong (higher) count
  }
  for (int k = 0; k < COUNTS; k++) atomicAdd(job.counts + k, mine[k]);
}

// Memory of the GPU, freed by the destructor.
struct Here {
  void* at = nullptr;
  ~Here() { cudaFree(at); }
  template <class T> const T* take(const T* from, int64_t n) {
    if (failed(cudaMalloc(&at, n * sizeof(T)), "no room on the GPU")) return nullptr;
    if (from == nullptr) cudaMemset(at, 0, n * sizeof(T));
    else cudaMemcpy(at, from, n * sizeof(T), cudaMemcpyHostToDevice);
    return (const T*)at;
  }
};

template <bool HASHED, bool THINKS>
static bool play(Job job, const Tables* tables, const State* starts, const int64_t* seeds, const PositionSummary* policy,
                 Result* out, uint32_t* uses, int64_t threads) {
  Here a, b, c, d, e, f, g;
  job.tables = a.take(tables, 1);
  job.starts = b.take(starts, job.stride ? job.n : 1);
  job.seeds = seeds == nullptr ? nullptr : c.take(seeds, job.n);
  job.policy = policy == nullptr ? nullptr : d.take(policy, 1);
  job.out = (Result*)e.take((const Result*)nullptr, job.n);
  job.uses = uses == nullptr ? nullptr : (uint32_t*)f.take((const uint32_t*)nullptr, job.n * 2 * PLANS);
  job.counts = (unsigned long long*)g.take((const unsigned long long*)nullptr, COUNTS);
  if (job.tables == nullptr || job.starts == nullptr || job.out == nullptr || job.counts == nullptr) return false;
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);
  int blocks = (int)(((job.n < threads ? job.n : threads) + BLOCK - 1) / BLOCK);
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  cudaEventRecord(before);
  playing<HASHED, THINKS><<<blocks, BLOCK>>>(job);
  cudaEventRecord(after);
  if (failed(cudaDeviceSynchronize(), "the GPU stopped")) return false;
  cudaEventElapsedTime(&milliseconds, before, after);
  cudaMemcpy(out, job.out, job.n * sizeof(Result), cudaMemcpyDeviceToHost);
  if (uses) cudaMemcpy(uses, job.uses, job.n * 2 * PLANS * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  cudaMemcpy(counted, job.counts, sizeof(counted), cudaMemcpyDeviceToHost);
  if (counted[STEPS] == counted[DECISIONS] + counted[STARTS] + counted[ENDS] + counted[IDLE]) return true;
  fprintf(stderr, "blackpoker: a loop on the GPU has lost count\n");
  return false;
}

// If the launch failed, leave all games to Python.
static void finish(bool whole, Result* out, int64_t n) {
  for (int64_t i = 0; !whole && i < n; i++) out[i].outgrown = 1;
}

extern "C" {

extern const char* const blackpoker_made_from;
const char* const blackpoker_made_from = MADE_FROM;
extern const int64_t* const blackpoker_layout;
const int64_t* const blackpoker_layout = LAYOUT;

void blackpoker_sizes(int64_t* out) {
  const int64_t sizes[] = {sizeof(LAYOUT) / sizeof(int64_t), sizeof(Result), sizeof(Level), PLANS};
  memcpy(out, sizes, sizeof(sizes));
}

// Return the milliseconds of the last kernel and write its counts of steps.
double blackpoker_gpu_counts(unsigned long long* out) {
  memcpy(out, counted, sizeof(counted));
  return milliseconds;
}

// The same as on the CPU; ``threads`` is the number of GPU threads.
void blackpoker_games(const Tables* tables, const State* starts, int64_t stride, const int64_t* seeds, int64_t n,
                      int64_t stream, int64_t threads, int64_t hashed, Result* out, uint32_t* uses) {
  Job job = {};
  job.stride = stride, job.n = n, job.stream = stream;
  finish(hashed ? play<true, false>(job, tables, starts, seeds, nullptr, out, uses, threads)
                : play<false, false>(job, tables, starts, seeds, nullptr, out, uses, threads), out, n);
}

void blackpoker_playouts(const Tables* tables, const State* start, int64_t n, int64_t seed, int64_t threads,
                         int64_t noise, const PositionSummary* policy, Result* out) {
  Job job = {};
  job.n = n, job.seed = seed, job.noise = noise;
  finish(noise ? play<false, true>(job, tables, start, nullptr, policy, out, nullptr, threads)
               : play<false, false>(job, tables, start, nullptr, nullptr, out, nullptr, threads), out, n);
}
}
