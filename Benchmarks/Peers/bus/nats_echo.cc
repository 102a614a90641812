// NATS request and reply through nats-server: client, server and worker, each a process.
#include <nats/nats.h>

#include <condition_variable>
#include <mutex>

#include "load.h"

namespace {

load::Folder folder;
std::string url;
pid_t server, worker;

/* The library gathers messages for a millisecond before it sends them, which serves many calls in flight and ruins
   single ones: each kind of load gets the connection that suits it. */
struct Way {
  const char *subject, *inbox;
  bool sends_at_once;
  natsConnection *connection;
};
Way gathering = {"gathered", "gathered_answers", false, nullptr}, hasty = {"at_once", "at_once_answers", true, nullptr};

natsConnection *connect(bool sends_at_once) {
  natsOptions *options;
  natsConnection *made = nullptr;
  natsOptions_Create(&options);
  natsOptions_SetURL(options, url.c_str());
  natsOptions_SetSendAsap(options, sends_at_once);
  for (int i = 0; i < 500; i++) {
    if (natsConnection_Connect(&made, options) == NATS_OK) return made;
    usleep(20000);
  }
  fprintf(stderr, "nats-server does not answer\n");
  _exit(1);
}

void answer(natsConnection *made, natsSubscription *, natsMsg *message, void *) {
  natsConnection_Publish(made, natsMsg_GetReply(message), natsMsg_GetData(message), natsMsg_GetDataLength(message));
  natsMsg_Destroy(message);
}

void run_worker() {
  natsSubscription *subscription;
  for (Way *way : {&gathering, &hasty})
    natsConnection_Subscribe(&subscription, connect(way->sends_at_once), way->subject, answer, nullptr);
  pause();
}

/* Answers come on a thread of the library's; the load waits for them here. */
std::mutex guard;
std::condition_variable arrived;
std::vector<double> starts;
size_t expected = 8;
bool is_wrong = false;

void collect(natsConnection *, natsSubscription *, natsMsg *message, void *) {
  double start = 0;
  size_t size = (size_t)natsMsg_GetDataLength(message);
  if (size >= sizeof start) memcpy(&start, natsMsg_GetData(message), sizeof start);
  {
    std::lock_guard<std::mutex> lock(guard);
    if (size != expected || natsMsg_GetData(message)[size - 1] != 7) is_wrong = true;
    starts.push_back(start);
  }
  arrived.notify_one();
  natsMsg_Destroy(message);
}

load::Result run(const load::Shape &shape, Way &way) {
  /* The time at which the call began comes back with it, and so does the rest. */
  std::vector<char> payload(shape.bytes, 7);
  std::vector<double> ended;
  {
    std::lock_guard<std::mutex> lock(guard);
    expected = shape.bytes;
  }
  load::Meter meter(shape);
  while (!meter.is_over() || !meter.is_idle()) {
    while (meter.may_begin()) {
      double start = meter.begin();
      memcpy(payload.data(), &start, sizeof start);
      natsConnection_PublishRequest(way.connection, way.subject, way.inbox, payload.data(), (int)payload.size());
    }
    {
      std::unique_lock<std::mutex> lock(guard);
      long wait = meter.nanoseconds_to_wait();
      if (wait < 0 && !meter.is_idle()) arrived.wait(lock, [] { return !starts.empty(); });
      else if (wait > 0) arrived.wait_for(lock, std::chrono::nanoseconds(wait), [] { return !starts.empty(); });
      ended.swap(starts);
      if (is_wrong) load::give_up("another answer came");
    }
    for (double start : ended) meter.end(start);
    ended.clear();
  }
  return meter.result();
}

double unary64() { return run(load::unary64, gathering).per_second; }
double large() { return run(load::large, gathering).per_second; }
double unary1_p50() { return run(load::unary1, hasty).percentile(0.5); }
double paced_p50() { return run(load::paced, hasty).percentile(0.5); }
double paced_p99() { return run(load::paced, hasty).percentile(0.99); }
double cpu_client() { return load::processor_per_call(getpid(), [] { return run(load::unary64, gathering); }); }
double cpu_middle() { return load::processor_per_call(server, [] { return run(load::unary64, gathering); }); }
double cpu_worker() { return load::processor_per_call(worker, [] { return run(load::unary64, gathering); }); }

const bench_case cases[] = {
    {"unary64", nullptr, unary64},       {"large", nullptr, large},           {"unary1_p50", nullptr, unary1_p50},
    {"paced_p50", nullptr, paced_p50},   {"paced_p99", nullptr, paced_p99},   {"cpu_client", nullptr, cpu_client},
    {"cpu_middle", nullptr, cpu_middle}, {"cpu_worker", nullptr, cpu_worker}, {nullptr, nullptr, nullptr}};

}  // namespace

int main() {
  std::string port = std::to_string(load::free_port());
  url = "nats://127.0.0.1:" + port;
  server = load::program({"nats-server", "-a", "127.0.0.1", "-p", port}, folder.path + "/log");
  worker = load::in_process(run_worker);
  for (Way *way : {&gathering, &hasty}) {
    way->connection = connect(way->sends_at_once);
    natsSubscription *subscription;
    natsConnection_Subscribe(&subscription, way->connection, way->inbox, collect, nullptr);
    /* Until the worker has subscribed, nobody answers. */
    natsMsg *reply = nullptr;
    while (natsConnection_Request(&reply, way->connection, way->subject, "        ", 8, 100) != NATS_OK) {}
    natsMsg_Destroy(reply);
    run({1, 128, 0.2, 0}, *way);
  }
  int status = bench_serve(cases);
  load::stop(worker);
  load::stop(server);
  return status;
}
