/* Clients over HTTP/1.1: connections with at most one request under way each. */
#ifndef ASSENT_HTTP_CONNECTION_H
#define ASSENT_HTTP_CONNECTION_H

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include <memory>

#include "bus/load.h"

namespace http {

struct Failure {
  std::string why;
};

/* A reason as BenchKit reads it. */
inline std::string in_a_line(const std::string &why) {
  std::string line = why.substr(0, 400);
  for (char &letter : line)
    if ((unsigned char)letter < ' ') letter = ' ';
  return line;
}

class Connection {
 public:
  const int socket;
  double start = 0;
  /* What the connection is used for. */
  int lane = 0;

  explicit Connection(int port) : socket(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(socket, (sockaddr *)&address, sizeof address) != 0) throw Failure{strerror(errno)};
    fcntl(socket, F_SETFL, O_NONBLOCK);
  }
  ~Connection() { close(socket); }

  void send(const std::string &request) {
    input_.clear();
    if (write(socket, request.data(), request.size()) != (ssize_t)request.size())
      throw Failure{"a request was not taken whole"};
  }

  /* Reads what has come; true when an answer of success is complete. */
  bool receive() {
    char buffer[16384];
    ssize_t count = read(socket, buffer, sizeof buffer);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) throw Failure{"the connection was closed"};
    input_.append(buffer, (size_t)count);
    size_t end = input_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const char *length = strcasestr(input_.c_str(), "\r\ncontent-length: ");
    if (input_.size() < end + 4 + (length ? strtoul(length + 18, nullptr, 10) : 0)) return false;
    if (input_.compare(0, 13, "HTTP/1.1 200 ") != 0) throw Failure{input_};
    answer_ = input_.substr(end + 4);
    return true;
  }

  /* The body of the last answer. */
  const std::string &answer() const { return answer_; }

 private:
  std::string input_, answer_;
};

/* Several connections, and which of them are idle. */
class Connections {
 public:
  Connections(int port, int count) {
    for (int i = 0; i < count; i++) {
      all_.push_back(std::make_unique<Connection>(port));
      all_.back()->lane = i;
      epoll_event event = {};
      event.events = EPOLLIN;
      event.data.ptr = all_.back().get();
      epoll_ctl(set_, EPOLL_CTL_ADD, all_.back()->socket, &event);
      idle_.push_back(all_.back().get());
    }
  }
  ~Connections() { close(set_); }

  Connection *take() {
    Connection *connection = idle_.back();
    idle_.pop_back();
    return connection;
  }

  /* Calls `end` for each connection that has its answer, and has it idle then. */
  template <typename End>
  void wait(long nanoseconds, End end) {
    epoll_event events[64];
    timespec wait;
    int count = epoll_pwait2(set_, events, 64, load::wait_of(nanoseconds, wait), nullptr);
    for (int i = 0; i < count; i++) {
      auto *connection = static_cast<Connection *>(events[i].data.ptr);
      if (!connection->receive()) continue;
      end(connection);
      idle_.push_back(connection);
    }
  }

 private:
  int set_ = epoll_create1(0);
  std::vector<std::unique_ptr<Connection>> all_;
  std::vector<Connection *> idle_;
};

}  // namespace http

#endif
