// gRPC's interoperability cases with gRPC C++ as the client.
//
// interop TARGET TOKEN CONTRACT, where CONTRACT is the file with the descriptor set. Messages are made and read by the
// descriptors, so that no code has to be generated and compiled for them.
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using google::protobuf::Message;
using grpc::StatusCode;

const std::string service = "assent.interop.v1.InteropService";
google::protobuf::DescriptorPool pool;
google::protobuf::DynamicMessageFactory factory(&pool);
std::shared_ptr<grpc::Channel> channel;
std::string token;

struct Failure {
  std::string what;
};

void expect(bool condition, const std::string &what) {
  if (!condition) throw Failure{what};
}

template <typename Value>
void expect_equal(const Value &is, const Value &should, const std::string &what) {
  if (is != should) std::cerr << what << ": " << is << " instead of " << should << "\n";
  expect(is == should, what);
}

std::unique_ptr<Message> message(const std::string &name, const std::string &json) {
  auto *type = pool.FindMessageTypeByName("assent.interop.v1." + name);
  expect(type != nullptr, "the contract has " + name);
  std::unique_ptr<Message> made(factory.GetPrototype(type)->New());
  auto status = google::protobuf::util::JsonStringToMessage(json, made.get());
  expect(status.ok(), std::string(status.message()));
  return made;
}

/* A message in JSON with a payload of zeros. */
std::string payload(size_t size, const std::string &fields = "") {
  std::string text((size + 2) / 3 * 4, 'A');
  for (size_t i = 0; i < (3 - size % 3) % 3; i++) text[text.size() - 1 - i] = '=';
  return "{\"payload\":{\"body\":\"" + text + "\"}" + (fields.empty() ? "" : "," + fields) + "}";
}

std::string sizes(const std::vector<int> &all, const std::string &fields = "") {
  std::string text = "{\"responseParameters\":[";
  for (size_t i = 0; i < all.size(); i++) text += (i ? ",{\"size\":" : "{\"size\":") + std::to_string(all[i]) + "}";
  return text + "]" + (fields.empty() ? "" : "," + fields) + "}";
}

/* A call; all four kinds are the same to HTTP/2: messages, then the end, each way. */
class Call {
 public:
  grpc::ClientContext context;
  grpc::Status status;

  explicit Call(const std::string &method, bool has_key = true) : method_(method) {
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    if (has_key) context.AddMetadata("authorization", "Bearer " + token);
  }

  void start(const std::string &of = service) {
    stream_ = stub_.PrepareCall(&context, "/" + of + "/" + method_, &queue_);
    stream_->StartCall(this);
    wait();
  }

  bool write(const std::string &json) { return write(method_ + "Request", json); }

  /* For requests whose type has another name. */
  bool write(const std::string &type, const std::string &json) {
    std::string bytes = message(type, json)->SerializeAsString();
    grpc::Slice slice(bytes);
    stream_->Write(grpc::ByteBuffer(&slice, 1), this);
    return wait();
  }

  void end() {
    stream_->WritesDone(this);
    wait();
  }

  /* The next answer; nullptr after the last. */
  std::unique_ptr<Message> read(const std::string &type) {
    grpc::ByteBuffer buffer;
    stream_->Read(&buffer, this);
    if (!wait()) return nullptr;
    grpc::Slice slice;
    expect(buffer.DumpToSingleSlice(&slice).ok(), "the answer is in memory");
    auto answer = message(type, "{}");
    expect(answer->ParseFromArray(slice.begin(), (int)slice.size()), "the answer is a " + type);
    return answer;
  }

  StatusCode finish() {
    stream_->Finish(&status, this);
    wait();
    return status.error_code();
  }

 private:
  std::string method_;
  grpc::GenericStub stub_{channel};
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;

  bool wait() {
    void *tag;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  }
};

size_t payload_size(const Message &answer) {
  auto *field = answer.GetDescriptor()->FindFieldByName("payload");
  if (!answer.GetReflection()->HasField(answer, field)) return 0;
  const Message &payload = answer.GetReflection()->GetMessage(answer, field);
  return payload.GetReflection()->GetString(payload, payload.GetDescriptor()->FindFieldByName("body")).size();
}

/* A call with one request and one answer. */
std::unique_ptr<Message> unary(Call &call, const std::string &method, const std::string &json) {
  call.start();
  call.write(json);
  call.end();
  auto answer = call.read(method + "Response");
  expect_equal<int>(call.finish(), StatusCode::OK, method + ": " + call.status.error_message());
  expect(answer != nullptr, method + " has an answer");
  return answer;
}

