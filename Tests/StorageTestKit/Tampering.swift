/// One way to change rows by hand, an ordinary change of the same object by the service after it, and what the check
/// has to say of it whatever the service did.
public struct Tampering<World: Sendable>: Sendable {
  public typealias Change = @Sendable (World) async throws -> Void

  public let name: String
  let sql: String
  /// What `assent data check` says.
  let finding: String
  /// What the service finds by itself, which knows no heads that were kept elsewhere.
  let own: String
  fileprivate(set) var change: Change = { _ in }
  /// Whether the service sees the damage itself, and refuses the change.
  fileprivate(set) var isRefused = false

  public init(_ name: String, _ sql: String, _ finding: String, own: String? = nil) {
    (self.name, self.sql, self.finding, self.own) = (name, sql, finding, own ?? finding)
  }

  /// A tampering with one row, which has to be named. The table's own name says where it is.
  public init(_ name: String, _ sql: String, in table: String, _ key: String) {
    self.init(name, sql, "row (\(key)) of table '\(table)'")
  }
}

extension Array {
  /// The same tamperings, each followed by this change.
  public func then<World>(_ change: @escaping Tampering<World>.Change) -> Self where Element == Tampering<World> {
    map { one in
      var one = one
      one.change = change
      return one
    }
  }

  /// The same tamperings, each followed by this change, which the service refuses.
  public func thenRefused<World>(_ change: @escaping Tampering<World>.Change) -> Self
  where Element == Tampering<World> {
    then(change).map { one in
      var one = one
      one.isRefused = true
      return one
    }
  }
}
