import Synchronization

@testable import RPC

/// A service, with something that is done before each of its handlers.
struct Preceded<Service: RPCService>: RPCService {
  let service: Service
  let before: @Sendable (CallContext) -> Void

  static var descriptor: ServiceDescriptor { Service.descriptor }

  var handlers: [MethodHandler] {
    service.handlers.map { handler in
      let body: MethodHandler.Body =
        switch handler.body {
        case .unary(let body):
          .unary { request, context in
            before(context)
            return try await body(request, context)
          }
        case .streaming(let body):
          .streaming { call, context in
            before(context)
            try await body(call, context)
          }
        }
      return MethodHandler(method: handler.method, body: body)
    }
  }
}

/// Remembers the idempotency keys and the metadata of a service's calls.
final class SeenKeys: Sendable {
  private let all = Mutex<[(key: String, metadata: Metadata)]>([])

  var keys: [String] { all.withLock { calls in calls.map { $0.key } } }
  var metadata: [Metadata] { all.withLock { calls in calls.map { $0.metadata } } }

  func calls<Service: RPCService>(of service: Service) -> Preceded<Service> {
    Preceded(service: service) { context in
      self.all.withLock { $0.append((key: context.idempotencyKey, metadata: context.metadata)) }
    }
  }
}
