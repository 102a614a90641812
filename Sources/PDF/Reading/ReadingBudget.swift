/// How much work may be spent on reading and checking one file, with its earlier revisions, proofs and signatures.
///
/// Bounds on single parts do not bound their sum: a few megabytes may name a thousand streams that decompress to
/// gigabytes, or ten thousand signatures that each cover the whole file. Work is counted rather than timed, so that
/// every machine accepts or refuses the same files. In addition, whoever waits for the answer says when it comes too
/// late.
public final class ReadingBudget {
  public enum Work: Sendable {
    /// Bytes that came out of compressed streams.
    case unpackedBytes
    /// Bytes that were read, or hashed for a signature.
    case readBytes
    /// Checks of signatures with a public key, including those of certificates and revocations.
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
  /// Why nothing more is done for the file; nil while work may go on. Once it is set, whatever was found out before is
  /// not a result.
  public private(set) var end: PDFReadError?

  /// - Parameter isOver: called repeatedly to ask whether to give up the file.
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

  /// The same, for callers that can throw.
  public func take(_ amount: Int, _ work: Work) throws(PDFReadError) {
    _ = spend(amount, work)
    try check()
  }

  /// Returns work that was counted and then not needed.
  public func giveBack(_ amount: Int, _ work: Work) {
    spent[work, default: 0] -= amount
  }

  public func check() throws(PDFReadError) {
    if let end { throw end }
  }
}
