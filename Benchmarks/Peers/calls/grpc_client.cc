// Calls by gRPC C++ over one channel, of bytes that a file has. Arguments: ADDRESS, and a file of API keys.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "calls/client.h"

namespace {

std::unique_ptr<grpc::GenericStub> stub;
std::vector<std::string> keys;

struct OpenCall {
  calls::Lane *lane;
  grpc::ClientContext context;
  grpc::ByteBuffer response;
  grpc::Status status;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
};

load::Result run(const load::Shape &shape, const std::string &method, calls::Work &work) {
  grpc::CompletionQueue queue;
  std::vector<calls::Lane> lanes((size_t)shape.in_flight);
  std::vector<calls::Lane *> idle;
  for (auto &lane : lanes) idle.push_back(&lane);
  load::Meter meter(shape);
  std::string failure;
  while (!meter.is_over() || !meter.is_idle()) {
    while (meter.may_begin()) {
      const std::string *request = work.next(*idle.back());
      if (!request) {
        meter.finish();
        break;
      }
      auto *call = new OpenCall;
      call->lane = idle.back();
      idle.pop_back();
      call->context.AddMetadata("authorization", "Bearer " + keys[call->lane->walk % keys.size()]);
      if (work.has_keys) call->context.AddMetadata("idempotency-key", calls::idempotency_key());
      call->lane->start = meter.begin();
      grpc::Slice slice(request->data(), request->size(), grpc::Slice::STATIC_SLICE);
      call->reader = stub->PrepareUnaryCall(&call->context, method, grpc::ByteBuffer(&slice, 1), &queue);
      call->reader->StartCall();
      call->reader->Finish(&call->response, &call->status, call);
    }
    if (meter.is_idle()) break;
    void *tag;
    bool ok;
    queue.Next(&tag, &ok);
    auto *call = static_cast<OpenCall *>(tag);
    meter.end(call->lane->start);
    idle.push_back(call->lane);
    if (!call->status.ok() || call->response.Length() < work.least) {
      meter.finish();
      failure = method + ": status " + std::to_string(call->status.error_code()) + " " +
                (call->status.ok() ? "with another answer" : call->status.error_message());
    }
    delete call;
  }
  if (!failure.empty()) throw failure;
  return meter.result();
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) return 2;
  keys = calls::lines(arguments[2]);
  auto channel = grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials());
  auto limit = gpr_time_add(gpr_now(GPR_CLOCK_REALTIME), gpr_time_from_seconds(20, GPR_TIMESPAN));
  if (!channel->WaitForConnected(limit)) load::give_up(std::string(arguments[1]) + " does not answer");
  stub = std::make_unique<grpc::GenericStub>(channel);
  return calls::serve<run>();
}
