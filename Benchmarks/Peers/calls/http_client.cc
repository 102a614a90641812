// Calls by HTTP/1.1 POST in JSON, each on a connection with no other under way, of bodies that a file has. Arguments:
// PORT, and a file of API keys.
#include "calls/client.h"
#include "http/connection.h"

namespace {

int port;
std::vector<std::string> keys;

load::Result run(const load::Shape &shape, const std::string &method, calls::Work &work) {
  std::vector<calls::Lane> lanes((size_t)shape.in_flight);
  try {
    http::Connections connections(port, shape.in_flight);
    load::Meter meter(shape);
    while (!meter.is_over() || !meter.is_idle()) {
      while (meter.may_begin()) {
        http::Connection *connection = connections.take();
        calls::Lane &lane = lanes[(size_t)connection->lane];
        const std::string *body = work.next(lane);
        if (!body) {
          meter.finish();
          break;
        }
        std::string request = "POST " + method + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Authorization: Bearer " + keys[lane.walk % keys.size()] + "\r\n";
        if (work.has_keys) request += "Idempotency-Key: " + calls::idempotency_key() + "\r\n";
        request += "Content-Length: " + std::to_string(body->size()) + "\r\n\r\n" + *body;
        connection->start = meter.begin();
        connection->send(request);
      }
      if (meter.is_idle()) break;
      connections.wait(meter.nanoseconds_to_wait(), [&](http::Connection *connection) {
        if (connection->answer().size() < work.least) throw http::Failure{"another answer: " + connection->answer()};
        meter.end(connection->start);
      });
    }
    return meter.result();
  } catch (const http::Failure &failure) {
    throw method + ": " + http::in_a_line(failure.why);
  }
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) return 2;
  port = atoi(arguments[1]);
  keys = calls::lines(arguments[2]);
  return calls::serve<run>();
}
