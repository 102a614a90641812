/// Swift source text that is being built, with its indentation.
struct SourceText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String = "") {
    text += line.isEmpty ? "\n" : String(repeating: "  ", count: depth) + line + "\n"
  }

  /// A block between braces.
  mutating func block<E: Error>(_ head: String, _ body: (inout SourceText) throws(E) -> Void) throws(E) {
    line("\(head) {")
    depth += 1
    try body(&self)
    depth -= 1
    line("}")
  }

  /// A call with a trailing closure.
  mutating func closure(_ call: String, _ signature: String, _ body: (inout SourceText) -> Void) {
    line("\(call) { \(signature) in")
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// A documentation comment.
  mutating func documentation(_ comment: String) {
    guard !comment.isEmpty else { return }
    for each in comment.split(separator: "\n", omittingEmptySubsequences: false) {
      line(each.isEmpty ? "///" : "/// \(each)")
    }
  }

  /// A list in the given brackets, one element a line.
  mutating func list(open: String, _ elements: [String], close: String) {
    line(open)
    depth += 1
    for (index, element) in elements.enumerated() { line(index == elements.count - 1 ? element : "\(element),") }
    depth -= 1
    line(close)
  }
}
