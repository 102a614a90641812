/// Why a file cannot be read as PDF. A file that is not fully understood is not judged at all.
public struct PDFReadError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  /// Whether the file may be valid, and takes more work or time than allowed.
  public let isExhaustion: Bool

  package init(_ description: String, isExhaustion: Bool = false) {
    self.description = description
    self.isExhaustion = isExhaustion
  }
}
