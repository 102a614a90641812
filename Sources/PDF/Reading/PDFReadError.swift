/// Why a file cannot be read as PDF. A file that is not understood whole is not judged at all.
public struct PDFReadError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  package init(_ description: String) {
    self.description = description
  }
}
