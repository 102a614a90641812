package import Base

/// A client's connection without its socket: bytes go in, and bytes come out.
package protocol ClientConnection: AnyObject {
  /// Called when there may be output, or room for input, although nothing was received.
  var onChange: () -> Void { get set }
  /// Takes bytes from the client.
  func receive(_ bytes: Span<UInt8>, at now: MonotonicTime)
  /// The client sends nothing more. Returns whether it is still to be answered.
  func endInput(at now: MonotonicTime) -> Bool
  /// Whether bytes would be read now.
  var wantsInput: Bool { get }
  /// Appends about `limit` bytes for the client to `buffer`; returns whether more may be left. Called when all that was
  /// returned before has been sent.
  func output(into buffer: inout [UInt8], upTo limit: Int, at now: MonotonicTime) -> Bool
  /// Whether the connection is to be closed once its output is sent.
  var isOver: Bool { get }
  /// Whether an answer that only the connection's end completes is not whole: the client must see a broken connection.
  var isBroken: Bool { get }
  /// The connection is gone.
  func lose()
  /// Why the server gave the connection up; nil if it did not.
  var fault: String? { get }
  /// How many requests the client has begun.
  var begun: Int { get }
  /// Whether any of the client's requests is unanswered.
  var hasRequests: Bool { get }
  /// Ends what takes too long. Called every few seconds.
  func check(at now: MonotonicTime)
  /// Asks the client to go elsewhere with its next requests. Those that still come are answered.
  func leave(at now: MonotonicTime)
  /// Lets the client's requests be answered, and takes no more of them. Called repeatedly.
  func drain(at now: MonotonicTime)
}

/// The protocol of a connection, by its first bytes.
enum SpokenProtocol {
  case http1
  case http2

  /// nil while it cannot be told. No request of HTTP/1.1 begins like HTTP/2's preface.
  init?(_ bytes: [UInt8]) {
    if !bytes.starts(with: Self.preface.prefix(bytes.count)) {
      self = .http1
    } else if bytes.count >= Self.preface.count {
      self = .http2
    } else {
      return nil
    }
  }

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\n".utf8)
}
