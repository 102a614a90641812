/// Observes the calls that a server answers without influence on them: for metrics.
public protocol ServerObserver: Sendable {
  /// The observer for the calls of one method. Called once for each method.
  func observer(of method: MethodDescriptor) -> any MethodObserver
}

/// Observes the calls of one method.
public protocol MethodObserver: AnyObject, Sendable {
  /// The call's handler begins.
  func began()
  /// The call has ended with the outcome that its caller gets.
  func ended(with code: StatusCode, after nanoseconds: Int64)
}
