/// How much work the reading and checking of one file may take: its earlier revisions, proofs and signatures included.
///
/// What is bounded one by one adds up: a few megabytes may name a thousand streams that unpack to gigabytes, or ten
/// thousand signatures that each cover all of them. Counts rather than seconds: the same file is taken or refused on
/// every machine. Whoever waits for an answer says besides when it is too late for one.
public final class ReadingBudget {
  public enum Work: Sendable {
    /// Bytes that came out of compressed streams.
    case unpackedBytes
    /// Bytes that were read, or hashed for a signature.
    case readBytes
    /// Signatures that were checked with a public key, of certificates and revocations too.
    case keyChecks

    fileprivate var bound: Int {
      switch self {
      case .unpackedBytes: 256 << 20
      case .readBytes: 2 << 30
      case .keyChecks: 4000
      }
    }

    fileprivate var words: String {
      switch self {
      case .unpackedBytes: "unpacks to more than \(bound) bytes"
      case .readBytes: "takes more than \(bound) bytes to be read and hashed"
      case .keyChecks: "takes more than \(bound) checks with public keys"
      }
    }
  }

  private var spent: [Work: Int] = [:]
  private let isOver: () -> Bool
  /// Why nothing more is done for the file. Whatever was found out until then is no answer.
  public private(set) var end: PDFReadError?

  /// - Parameter isOver: asked again and again whether to give the file up.
  public init(isOver: @escaping () -> Bool = { false }) {
    self.isOver = isOver
  }

  /// Counts work before it is done.
  ///
  /// - Returns: whether it may be done.
  public func spend(_ amount: Int, _ work: Work) -> Bool {
    if end == nil, isOver() { end = PDFReadError("reading takes too long", isExhaustion: true) }
    guard end == nil else { return false }
    let all = spent[work, default: 0] + amount
    spent[work] = all
    if all > work.bound { end = PDFReadError("the file \(work.words), as many as may be", isExhaustion: true) }
    return end == nil
  }

  /// The same where there is somebody to tell.
  public func take(_ amount: Int, _ work: Work) throws(PDFReadError) {
    _ = spend(amount, work)
    try check()
  }

  /// Takes back what was counted and then was not needed.
  public func giveBack(_ amount: Int, _ work: Work) {
    spent[work, default: 0] -= amount
  }

  public func check() throws(PDFReadError) {
    if let end { throw end }
  }
}
