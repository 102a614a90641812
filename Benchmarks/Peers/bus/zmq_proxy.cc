// libzmq's own proxy between a client and a worker, each a process: what a router costs that looks at nothing.
//
// Arguments: plain (ipc sockets) or curve (TCP with keys). One frame a message from the client, as the bus has it.
#include <poll.h>
#include <zmq.h>

#include <cassert>

#include "load.h"

namespace {

struct Keys {
  char open[41], secret[41];
  Keys() { zmq_curve_keypair(open, secret); }
};

load::Folder folder;
bool is_curve;
Keys server_keys, peer_keys;
std::string front, back;
pid_t proxy, worker;

void *make_socket(void *context, int type, bool is_server) {
  void *socket = zmq_socket(context, type);
  int one = 1, linger = 0;
  zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
  if (is_curve && is_server) {
    zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &one, sizeof one);
    zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, server_keys.secret, 41);
  } else if (is_curve) {
    zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server_keys.open, 41);
    zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, peer_keys.open, 41);
    zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, peer_keys.secret, 41);
  }
  return socket;
}

void run_proxy() {
  void *context = zmq_ctx_new();
  void *clients = make_socket(context, ZMQ_ROUTER, true);
  void *workers = make_socket(context, ZMQ_DEALER, true);
  if (zmq_bind(clients, front.c_str()) != 0 || zmq_bind(workers, back.c_str()) != 0) _exit(1);
  zmq_proxy(clients, workers, nullptr);
}

void run_worker() {
  void *context = zmq_ctx_new();
  void *socket = make_socket(context, ZMQ_ROUTER, false);
  zmq_connect(socket, back.c_str());
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (;;) {
    if (zmq_msg_recv(&message, socket, 0) < 0) continue;
    zmq_msg_send(&message, socket, zmq_msg_more(&message) ? ZMQ_SNDMORE : 0);
  }
}

void *client_socket;

/* Waits for an answer; zmq_poll knows only milliseconds. */
void sleep_for(long nanoseconds) {
  int events = 0, descriptor = -1;
  size_t size = sizeof events;
  zmq_getsockopt(client_socket, ZMQ_EVENTS, &events, &size);
  if (events & ZMQ_POLLIN) return;
  zmq_getsockopt(client_socket, ZMQ_FD, &descriptor, &size);
  pollfd item = {descriptor, POLLIN, 0};
  timespec wait;
  ppoll(&item, 1, load::wait_of(nanoseconds, wait), nullptr);
}

load::Result run(const load::Shape &shape) {
  /* The time at which the call began comes back with it, and so does the rest. */
  std::vector<char> payload(shape.bytes, 7), answer(shape.bytes);
  load::Meter meter(shape);
  while (!meter.is_over() || !meter.is_idle()) {
    while (meter.may_begin()) {
      double start = meter.begin();
      memcpy(payload.data(), &start, sizeof start);
      zmq_send(client_socket, payload.data(), payload.size(), 0);
    }
    sleep_for(meter.is_idle() && meter.is_over() ? 0 : meter.nanoseconds_to_wait());
    for (int size; (size = zmq_recv(client_socket, answer.data(), answer.size(), ZMQ_DONTWAIT)) >= 0;) {
      if ((size_t)size != shape.bytes || answer.back() != 7) load::give_up("another answer came");
      answer.back() = 0;
      double start;
      memcpy(&start, answer.data(), sizeof start);
      meter.end(start);
      if (meter.may_begin()) break;
    }
  }
  return meter.result();
}

double unary64() { return run(load::unary64).per_second; }
double large() { return run(load::large).per_second; }
double unary1_p50() { return run(load::unary1).percentile(0.5); }
double paced_p50() { return run(load::paced).percentile(0.5); }
double paced_p99() { return run(load::paced).percentile(0.99); }
double cpu_client() { return load::processor_per_call(getpid(), [] { return run(load::unary64); }); }
double cpu_middle() { return load::processor_per_call(proxy, [] { return run(load::unary64); }); }
double cpu_worker() { return load::processor_per_call(worker, [] { return run(load::unary64); }); }

const bench_case cases[] = {
    {"unary64", nullptr, unary64},       {"large", nullptr, large},           {"unary1_p50", nullptr, unary1_p50},
    {"paced_p50", nullptr, paced_p50},   {"paced_p99", nullptr, paced_p99},   {"cpu_client", nullptr, cpu_client},
    {"cpu_middle", nullptr, cpu_middle}, {"cpu_worker", nullptr, cpu_worker}, {nullptr, nullptr, nullptr}};

}  // namespace

int main(int count, char **arguments) {
  is_curve = count > 1 && strcmp(arguments[1], "curve") == 0;
  front = is_curve ? "tcp://127.0.0.1:" + std::to_string(load::free_port()) : "ipc://" + folder.path + "/front";
  back = is_curve ? "tcp://127.0.0.1:" + std::to_string(load::free_port()) : "ipc://" + folder.path + "/back";
  proxy = load::in_process(run_proxy);
  worker = load::in_process(run_worker);
  client_socket = make_socket(zmq_ctx_new(), ZMQ_DEALER, false);
  zmq_connect(client_socket, front.c_str());
  run({1, 128, 0.2, 0});
  int status = bench_serve(cases);
  load::stop(worker);
  load::stop(proxy);
  return status;
}
