// gRPC C++ between a client and a worker, each a process: directly, or with nginx between them; or the client alone.
//
// Arguments: direct, nginx or nginx_tls; or gateway ADDRESS KEY, where there is a gateway with its worker. Both sides
// use completion queues, the fastest of gRPC's interfaces here.
#include <grpcpp/grpcpp.h>

#include <fstream>
#include <memory>
#include <thread>

#include "assent/interop/v1/interop.grpc.pb.h"
#include "bus/load.h"
#include "bus/nginx.h"

namespace {

using assent::interop::v1::IdempotentUnaryCallRequest;
using assent::interop::v1::IdempotentUnaryCallResponse;
using assent::interop::v1::InteropService;
using assent::interop::v1::StreamingOutputCallRequest;
using assent::interop::v1::StreamingOutputCallResponse;

load::Folder folder;
std::string mode, server_address, client_address, key;
pid_t worker, middle;

/* What a completion queue brings back. */
struct Step {
  virtual ~Step() = default;
  virtual void proceed(bool ok) = 0;
};

struct EchoCall : Step {
  InteropService::AsyncService *service;
  grpc::ServerCompletionQueue *queue;
  grpc::ServerContext context;
  IdempotentUnaryCallRequest request;
  IdempotentUnaryCallResponse response;
  grpc::ServerAsyncResponseWriter<IdempotentUnaryCallResponse> writer{&context};
  bool is_answered = false;

  EchoCall(InteropService::AsyncService *service, grpc::ServerCompletionQueue *queue)
      : service(service), queue(queue) {
    service->RequestIdempotentUnaryCall(&context, &request, &writer, queue, queue, this);
  }

  void proceed(bool ok) override {
    if (!ok || is_answered) {
      delete this;
      return;
    }
    new EchoCall(service, queue);
    response.mutable_payload()->mutable_body()->resize(request.response_size());
    is_answered = true;
    writer.Finish(response, grpc::Status::OK, this);
  }
};

struct RepeatCall : Step {
  InteropService::AsyncService *service;
  grpc::ServerCompletionQueue *queue;
  grpc::ServerContext context;
  StreamingOutputCallRequest request;
  StreamingOutputCallResponse response;
  grpc::ServerAsyncWriter<StreamingOutputCallResponse> writer{&context};
  int sent = 0;
  bool is_begun = false, is_finished = false;

  RepeatCall(InteropService::AsyncService *service, grpc::ServerCompletionQueue *queue)
      : service(service), queue(queue) {
    service->RequestStreamingOutputCall(&context, &request, &writer, queue, queue, this);
  }

