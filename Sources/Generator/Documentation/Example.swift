/// A file below docs/api/examples: a call and its outcome, in JSON.
package struct Example: Equatable {
  /// The service's full name.
  package let service: String
  package let method: String
  /// Distinguishes it from other examples of the method; empty for the first one.
  package let variant: String
  package let text: String

  /// An example from its path below the folder, such as `assent.signature.v1.RenderService/Render-typed.json`.
  package init(path: String, text: String) throws(GeneratorError) {
    let parts = path.split(separator: "/")
    guard parts.count == 2, path.hasSuffix(".json") else {
      throw GeneratorError("docs/api/examples/\(path): examples are called <service>/<Method>[-<variant>].json")
    }
    let words = parts[1].dropLast(5).split(separator: "-", maxSplits: 1).map(String.init)
    service = String(parts[0])
    method = words.first ?? ""
    variant = words.count > 1 ? words[1] : ""
    var trimmed = text[...]
    while trimmed.last == "\n" { trimmed.removeLast() }
    self.text = String(trimmed)
  }

  /// Its path below the folder, without suffix: `assent.signature.v1.RenderService/Render-typed`.
  package var path: String { variant.isEmpty ? "\(service)/\(method)" : "\(service)/\(method)-\(variant)" }
}
