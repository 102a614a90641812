import Base
import TestSupport

/// HTTP requests by another program's client.
enum HTTP {
  /// The lines of the answer of `address`.
  static func fetch(_ address: String) async throws -> [String] {
    let script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"
    return try await ChildProcess.output(of: ChildCommand(Repository.python, ["-c", script, address])).lines
  }
}
