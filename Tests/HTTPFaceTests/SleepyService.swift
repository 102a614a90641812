import InteropContract
import RPC
import TestSupport

/// Has the interoperability service's stream of requests, and reads none of them.
struct SleepyService: RPCService {
  static let descriptor = ServiceDescriptor(
    name: InteropServiceMethods.streamingInputCall.service, methods: [InteropServiceMethods.streamingInputCall],
    fingerprint: "")

  var handlers: [MethodHandler] {
    [
      .clientStreaming(InteropServiceMethods.streamingInputCall) {
        (_: RequestStream<StreamingInputCallRequest>, _) -> StreamingInputCallResponse in
        try await untilCancelled()
        return StreamingInputCallResponse()
      }
    ]
  }
}
