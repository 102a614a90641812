/// Sees every call that a server answers: for authentication, logs and metrics.
///
/// It may change the context, refuse by throwing, and look at what `next` throws. The first of a list is outermost.
public protocol ServerInterceptor: Sendable {
  func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws
}

/// Sees every call that a channel makes: it may change the options, refuse by throwing, and learns the outcome.
public protocol ClientInterceptor: Sendable {
  func prepare(_ method: MethodDescriptor, options: inout CallOptions) throws(Status)
  func finished(_ method: MethodDescriptor, with status: Status)
}

extension ClientInterceptor {
  public func prepare(_ method: MethodDescriptor, options: inout CallOptions) throws(Status) {}
  public func finished(_ method: MethodDescriptor, with status: Status) {}
}

/// An error of the domain that knows which status it is to a caller.
public protocol StatusConvertible: Error {
  var status: Status { get }
}
