/// The folder of the sources: tests run where they were built.
package enum Repository {
  package static let root = String(#filePath.dropLast("/Tests/TestSupport/Repository.swift".count))

  /// A path below the root.
  package static func path(_ relative: String) -> String {
    "\(root)/\(relative)"
  }

  /// The Python of the project's own environment, made by `scripts/lib/setup test`.
  package static let python = path(".build/venv/bin/python")
}
