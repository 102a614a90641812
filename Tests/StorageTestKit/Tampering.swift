/// One way to change rows by hand, and what the check has to say of it.
public struct Tampering: Sendable {
  public let name: String
  public let sql: String
  public let finding: String

  public init(_ name: String, _ sql: String, _ finding: String) {
    (self.name, self.sql, self.finding) = (name, sql, finding)
  }

  // MARK: What the check says of rows

  public static func changed(_ table: String, _ key: String) -> String {
    "row (\(key)) of table '\(table)' is not what event"
  }

  public static func gone(_ table: String, _ key: String) -> String { "row (\(key)) of table '\(table)' is gone" }

  public static func invented(_ table: String, _ key: String) -> String {
    "row (\(key)) of table '\(table)': no event tells of it"
  }
}

extension TamperBench {
  /// The tamperings that the check does not name as it should, with what it says instead.
  public func unnamed(_ tamperings: [Tampering]) async throws -> [String] {
    var missed: [String] = []
    for tampering in tamperings {
      let problems = try await problems(after: tampering.sql)
      if !problems.contains(where: { $0.contains(tampering.finding) }) {
        missed.append("\(tampering.name): '\(tampering.finding)' is not among \(problems)")
      }
    }
    return missed
  }
}
