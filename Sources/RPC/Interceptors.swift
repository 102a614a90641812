/// Sees every call that a server answers: for authentication and logs.
///
/// It may change the context, refuse by throwing, and look at what `next` throws. The first of a list is outermost.
public protocol ServerInterceptor: Sendable {
  func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws
}

/// Observes the calls that a server answers without influence on them: for metrics.
///
/// It costs a call far less than an interceptor, which runs around the handler.
public protocol ServerObserver: Sendable {
  /// The observer for the calls of one method. Called once for each method.
  func observer(of method: MethodDescriptor) -> any MethodObserver
}

/// Observes the calls of one method.
public protocol MethodObserver: AnyObject, Sendable {
  /// The call's handler begins, with its interceptors.
  func began()
  /// The call has ended with the outcome that its caller gets.
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

/// An error of the domain that defines its status for callers.
public protocol StatusConvertible: Error {
  var status: Status { get }
  /// True for a fault of the service rather than of the call: the error is also logged.
  var isFault: Bool { get }
}

extension StatusConvertible {
  public var isFault: Bool { false }
}

extension Status: StatusConvertible {
  public var status: Status { self }
}
