/* A server of gRPC C++ that does with the database what Assent's services do, and nothing else: it executes the
 * statements of the call that a request names, and answers with as many bytes as Assent does. It reads and makes no
 * messages, and checks nothing.
 *
 * Arguments: where the tables of ConsentService and of SignatureService are, and how many calls are handled at a time,
 * each on connections of its own. A request begins with the numbers of the call and of the walk, and the length of the
 * answer. The cases: `port` and `nginx_port` of the server and of nginx before it; `process` for both; `prepare FROM TO
 * FIRST COUNT` executes the calls from FROM to before TO for COUNT walks. */
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/rpc_service_method.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/support/async_unary_call.h>

#include <mutex>
#include <thread>

#include "bus/nginx.h"

namespace {

load::Folder folder;
int port, nginx_port;

struct Order {
  uint32_t call, number, answer;
};

/* SQLite has one writer at a time for each file. */
std::mutex writers[2];

/* Which database a call is about. */
int database_of(int call) { return call < SIGNATURE_CALLS_FROM ? 0 : 1; }

/* The connections of a thread. */
struct Databases {
  std::unique_ptr<struct replay> all[2] = {std::make_unique<struct replay>(), std::make_unique<struct replay>()};

  explicit Databases(char **places) {
    for (int i = 0; i < 2; i++)
      if (const char *reason = replay_open(all[i].get(), places[i])) load::give_up(reason);
  }

  /* The calls of some walks in one transaction. Returns why it failed; empty when it did not. */
  std::string execute(int from, int to, long first, long count) {
    struct replay *replay = all[database_of(from)].get();
    int writes = 0;
    for (int call = from; call < to; call++) writes |= replay_writes(replay, call);
    std::unique_lock<std::mutex> lock(writers[database_of(from)], std::defer_lock);
    if (writes) lock.lock();
    const char *reason = replay_begin(replay, writes);
    for (walk_number = first; walk_number < first + count && !reason; walk_number++)
      for (int call = from; call < to && !reason; call++) reason = replay_statements(replay, call);
    if (!reason) reason = replay_commit(replay);
    if (!reason) return "";
    std::string why = reason;
    replay_roll_back(replay);
    return why;
  }

  /* One call. What the database could not do beside others is tried again. */
  std::string execute(const Order &order) {
    if (order.call >= CALLS) return "there is no such call";
    if (calls[order.call].count == 0) return "";
    std::string why;
    for (int i = 0; i < 5; i++) {
      why = execute((int)order.call, (int)order.call + 1, (long)order.number, 1);
      if (why.empty()) break;
    }
    return why;
  }
};

using Writer = grpc::ServerAsyncResponseWriter<grpc::ByteBuffer>;

/* One method that takes and gives bytes. */
class Service : public grpc::Service {
 public:
  Service() {
    using namespace grpc::internal;
    AddMethod(new RpcServiceMethod("/bench.Calls/Call", RpcMethod::NORMAL_RPC, nullptr));
    MarkMethodAsync(0);
  }

  void request(grpc::ServerContext *context, grpc::ByteBuffer *request, Writer *writer,
               grpc::ServerCompletionQueue *queue, void *tag) {
    RequestAsyncUnary(0, context, request, writer, queue, queue, tag);
  }
};

struct Call {
  Service *service;
  grpc::ServerCompletionQueue *queue;
  grpc::ServerContext context;
  grpc::ByteBuffer request;
  Writer writer{&context};
  bool is_answered = false;

  Call(Service *service, grpc::ServerCompletionQueue *queue) : service(service), queue(queue) {
    service->request(&context, &request, &writer, queue, this);
  }

  void proceed(bool ok, Databases &databases) {
    if (!ok || is_answered) {
      delete this;
      return;
    }
    new Call(service, queue);
    is_answered = true;
    static const std::string zeros(1 << 20, 0);
    Order order = {};
    grpc::Slice bytes;
    std::string why = "the request is no order";
    if (request.TrySingleSlice(&bytes).ok() || request.DumpToSingleSlice(&bytes).ok()) {
      if (bytes.size() >= sizeof order) {
        memcpy(&order, bytes.begin(), sizeof order);
        why = order.answer > zeros.size() ? "the answer would be too long" : databases.execute(order);
      }
    }
    grpc::Slice slice(zeros.data(), why.empty() ? order.answer : 0, grpc::Slice::STATIC_SLICE);
    writer.Finish(grpc::ByteBuffer(&slice, 1),
                  why.empty() ? grpc::Status::OK : grpc::Status(grpc::StatusCode::INTERNAL, why), this);
  }
};

std::unique_ptr<Databases> own;

double prepare() {
  int from, to;
  long first, count;
  if (sscanf(bench_argument, "%d %d %ld %ld", &from, &to, &first, &count) != 4 || to > CALLS) return 0;
  for (long done = 0; done < count; done += 100) {
    std::string why = own->execute(from, to, first + done, std::min(100L, count - done));
    if (why.empty()) continue;
    snprintf(bench_failure, sizeof bench_failure, "%s", why.c_str());
    return 0;
  }
  return (double)count;
}

const bench_case cases[] = {{"port", nullptr, [] { return (double)port; }},
                            {"nginx_port", nullptr, [] { return (double)nginx_port; }},
                            {"process", nullptr, [] { return (double)getpid(); }},
                            {"prepare", nullptr, prepare},
                            {nullptr, nullptr, nullptr}};

}  // namespace

int main(int count, char **arguments) {
  if (count < 4) return 2;
  make_noise();
  port = load::free_port();
  nginx_port = load::free_port();
  std::string address = "127.0.0.1:" + std::to_string(port);
  /* Before anything of gRPC runs here: it survives no fork. */
  pid_t middle = nginx::start(folder.path, address, nginx_port);
  Service service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  auto queue = builder.AddCompletionQueue();
  auto server = builder.BuildAndStart();
  if (!server) load::give_up(address + " is taken");
  own = std::make_unique<Databases>(arguments + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < atoi(arguments[3]); i++)
    threads.emplace_back([&] {
      Databases databases(arguments + 1);
      void *tag;
      bool ok;
      while (queue->Next(&tag, &ok)) static_cast<Call *>(tag)->proceed(ok, databases);
    });
  for (int i = 0; i < 128; i++) new Call(&service, queue.get());
  int status = bench_serve(cases);
  load::stop(middle);
  server->Shutdown(std::chrono::system_clock::now());
  queue->Shutdown();
  for (auto &thread : threads) thread.join();
  return status;
}