void large_unary(int asked, size_t sent, bool compresses) {
  Call call("UnaryCall");
  if (compresses) call.context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  auto answer = unary(call, "UnaryCall", payload(sent, "\"responseSize\":" + std::to_string(asked)));
  expect_equal(payload_size(*answer), (size_t)asked, "the payload's size");
}

void input_stream(const std::vector<size_t> &parts, bool compresses) {
  Call call("StreamingInputCall");
  if (compresses) call.context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  call.start();
  uint64_t sum = 0;
  for (size_t size : parts) {
    expect(call.write(payload(size)), "the stream takes messages");
    sum += size;
  }
  call.end();
  auto answer = call.read("StreamingInputCallResponse");
  expect_equal<int>(call.finish(), StatusCode::OK, call.status.error_message());
  auto *field = answer->GetDescriptor()->FindFieldByName("aggregated_payload_size");
  expect_equal(answer->GetReflection()->GetUInt64(*answer, field), sum, "the sum of the sizes");
}

void output_stream(const std::vector<int> &wanted) {
  Call call("StreamingOutputCall");
  call.start();
  call.write(sizes(wanted));
  call.end();
  for (int size : wanted) {
    auto answer = call.read("StreamingOutputCallResponse");
    expect(answer != nullptr, "an answer for each size");
    expect_equal(payload_size(*answer), (size_t)size, "its size");
  }
  expect(call.read("StreamingOutputCallResponse") == nullptr, "the stream ends");
  expect_equal<int>(call.finish(), StatusCode::OK, call.status.error_message());
}

void ping_pong() {
  Call call("FullDuplexCall");
  call.start();
  for (auto [size, filling] : {std::pair{31415, 27182}, {9, 8}, {2653, 1828}, {58979, 45904}}) {
    std::string parameters = "\"responseParameters\":[{\"size\":" + std::to_string(size) + "}]";
    call.write("StreamingOutputCallRequest", payload((size_t)filling, parameters));
    auto answer = call.read("StreamingOutputCallResponse");
    expect(answer != nullptr && payload_size(*answer) == (size_t)size, "an answer to each message");
  }
  call.end();
  expect(call.read("StreamingOutputCallResponse") == nullptr, "the stream ends");
  expect_equal<int>(call.finish(), StatusCode::OK, call.status.error_message());
}

void half_duplex() {
  Call call("HalfDuplexCall");
  call.start();
  for (int size : {31415, 9, 2653}) call.write("StreamingOutputCallRequest", sizes({size}));
  call.end();
  for (int size : {31415, 9, 2653}) {
    auto answer = call.read("StreamingOutputCallResponse");
    expect(answer != nullptr && payload_size(*answer) == (size_t)size, "answers after the requests");
  }
  expect_equal<int>(call.finish(), StatusCode::OK, call.status.error_message());
}

void empty_stream() {
  Call call("FullDuplexCall");
  call.start();
  call.end();
  expect(call.read("StreamingOutputCallResponse") == nullptr, "no answers");
  expect_equal<int>(call.finish(), StatusCode::OK, call.status.error_message());
}

void status_and_message(const std::string &text, const std::string &json_text) {
  Call call("UnaryCall");
  call.start();
  call.write("{\"responseStatus\":{\"code\":2,\"message\":\"" + json_text + "\"}}");
  call.end();
  expect(call.read("UnaryCallResponse") == nullptr, "no answer");
  expect_equal<int>(call.finish(), StatusCode::UNKNOWN, "the code");
  expect_equal(call.status.error_message(), text, "the message");
}

void status_after_stream() {
  Call call("StreamingOutputCall");
  call.start();
  call.write(sizes({5}, "\"responseStatus\":{\"code\":10}"));
  call.end();
  expect(call.read("StreamingOutputCallResponse") != nullptr, "the answer comes first");
  expect(call.read("StreamingOutputCallResponse") == nullptr, "then the end");
  expect_equal<int>(call.finish(), StatusCode::ABORTED, "the code");
}

void custom_metadata() {
  std::string bytes("\xab\0\xab", 3);
  Call call("EmptyCall");
  call.context.AddMetadata("assent-echo-initial", "first");
  call.context.AddMetadata("assent-echo-trailing-bin", bytes);
  unary(call, "EmptyCall", "{}");
  auto first = call.context.GetServerInitialMetadata().find("assent-echo-initial");
  expect(first != call.context.GetServerInitialMetadata().end() && first->second == "first", "initial metadata");
  auto last = call.context.GetServerTrailingMetadata().find("assent-echo-trailing-bin");
  expect(last != call.context.GetServerTrailingMetadata().end() && last->second == bytes, "trailing metadata");
}

