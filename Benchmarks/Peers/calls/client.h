/* What the clients of scripts/bench calls have in common: the calls to make, which a file has, and their figures.
 *
 * The cases: `run IN_FLIGHT MILLISECONDS METHOD FILE` makes the calls of FILE to the path METHOD and answers with their
 * rate; `p50`, `p99` and `count` tell more of the last run. */
#ifndef ASSENT_CALLS_CLIENT_H
#define ASSENT_CALLS_CLIENT_H

#include <stdint.h>

#include <fstream>
#include <iterator>

#include "bus/load.h"

namespace calls {

/* One of the calls in flight: it makes the calls of a walk in order, and then those of the next walk. */
struct Lane {
  size_t walk = 0, call = SIZE_MAX;
  double start = 0;
};

/* The requests of a file: walks with equally many calls each. */
class Work {
 public:
  /* Whether the walks begin again after the last one, and whether each request has a key of its own. */
  bool has_cycle = false, has_keys = false;
  /* How long an answer is at least; a shorter one is not the one that was asked for. */
  size_t least = 1;

  explicit Work(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    size_t place = 0;
    auto number = [&] {
      uint32_t value = 0;
      if (place + sizeof value <= bytes.size()) memcpy(&value, bytes.data() + place, sizeof value);
      place += sizeof value;
      return value;
    };
    has_cycle = number() != 0;
    has_keys = number() != 0;
    least = number();
    calls_ = number();
    while (place < bytes.size()) {
      uint32_t size = number();
      requests_.push_back(bytes.substr(std::min(place, bytes.size()), size));
      place += size;
    }
  }

  /* The next request of a lane; null when there is none. */
  const std::string *next(Lane &lane) {
    if (lane.call >= calls_) {
      size_t walks = calls_ == 0 ? 0 : requests_.size() / calls_;
      if (next_walk_ >= walks && has_cycle) next_walk_ = 0;
      if (next_walk_ >= walks) return nullptr;
      lane.walk = next_walk_++;
      lane.call = 0;
    }
    return &requests_[lane.walk * calls_ + lane.call++];
  }

 private:
  size_t calls_ = 0, next_walk_ = 0;
  std::vector<std::string> requests_;
};

/* The lines of a file: API keys. As many walks as keys after a walk, its caller is the same again. */
inline std::vector<std::string> lines(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.empty()) load::give_up(path + " has no key");
  return lines;
}

/* A key that no other call has. */
inline std::string idempotency_key() {
  static long count;
  return "bench-" + std::to_string(getpid()) + "-" + std::to_string((long)bench_now()) + "-" + std::to_string(count++);
}

inline load::Result last;

/* The client's case `run`. */
template <auto run>
double measured() {
  char method[256], file[512];
  load::Shape shape = {1, 0, 0, 0};
  double milliseconds = 0;
  if (sscanf(bench_argument, "%d %lf %255s %511s", &shape.in_flight, &milliseconds, method, file) != 4) return 0;
  shape.seconds = milliseconds / 1e3;
  Work work(file);
  try {
    last = run(shape, std::string(method), work);
    return last.microseconds.empty() ? 0 : last.per_second;
  } catch (const std::string &why) {
    snprintf(bench_failure, sizeof bench_failure, "%s", why.empty() ? "no reason" : why.c_str());
    return 0;
  }
}

/* Serves the cases of a client whose `run(shape, method, work)` throws a std::string when it cannot go on. */
template <auto run>
int serve() {
  static const bench_case cases[] = {{"run", nullptr, measured<run>},
                                     {"p50", nullptr, [] { return last.percentile(0.5); }},
                                     {"p99", nullptr, [] { return last.percentile(0.99); }},
                                     {"count", nullptr, [] { return (double)last.microseconds.size(); }},
                                     {nullptr, nullptr, nullptr}};
  return bench_serve(cases);
}

}  // namespace calls

#endif
