/// A receiver of webhooks as a process of its own: Tests/Fixtures/webhook_receiver.py says what habits it has.
package final class WebhookReceiver: Sendable {
  /// A request that it got.
  package struct Message: Sendable {
    package let habit: String
    package let id: String
    package let timestamp: String
    package let signatures: [String]
    package let body: String
    package let kind: String
    package let sequence: Int
    package let studyID: String
    /// The status that it answered; 0 for none.
    package let status: Int

    package var isAccepted: Bool { (200...299).contains(status) }
  }

  private let program: RunningProgram
  private let port: String

  package static func start() async throws -> WebhookReceiver {
    let program = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/webhook_receiver.py")])
    let line = await program.line(containing: "ready ")
    return WebhookReceiver(program, port: String(line?.split(separator: " ").last ?? "0"))
  }

  private init(_ program: RunningProgram, port: String) {
    self.program = program
    self.port = port
  }

  package func address(_ habit: String) -> String { "http://127.0.0.1:\(port)/\(habit)" }

  /// The same by a name, which leads to an address of this machine.
  package func addressByName(_ habit: String) -> String { "http://localhost:\(port)/\(habit)" }

  /// Everything that it got, in the order in which it came.
  package func messages(_ habit: String) -> [Message] {
    program.lines.filter { $0.hasPrefix("{") }.map { Message(JSONValue(parsing: $0)) }.filter { $0.habit == habit }
  }
}

extension WebhookReceiver.Message {
  fileprivate init(_ line: JSONValue) {
    let body = line["body"].text ?? ""
    let content = JSONValue(parsing: body)
    habit = line["habit"].text ?? ""
    id = line["id"].text ?? ""
    timestamp = line["timestamp"].text ?? ""
    signatures = (line["signature"].text ?? "").split(separator: " ").map(String.init)
    self.body = body
    kind = content["type"].text ?? ""
    sequence = content["data"]["sequence"].number ?? 0
    studyID = content["data"]["study_id"].text ?? ""
    status = line["status"].number ?? 0
  }
}
