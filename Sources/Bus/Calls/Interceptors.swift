/// Sees every call that a server answers: for authentication and logs.
///
/// It may change the context, refuse by throwing, and look at what `next` throws. The first of a list is outermost.
public protocol ServerInterceptor: Sendable {
  func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws
}

/// Watches the calls that a server answers and has no say in them: for metrics.
///
/// It costs a call far less than an interceptor, which runs around the handler.
public protocol ServerObserver: Sendable {
  /// What watches the calls of one method. It is asked for once.
  func observer(of method: MethodDescriptor) -> any MethodObserver
}

/// Watches the calls of one method.
public protocol MethodObserver: AnyObject, Sendable {
  /// The call's handler begins, its interceptors included.
  func began()
  /// The call has come to the outcome that its caller gets.
  func ended(with code: StatusCode, after nanoseconds: Int64)
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
