package import Base
import Testing

/// Libraries that a program loads before all others (`LD_PRELOAD`), so that it meets another clock, disk or network.
package enum PreloadedLibrary {
  /// - Parameter source: a file of C in Tests/Fixtures.
  /// - Returns: the path of the library.
  package static func compile(_ source: String, in folder: TemporaryFolder) async throws -> String {
    let name = source.split(separator: "/").last ?? ""
    let library = folder.file("\(name).so")
    let command = ChildCommand(
      "gcc", ["-shared", "-fPIC", "-O1", "-o", library, Repository.path("Tests/Fixtures/\(source)")])
    let compiled = try await ChildProcess.output(of: command)
    try #require(compiled.exit.isSuccess, "\(compiled.lines)")
    return library
  }
}
