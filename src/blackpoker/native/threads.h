// Work over several threads. Threads are reused: creating one takes longer than a step of some hundred games.
#pragma once

#ifdef __wasm__
// A page uses several workers instead, each with its own library.
template <class F> static void over_threads(int64_t n, int64_t, F each) {
  for (int64_t i = 0; i < n; i++) each(i);
}
#else

class Helpers {
 public:
  // Call each(0) … each(n - 1) from the caller and up to threads - 1 helpers. A concurrent second caller gets none.
  template <class F> void share(int64_t n, int64_t threads, F each) {
    std::unique_lock<std::mutex> mine(caller, std::defer_lock);
    if (threads < 2 || n < 2 || !mine.try_lock()) {
      for (int64_t i = 0; i < n; i++) each(i);
      return;
    }
    std::atomic<int64_t> next{0};
    auto all = [&] {
      for (int64_t i; (i = next.fetch_add(1)) < n;) each(i);
    };
    std::unique_lock<std::mutex> lock(guard);
    work = all;
    for (wanted = std::min(threads, n) - 1; hired < wanted; hired++) std::thread([this] { help(); }).detach();
    calls++;
    lock.unlock();
    called.notify_all();
    all();
    lock.lock();
    wanted = 0;  // no helper may start now
    lock.unlock();
    for (int i = 0; busy != 0; i++) i < WATCHED ? pause() : std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

 private:
  void help() {
    for (int64_t heard = 0;;) {
      // Steps follow each other closely: spin for a while, then sleep.
      for (int i = 0; i < WATCHED && calls == heard; i++) pause();
      std::unique_lock<std::mutex> lock(guard);
      called.wait(lock, [&] { return calls != heard; });
      heard = calls;
      if (wanted == 0) continue;
      wanted--;
      busy++;
      lock.unlock();
      work();
      busy--;
    }
  }

  static constexpr int WATCHED = 2000;  // about 30 µs

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  std::mutex caller, guard;
  std::condition_variable called;
  std::function<void()> work;
  std::atomic<int64_t> calls{0}, busy{0};
  int64_t wanted = 0, hired = 0;
};

// A forked process has only its own thread, so it starts with new helpers. Helpers are never destroyed: an exiting
// process does not wait for them.
static Helpers* helpers = new Helpers;
static const int forgotten = pthread_atfork(nullptr, nullptr, [] { helpers = new Helpers; });

template <class F> static void over_threads(int64_t n, int64_t threads, F each) { helpers->share(n, threads, each); }
#endif