void timeout() {
  Call call("UnaryCall");
  call.context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  call.start();
  call.write("{\"sleepMs\":60000}");
  call.end();
  call.read("UnaryCallResponse");
  expect_equal<int>(call.finish(), StatusCode::DEADLINE_EXCEEDED, "the code");
}

void cancel(bool after_first_answer) {
  Call call("StreamingOutputCall");
  call.start();
  call.write(sizes(std::vector<int>(1000, 31415)));
  call.end();
  if (after_first_answer) expect(call.read("StreamingOutputCallResponse") != nullptr, "an answer");
  call.context.TryCancel();
  while (call.read("StreamingOutputCallResponse")) continue;
  expect_equal<int>(call.finish(), StatusCode::CANCELLED, "the code");
}

void refused(const std::string &method, const std::string &of, StatusCode code, bool has_key = true) {
  Call call(method, has_key);
  call.start(of);
  call.write("EmptyCallRequest", "{}");
  call.end();
  call.read("EmptyCallResponse");
  expect_equal<int>(call.finish(), code, method);
}

/* Calls that are open at once on the one connection, and are answered from the last to the first. */
void many_at_once() {
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i < 100; i++) {
    calls.push_back(std::make_unique<Call>("FullDuplexCall"));
    calls.back()->start();
  }
  for (int i = 99; i >= 0; i--) {
    calls[i]->write("StreamingOutputCallRequest", sizes({i}));
    auto answer = calls[i]->read("StreamingOutputCallResponse");
    expect(answer != nullptr && payload_size(*answer) == (size_t)i, "each call has its own answer");
  }
  for (auto &call : calls) {
    call->end();
    expect_equal<int>(call->finish(), StatusCode::OK, call->status.error_message());
  }
}

const std::vector<size_t> input_sizes = {27182, 8, 1828, 45904};

const std::vector<std::pair<std::string, std::function<void()>>> cases = {
    {"empty_unary", [] { Call call("EmptyCall"); unary(call, "EmptyCall", "{}"); }},
    {"large_unary", [] { large_unary(314159, 271828, false); large_unary(5 << 20, 3 << 20, false); }},
    {"client_compressed_unary", [] { large_unary(314159, 271828, true); }},
    {"client_streaming", [] { input_stream(input_sizes, false); }},
    {"client_compressed_streaming", [] { input_stream(input_sizes, true); }},
    {"client_streaming_beyond_the_window", [] { input_stream(std::vector<size_t>(100, 100000), false); }},
    {"server_streaming", [] { output_stream({31415, 9, 2653, 58979}); }},
    {"server_streaming_beyond_the_window", [] { output_stream(std::vector<int>(500, 10000)); }},
    {"ping_pong", ping_pong},
    {"half_duplex", half_duplex},
    {"empty_stream", empty_stream},
    {"status_code_and_message", [] { status_and_message("test status message", "test status message"); }},
    {"special_status_message",
     [] {
       status_and_message("\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n",
                          "\\t\\ntest with whitespace\\r\\nand Unicode BMP ☺ and non-BMP 😈\\t\\n");
     }},
    {"status_after_stream", status_after_stream},
    {"custom_metadata", custom_metadata},
    {"timeout_on_sleeping_server", timeout},
    {"cancel_after_begin", [] { cancel(false); }},
    {"cancel_after_first_response", [] { cancel(true); }},
    {"unimplemented_method", [] { refused("NoSuchCall", service, StatusCode::UNIMPLEMENTED); }},
    {"unimplemented_service", [] { refused("EmptyCall", "assent.interop.v1.None", StatusCode::UNIMPLEMENTED); }},
    {"no_credential", [] { refused("EmptyCall", service, StatusCode::UNAUTHENTICATED, false); }},
    {"many_at_once", many_at_once},
};

void load_contract(const char *path) {
  std::ifstream file(path, std::ios::binary);
  google::protobuf::FileDescriptorSet set;
  expect(set.ParseFromIstream(&file), "the contract can be read");
  for (auto &one : set.file()) expect(pool.BuildFile(one) != nullptr, one.name());
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 4) return 2;
  token = arguments[2];
  grpc::ChannelArguments options;
  options.SetMaxReceiveMessageSize(64 << 20);
  channel = grpc::CreateCustomChannel(arguments[1], grpc::InsecureChannelCredentials(), options);
  int failures = 0;
  try {
    load_contract(arguments[3]);
  } catch (const Failure &failure) {
    std::cerr << failure.what << "\n";
    return 1;
  }
  for (auto &[name, run] : cases) {
    try {
      run();
      std::cout << "ok " << name << std::endl;
    } catch (const Failure &failure) {
      failures++;
      std::cerr << "not ok " << name << ": " << failure.what << std::endl;
    }
  }
  return failures ? 1 : 0;
}
