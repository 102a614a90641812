// Calls by HTTP/1.1 POST over 64 connections, to a gateway or to a peer that this program starts.
//
// Arguments: FOLDER gateway PORT KEY | FOLDER credentials PORT FILE | FOLDER hello | FOLDER nginx | FOLDER
// grpc_gateway PROGRAM. FOLDER has the bodies of requests; nginx stands before a hello; FILE has a key or token on
// each line, of which each request takes the next one, and a single one serves all; PROGRAM is grpc_gateway.go,
// built.
#include <microhttpd.h>

#include <fstream>
#include <memory>

#include "bus/load.h"
#include "bus/nginx.h"
#include "http/connection.h"

namespace {

std::string bodies, mode;
std::vector<std::string> keys = {""};
size_t next_key;
int port;
pid_t server, proxy;

/* What is called, what a request for it says, and whether its answer is the one that was asked for. Answers in JSON
   differ in what they leave out and in their blanks; what they are about is at their end. */
struct Call {
  const char *method;
  const char *body;
  const char *type;
  bool (*is_answer)(const char *answer, size_t length, const std::string &body);
};

const Call proto128 = {"IdempotentUnaryCall", "proto128", "application/proto",
                       [](const char *, size_t length, const std::string &) { return length >= 128 && length < 512; }};
const Call proto1k = {"EchoMixed", "proto1k", "application/proto",
                      [](const char *answer, size_t length, const std::string &body) {
                        return length == body.size() && memcmp(answer, body.data(), length) == 0;
                      }};
const Call json1k = {"EchoMixed", "json1k", "application/json",
                     [](const char *answer, size_t length, const std::string &body) {
                       return length >= body.size() / 2 && answer[0] == '{' && memmem(answer, length, "section-7", 9);
                     }};

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fprintf(stderr, "%s cannot be read\n", path.c_str());
    exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void read_keys(const std::string &path) {
  std::ifstream file(path);
  keys.clear();
  for (std::string line; std::getline(file, line);) keys.push_back(line);
  if (keys.empty()) {
    fprintf(stderr, "%s has no key\n", path.c_str());
    exit(1);
  }
}

/* The key of the next request. */
const std::string &take_key() {
  if (keys.size() == 1) return keys[0];
  if (next_key == keys.size()) {
    load::give_up(std::to_string(keys.size()) + " keys are not enough: the next one would not be new");
  }
  return keys[next_key++];
}

/* A request up to its key, and what follows the key. */
struct Request {
  std::string head, tail, body;

  explicit Request(const Call &call) {
    body = contents(bodies + "/" + call.body);
    head = std::string("POST /assent.interop.v1.InteropService/") + call.method + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
           "Content-Type: " + call.type + "\r\nAuthorization: Bearer ";
    tail = "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  std::string text() const { return head + take_key() + tail; }
};

/* BenchKit reads a line. */
[[noreturn]] void fail(const std::string &why) { load::give_up(mode + ": " + http::in_a_line(why)); }

load::Result run(const load::Shape &shape, const Call &call) {
  Request request(call);
  http::Connections connections(port, shape.in_flight);
  load::Meter meter(shape);
  try {
    while (!meter.is_over() || !meter.is_idle()) {
      while (meter.may_begin()) {
        http::Connection *connection = connections.take();
        connection->start = meter.begin();
        connection->send(request.text());
      }
      connections.wait(meter.nanoseconds_to_wait(), [&](http::Connection *connection) {
        const std::string &answer = connection->answer();
        if (!call.is_answer(answer.data(), answer.size(), request.body)) fail(answer);
        meter.end(connection->start);
      });
    }
  } catch (const http::Failure &failure) {
    fail(failure.why);
  }
  return meter.result();
}

/* The least that libmicrohttpd can do with a POST: it reads the body and answers 128 bytes. */
MHD_Result hello(void *, MHD_Connection *connection, const char *, const char *, const char *, const char *,
                 size_t *size, void **state) {
  static char answer[128] = {'h', 'e', 'l', 'l', 'o'};
  static int has_begun;
  if (!*state) {
    *state = &has_begun;
    return MHD_YES;
  }
  if (*size > 0) {
    *size = 0;
    return MHD_YES;
  }
  MHD_Response *response = MHD_create_response_from_buffer(sizeof answer, answer, MHD_RESPMEM_PERSISTENT);
  MHD_Result result = MHD_queue_response(connection, 200, response);
  MHD_destroy_response(response);
  return result;
}

void run_hello() {
  MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)port, nullptr, nullptr, hello, nullptr,
                                        MHD_OPTION_END);
  if (!daemon) _exit(1);
  for (;;) pause();
}

void wait_for_server() {
  for (int i = 0; i < 200; i++) {
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int result = connect(probe, (sockaddr *)&address, sizeof address);
    close(probe);
    if (result == 0) return;
    usleep(50000);
  }
  printf("%s does not answer\n", mode.c_str());
  exit(1);
}

double proto128_64() { return run(load::unary64, proto128).per_second; }
double proto1k_64() { return run(load::unary64, proto1k).per_second; }
double json1k_64() { return run(load::unary64, json1k).per_second; }
double paced_p99() { return run(load::paced, proto128).percentile(0.99); }

const bench_case cases[] = {{"proto128", nullptr, proto128_64}, {"proto1k", nullptr, proto1k_64},
                            {"json1k", nullptr, json1k_64},     {"paced_p99", nullptr, paced_p99},
                            {nullptr, nullptr, nullptr}};

load::Folder folder;

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) return 2;
  bodies = arguments[1];
  mode = arguments[2];
  if (mode == "gateway") {
    port = atoi(arguments[3]);
    keys = {arguments[4]};
  } else if (mode == "credentials") {
    port = atoi(arguments[3]);
    read_keys(arguments[4]);
  } else {
    port = load::free_port();
    server = mode == "grpc_gateway" ? load::program({arguments[3], std::to_string(port)}, folder.path + "/server.log")
                                    : load::in_process(run_hello);
    wait_for_server();
    if (mode == "nginx") {
      std::string address = "127.0.0.1:" + std::to_string(port);
      port = load::free_port();
      proxy = nginx::start_http(folder.path, address, port);
      wait_for_server();
    }
  }
  run({16, 128, 0.2, 0}, mode == "grpc_gateway" ? json1k : proto128);
  int status = bench_serve(cases);
  if (proxy > 0) load::stop(proxy);
  load::stop(server);
  return status;
}
