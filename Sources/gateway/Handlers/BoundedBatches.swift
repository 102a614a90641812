import Face
import GatewayContract
import RPC
import Wire

/// The gateway's own service, with a `Batch` that refuses excessive requests before it decodes them.
///
/// Anybody may send a batch, and two bytes can stand for a call: a message of the largest size would decode to some
/// hundred MiB of calls before they could be counted.
struct BoundedBatches: RPCService {
  let service: GatewayHandlers

  static var descriptor: ServiceDescriptor { GatewayServiceMethods.service }

  /// Room for 64 calls whose requests have one mebibyte together.
  private static let limits = DecodingLimits(size: 2 << 20, expandedSize: 4 << 20, boundsMarks: true)

  var handlers: [MethodHandler] {
    service.handlers.map { handler in
      guard handler.method.path == GatewayServiceMethods.batch.path else { return handler }
      return .unaryInBytes(handler.method) { [service] bytes, context in
        try await service.batch(Self.request(bytes), context: context).encoded()
      }
    }
  }

  static func request(_ bytes: [UInt8]) throws(Status) -> BatchRequest {
    do throws(CodecError) {
      return try BatchRequest(decoding: bytes, limits: limits)
    } catch {
      throw Status(
        .invalidArgument, rule: "bad_batch",
        "the request cannot be read: \(error); a batch has at most \(BatchPlan.mostCalls) calls, whose requests have "
          + "at most \(BatchPlan.mostAsked) bytes together")
    }
  }
}
