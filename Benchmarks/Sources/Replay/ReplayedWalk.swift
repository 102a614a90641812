internal import Base

/// What a bare loop executes for one walk: the transactions of two walks that a trace shows. A value that was the same
/// in both stays; one that was not is made anew for each walk.
package struct ReplayedWalk: Equatable, Sendable {
  package struct Statement: Equatable, Sendable {
    package let sql: String
    package let values: [Value]
  }

  package enum Value: Equatable, Sendable {
    case null
    /// A number that grows by `step` from walk to walk.
    case number(Int64, step: Int64)
    case real(String)
    case text(String)
    case bytes([UInt8])
    /// A text of this length that no other walk has. Within a walk, the same name stands for the same text.
    case newText(name: Int, length: Int)
    /// Bytes that cannot be compressed.
    case newBytes(Int)
  }

  package let calls: [[Statement]]

  package var statementCount: Int { calls.reduce(0) { $0 + $1.count } }

  /// Finds two walks, one after the other, that executed the same statements.
  package init(tracedIn walks: [[[TracedStatement]]]) throws(TraceError) {
    for (earlier, later) in zip(walks, walks.dropFirst())
    where earlier.count == later.count && zip(earlier, later).allSatisfy({ $0.hasStatements(of: $1) }) {
      var pairing = Pairing(later.joined(), earlier.joined())
      calls = zip(later, earlier).map { pairing.statements($0, $1) }
      return
    }
    let counts = walks.map { "\($0.map(\.count))" }.joined(separator: ", ")
    throw TraceError("no two walks that follow each other execute the same statements: \(counts)")
  }
}

/// Compares a walk with the one before it, value by value.
private struct Pairing {
  /// The texts that both walks used, wherever they did.
  private let common: Set<TracedValue>
  private var names: [String: Int] = [:]

  init(_ walk: some Sequence<TracedStatement>, _ before: some Sequence<TracedStatement>) {
    common = Set(walk.lazy.flatMap(\.values)).intersection(before.lazy.flatMap(\.values))
  }

  mutating func statements(
    _ walk: [TracedStatement], _ before: [TracedStatement]
  ) -> [ReplayedWalk.Statement] {
    zip(walk, before).map { statement, earlier in
      ReplayedWalk.Statement(
        sql: statement.sql, values: zip(statement.values, earlier.values).map { value($0, $1) })
    }
  }

  private mutating func value(_ value: TracedValue, _ before: TracedValue) -> ReplayedWalk.Value {
    switch value {
    case .null: return .null
    case .real(let number): return .real(number)
    case .number(let number):
      guard case .number(let earlier) = before else { return .number(number, step: 0) }
      return .number(number, step: number - earlier)
    case .text(let text):
      if common.contains(value) { return .text(text) }
      let name = names[text] ?? names.count
      names[text] = name
      return .newText(name: name, length: text.utf8.count)
    case .bytes(let bytes):
      return value == before ? .bytes(bytes) : .newBytes(bytes.count)
    }
  }
}
