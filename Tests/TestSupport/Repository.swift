/// Where the sources stand: tests run where they were built.
package enum Repository {
  package static let root = String(#filePath.dropLast("/Tests/TestSupport/Repository.swift".count))

  /// A path below the root.
  package static func path(_ relative: String) -> String {
    "\(root)/\(relative)"
  }

  /// The Python of the project's own environment, which `scripts/lib/setup test` makes.
  package static let python = path(".build/venv/bin/python")
}
