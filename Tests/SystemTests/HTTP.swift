import Base
import TestSupport
import Testing

/// HTTP requests by another program's client.
enum HTTP {
  /// The lines of the answer of `address`.
  static func fetch(_ address: String) async throws -> [String] {
    let script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"
    return try await ChildProcess.output(of: ChildCommand(Repository.python, ["-c", script, address])).lines
  }

  struct Answer: Sendable {
    let status: Int
    /// By their names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// - Parameter body: sent by POST; a GET without one.
  static func ask(
    _ address: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    let script = """
      import json, sys, urllib.error, urllib.request
      address, body = sys.argv[1], sys.argv[2].encode() or None
      fields = dict(line.split(": ", 1) for line in sys.argv[3:])
      try:
          answer = urllib.request.urlopen(urllib.request.Request(address, body, fields), timeout=30)
      except urllib.error.HTTPError as error:
          answer = error
      names = {name.lower(): value for name, value in answer.headers.items()}
      print(json.dumps({"status": answer.status, "headers": names}))
      # Lines have a bound.
      text = answer.read().hex()
      for start in range(0, len(text), 1000): print(text[start : start + 1000])
      """
    let lines = headers.map { "\($0): \($1)" }
    let (_, output) = try await ChildProcess.output(
      of: ChildCommand(Repository.python, ["-c", script, address, body ?? ""] + lines))
    let head = try #require(output.first, "nothing was answered by \(address)")
    try #require(head.hasPrefix("{"), "\(output)")
    let answer = JSONValue(parsing: head)
    return Answer(
      status: answer["status"].number ?? 0, headers: answer["headers"].members.compactMapValues(\.text),
      body: Hex.decode(output.dropFirst().joined()) ?? [])
  }
}
