// Calls by HTTP/1.1 POST over 64 connections, to a gateway or to a peer that this program starts.
//
// Arguments: FOLDER gateway PORT KEY | FOLDER credentials PORT FILE | FOLDER hello | FOLDER grpc_gateway PROGRAM.
// FOLDER has the bodies of requests; FILE has a key or token on each line, of which each request takes the next one,
// and a single one serves all; PROGRAM is grpc_gateway.go, built.
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include <fstream>
#include <memory>

#include "bus/load.h"

namespace {

std::string bodies, mode;
std::vector<std::string> keys = {""};
size_t next_key;
int port;
pid_t server;

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

/* A connection with at most one request under way. */
class Connection {
 public:
  int socket;
  double start = 0;
  bool is_busy = false;

  Connection() : socket(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(socket, (sockaddr *)&address, sizeof address) != 0) fail(strerror(errno));
    fcntl(socket, F_SETFL, O_NONBLOCK);
  }
  ~Connection() { close(socket); }

  void send(const std::string &request) {
    if (write(socket, request.data(), request.size()) != (ssize_t)request.size()) fail("a request was not taken whole");
  }

  /* Reads what has come; true when an answer is complete. */
  bool receive(const Call &call, const Request &request) {
    char buffer[16384];
    ssize_t count = read(socket, buffer, sizeof buffer);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) fail("the connection was closed");
    input_.append(buffer, (size_t)count);
    size_t end = input_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    if (input_.compare(0, 13, "HTTP/1.1 200 ") != 0) fail(input_.c_str());
    size_t length = strcasestr(input_.c_str(), "\r\ncontent-length: ")
                        ? strtoul(strcasestr(input_.c_str(), "\r\ncontent-length: ") + 18, nullptr, 10)
                        : 0;
    if (input_.size() < end + 4 + length) return false;
    if (!call.is_answer(input_.data() + end + 4, length, request.body)) fail(input_.c_str());
    input_.clear();
    return true;
  }

 private:
  std::string input_;

  /* BenchKit reads a line. */
  [[noreturn]] static void fail(const std::string &why) {
    std::string line = mode + ": " + why.substr(0, 400);
    for (char &letter : line)
      if ((unsigned char)letter < ' ') letter = ' ';
    load::give_up(line);
  }
};

load::Result run(const load::Shape &shape, const Call &call) {
  Request request(call);
  std::vector<std::unique_ptr<Connection>> connections;
  int set = epoll_create1(0);
  for (int i = 0; i < shape.in_flight; i++) {
    connections.push_back(std::make_unique<Connection>());
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.ptr = connections.back().get();
    epoll_ctl(set, EPOLL_CTL_ADD, connections.back()->socket, &event);
  }
  load::Meter meter(shape);
  std::vector<Connection *> idle;
  for (auto &connection : connections) idle.push_back(connection.get());
  epoll_event events[64];
  while (!meter.is_over() || !meter.is_idle()) {
    while (!idle.empty() && meter.may_begin()) {
      Connection *connection = idle.back();
      idle.pop_back();
      connection->start = meter.begin();
      connection->send(request.text());
    }
    timespec wait;
    int count = epoll_pwait2(set, events, 64, load::wait_of(meter.nanoseconds_to_wait(), wait), nullptr);
    for (int i = 0; i < count; i++) {
      auto *connection = static_cast<Connection *>(events[i].data.ptr);
      if (!connection->receive(call, request)) continue;
      meter.end(connection->start);
      idle.push_back(connection);
    }
  }
  close(set);
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
    server = mode == "hello" ? load::in_process(run_hello)
                             : load::program({arguments[3], std::to_string(port)}, folder.path + "/server.log");
    wait_for_server();
  }
  run({16, 128, 0.2, 0}, mode == "grpc_gateway" ? json1k : proto128);
  int status = bench_serve(cases);
  load::stop(server);
  return status;
}