  void proceed(bool ok) override {
    if (!ok || is_finished) {
      delete this;
      return;
    }
    if (!is_begun) {
      new RepeatCall(service, queue);
      is_begun = true;
    }
    if (sent < request.response_parameters_size()) {
      response.mutable_payload()->mutable_body()->resize(request.response_parameters(sent++).size());
      writer.Write(response, this);
    } else {
      is_finished = true;
      writer.Finish(grpc::Status::OK, this);
    }
  }
};

void run_worker() {
  InteropService::AsyncService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(server_address, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  auto queue = builder.AddCompletionQueue();
  auto server = builder.BuildAndStart();
  if (!server) _exit(1);
  for (int i = 0; i < 128; i++) new EchoCall(&service, queue.get());
  new RepeatCall(&service, queue.get());
  void *tag;
  bool ok;
  while (queue->Next(&tag, &ok)) static_cast<Step *>(tag)->proceed(ok);
}

std::unique_ptr<InteropService::Stub> stub;

struct OpenCall {
  grpc::ClientContext context;
  IdempotentUnaryCallResponse response;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<IdempotentUnaryCallResponse>> reader;
  double start;
};

void authorize(grpc::ClientContext *context) {
  if (!key.empty()) context->AddMetadata("authorization", "Bearer " + key);
}

load::Result run(const load::Shape &shape) {
  grpc::CompletionQueue queue;
  IdempotentUnaryCallRequest request;
  request.mutable_payload()->set_body(std::string(shape.bytes, 'x'));
  request.set_response_size((uint32_t)shape.bytes);
  load::Meter meter(shape);
  while (!meter.is_over() || !meter.is_idle()) {
    while (meter.may_begin()) {
      auto *call = new OpenCall;
      authorize(&call->context);
      call->start = meter.begin();
      call->reader = stub->AsyncIdempotentUnaryCall(&call->context, request, &queue);
      call->reader->Finish(&call->response, &call->status, call);
    }
    long wait = meter.nanoseconds_to_wait();
    auto deadline = wait < 0 ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                             : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(wait, GPR_TIMESPAN));
    void *tag;
    bool ok;
    if (queue.AsyncNext(&tag, &ok, deadline) != grpc::CompletionQueue::GOT_EVENT) continue;
    auto *call = static_cast<OpenCall *>(tag);
    if (!call->status.ok()) load::give_up(call->status.error_message());
    const std::string &body = call->response.payload().body();
    if (body.size() != shape.bytes || body.front() != 0 || body.back() != 0) load::give_up("another answer came");
    meter.end(call->start);
    delete call;
  }
  return meter.result();
}

double stream1k() {
  grpc::ClientContext context;
  authorize(&context);
  StreamingOutputCallRequest request;
  for (int i = 0; i < 50000; i++) request.add_response_parameters()->set_size(1024);
  double start = bench_now();
  auto reader = stub->StreamingOutputCall(&context, request);
  StreamingOutputCallResponse response;
  long count = 0;
  while (reader->Read(&response)) {
    if (response.payload().body().size() != 1024) load::give_up("a message is not 1 KiB long");
    count++;
  }
  auto status = reader->Finish();
  if (!status.ok()) load::give_up(status.error_message());
  if (count != 50000) load::give_up(std::to_string(count) + " of 50000 messages came");
  return (double)count * 1e9 / (bench_now() - start);
}

double unary64() { return run(load::unary64).per_second; }
double large() { return run(load::large).per_second; }
double unary1_p50() { return run(load::unary1).percentile(0.5); }
double paced_p50() { return run(load::paced).percentile(0.5); }
double paced_p99() { return run(load::paced).percentile(0.99); }
double cpu_client() { return load::processor_per_call(getpid(), [] { return run(load::unary64); }); }
double cpu_worker() { return load::processor_per_call(worker, [] { return run(load::unary64); }); }

const bench_case cases[] = {{"unary64", nullptr, unary64},       {"large", nullptr, large},
                            {"unary1_p50", nullptr, unary1_p50}, {"paced_p50", nullptr, paced_p50},
                            {"paced_p99", nullptr, paced_p99},   {"stream1k", nullptr, stream1k},
                            {"cpu_client", nullptr, cpu_client}, {"cpu_worker", nullptr, cpu_worker},
                            {nullptr, nullptr, nullptr}};

std::string contents(const std::string &path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

int main(int count, char **arguments) {
  mode = count > 1 ? arguments[1] : "direct";
  if (mode == "gateway") {
    if (count < 4) return 2;
    client_address = arguments[2];
    key = arguments[3];
  } else {
    server_address = client_address = "127.0.0.1:" + std::to_string(load::free_port());
    /* Before anything of gRPC runs here: it survives no fork. */
    worker = load::in_process(run_worker);
  }
  auto credentials = grpc::InsecureChannelCredentials();
  if (mode == "nginx" || mode == "nginx_tls") {
    int port = load::free_port();
    middle = nginx::start(folder.path, server_address, port, mode == "nginx_tls");
    client_address = (mode == "nginx_tls" ? "localhost:" : "127.0.0.1:") + std::to_string(port);
    if (mode == "nginx_tls") {
      grpc::SslCredentialsOptions options;
      options.pem_root_certs = contents(folder.path + "/cert");
      credentials = grpc::SslCredentials(options);
    }
  }
  auto channel = grpc::CreateChannel(client_address, credentials);
  if (!channel->WaitForConnected(gpr_time_add(gpr_now(GPR_CLOCK_REALTIME), gpr_time_from_seconds(20, GPR_TIMESPAN)))) {
    printf("%s does not answer\n", client_address.c_str());
    return 1;
  }
  stub = InteropService::NewStub(channel);
  if (middle > 0) usleep(200000);
  run({1, 128, 0.2, 0});
  int status = bench_serve(cases);
  load::stop(middle);
  load::stop(worker);
  return status;
}
