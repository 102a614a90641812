/// The programs that were built together with the running tests.
package enum Products {
  /// The path of a program: `Products.program("gateway")`.
  package static func program(_ name: String) -> String {
    "\(folder)/\(name)"
  }

  /// The folder of the test bundle, which differs between a sanitizer's build and the usual one.
  package static let folder: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? Repository.path(".build/debug/tests.xctest")
    let above = bundle.firstRange(of: ".xctest").map { bundle[..<$0.lowerBound] } ?? bundle[...]
    return above.lastIndex(of: "/").map { String(above[..<$0]) } ?? "."
  }()
}
