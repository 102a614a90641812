internal import Wire

/// A way to call services. The channel hides where they run and which transport leads there.
public protocol Channel: Sendable {
  /// Begins a call with one request and one answer.
  func ask(_ method: MethodDescriptor, _ request: [UInt8], options: CallOptions) throws(Status) -> any PendingCall

  /// Begins a call of any kind. `request` is the request of methods that take only one.
  func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall
}

extension Channel {
  /// Makes a call with one request and one answer.
  public func unary(
    _ method: MethodDescriptor, _ request: [UInt8], options: CallOptions
  ) async throws(Status) -> Answer<[UInt8]> {
    try await ask(method, request, options: options).answer()
  }
}

/// A running call with one request and one answer.
public protocol PendingCall: Sendable {
  /// Waits for the outcome; to be called once, by the task that made the call. Cancelling that task cancels the call.
  func answer() async throws(Status) -> Answer<[UInt8]>
}

/// An answer with its metadata.
public struct Answer<Message: Sendable>: Sendable {
  public var message: Message
  public var initialMetadata: Metadata
  public var trailingMetadata: Metadata

  public init(message: Message, initialMetadata: Metadata = Metadata(), trailingMetadata: Metadata = Metadata()) {
    self.message = message
    self.initialMetadata = initialMetadata
    self.trailingMetadata = trailingMetadata
  }
}

/// A call with streams of messages. It is cancelled when its last reference is released.
public protocol OpenCall: AnyObject, Sendable {
  /// Sends a message if there is room now.
  func sendAtOnce(_ message: [UInt8]) throws(Status) -> Bool
  /// Sends a message, waiting until the receiver has room.
  func send(_ message: [UInt8]) async throws(Status)
  /// Declares that no further message follows.
  func finishSending()
  /// The next message if it has arrived; nil when the caller has to await `next`.
  func nextAtOnce() throws(Status) -> ArraySlice<UInt8>?
  /// The next message; nil when the call has ended OK.
  func next() async throws(Status) -> [UInt8]?
  /// The metadata that the handler sent before its first message.
  func initialMetadata() async throws(Status) -> Metadata
  /// The metadata that the handler sent at the end: empty until `next` has returned nil.
  var trailingMetadata: Metadata { get }
  func cancel()
}
