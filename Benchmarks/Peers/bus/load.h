/* What the peers of the bus have in common: making load, and measuring time and processor use. */
#ifndef ASSENT_BUS_LOAD_H
#define ASSENT_BUS_LOAD_H

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench.h"

namespace load {

/* The load to make: a client sends `in_flight` calls at once, or one each 1/pace seconds, for `seconds`. */
struct Shape {
  int in_flight;
  size_t bytes;
  double seconds;
  double pace;
};

inline const Shape unary64 = {64, 128, 1.0, 0};
inline const Shape unary1 = {1, 128, 0.7, 0};
inline const Shape paced = {64, 128, 1.0, 1000};
inline const Shape large = {16, 64 * 1024, 1.0, 0};

/* Ends this peer because an answer is not the one that was asked for: BenchKit reads why, and has no figure. */
[[noreturn]] inline void give_up(const std::string &why) {
  printf("%s\n", why.c_str());
  exit(1);
}

/* The measured result. */
struct Result {
  double per_second = 0;
  std::vector<double> microseconds;

  /* By nearest rank, as BenchKit has it. */
  double percentile(double share) {
    if (microseconds.empty()) return 0;
    std::sort(microseconds.begin(), microseconds.end());
    size_t rank = (size_t)std::ceil(share * (double)microseconds.size());
    return microseconds[rank > 0 ? rank - 1 : 0];
  }
};

/* Decides when a call may begin and records how long it took. */
class Meter {
 public:
  explicit Meter(const Shape &shape) : shape_(shape), begin_(bench_now()) {}

  /* With paced load, all calls have to be begun that were due: those that a slow answer held back count as well. */
  bool is_over() const {
    if (is_finished_) return true;
    if (shape_.pace > 0) return (double)started_ >= shape_.seconds * shape_.pace;
    return bench_now() - begin_ > shape_.seconds * 1e9;
  }

  /* Whether one more call may begin now. */
  bool may_begin() {
    if (is_over() || open_ >= shape_.in_flight) return false;
    return shape_.pace == 0 || bench_now() >= next_start();
  }

  /* Nanoseconds until the next paced call is due; -1 when only an answer can bring the next. A client sleeps as long:
     one that looks again and again would keep a core awake for its answers. */
  long nanoseconds_to_wait() const {
    if (is_over()) return open_ == 0 ? 0 : -1;
    if (shape_.pace == 0 || open_ >= shape_.in_flight) return -1;
    double wait = next_start() - bench_now();
    return wait < 0 ? 0 : (long)wait;
  }

  /* Begins no further call, because there is none, or because one has failed. */
  void finish() { is_finished_ = true; }

  double begin() {
    open_++;
    double now = bench_now();
    /* With paced load, latency counts from the time at which a call was due, so a late start counts too. */
    double due = shape_.pace == 0 ? now : next_start();
    started_++;
    return due;
  }

  void end(double start) {
    open_--;
    ended_++;
    result_.microseconds.push_back((bench_now() - start) / 1e3);
  }

  bool is_idle() const { return open_ == 0; }

  Result result() {
    result_.per_second = (double)ended_ / ((bench_now() - begin_) / 1e9);
    return result_;
  }

 private:
  double next_start() const { return begin_ + (double)started_ * 1e9 / shape_.pace; }

  Shape shape_;
  double begin_;
  bool is_finished_ = false;
  int open_ = 0;
  long started_ = 0, ended_ = 0;
  Result result_;
};

/* A time of `nanoseconds` for system calls; null when there is no end to it. */
inline const timespec *wait_of(long nanoseconds, timespec &memory) {
  if (nanoseconds < 0) return nullptr;
  memory = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return &memory;
}

/* Processor seconds that a process has used. */
inline double processor_seconds(pid_t process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[count] = 0;
  unsigned long user = 0, system = 0;
  sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Microseconds of one process per call of `run`. */
template <typename Run>
double processor_per_call(pid_t process, Run run) {
  double before = processor_seconds(process);
  Result result = run();
  if (result.microseconds.empty()) return 0;
  return (processor_seconds(process) - before) * 1e6 / (double)result.microseconds.size();
}

/* A free port of the loopback interface: the system chooses it for a socket that is closed again at once. */
inline int free_port() {
  int probe = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(probe, (struct sockaddr *)&address, size) != 0 || getsockname(probe, (struct sockaddr *)&address, &size) != 0) {
    perror("a free port");
    exit(1);
  }
  close(probe);
  return ntohs(address.sin_port);
}

/* Runs `body` in a process of its own that ends with this one. */
template <typename Body>
pid_t in_process(Body body) {
  pid_t child = fork();
  if (child == 0) {
    /* Only the parent removes the folder. */
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fclose(stdin);
    body();
    _exit(0);
  }
  return child;
}

/* Starts a program that ends with this one; its output goes to `log`. */
inline pid_t program(std::vector<std::string> words, const std::string &log) {
  return in_process([&] {
    /* SIGTERM and not SIGKILL, since the program may have processes of its own to end. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!freopen(log.c_str(), "w", stdout) || !freopen(log.c_str(), "a", stderr)) _exit(126);
    std::vector<char *> arguments;
    for (auto &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  });
}

/* A temporary folder that is removed at the end, also when the benchmark ends and kills this process. */
class Folder {
 public:
  Folder() {
    path = mkdtemp(template_);
    signal(SIGTERM, [](int) { exit(0); });
  }
  ~Folder() {
    std::string command = "rm -rf " + path;
    if (system(command.c_str()) != 0) fprintf(stderr, "%s is left behind\n", path.c_str());
  }
  std::string path;

 private:
  char template_[32] = "/tmp/assent-peer-XXXXXX";
};

inline void stop(pid_t process) {
  if (process <= 0) return;
  kill(process, SIGTERM);
  for (int i = 0; i < 100; i++) {
    if (waitpid(process, nullptr, WNOHANG) != 0) return;
    usleep(10000);
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace load

#endif
