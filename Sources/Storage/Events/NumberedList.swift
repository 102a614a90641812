internal import Base

/// The end of a list whose entries have the numbers 1, 2, 3 … for ever, such as the versions of a document or the
/// entries of a record's history: how many there are, and a hash of all that was added.
///
/// The log's key makes a code of it, and events commit to it. So a number is never given twice, whatever is left in the
/// table of the entries, and an entry that is missing at the end shows like one in the middle.
public struct ListEnd: Hashable, Sendable {
  public let count: Int64
  let chain: Digest

  static let beginning = ListEnd(count: 0, chain: Digest(of: Array("assent list".utf8)))

  init(count: Int64, chain: Digest) { (self.count, self.chain) = (count, chain) }

  /// Reads the end from its row. The caller has to verify that this service wrote the row.
  init(unverified row: Row) throws(DatabaseError) {
    self.init(count: try row.get("count"), chain: try row.get("chain"))
  }

  /// The end after one more entry.
  func adding(_ entry: [UInt8]) -> ListEnd {
    var bytes = chain.bytes
    for value: Value in [.integer(count + 1), .bytes(entry)] { ValueCoding.append(value, to: &bytes) }
    return ListEnd(count: count + 1, chain: Digest(of: bytes))
  }
}

extension Snapshot {
  /// The end of a list. Throws unless the service wrote it.
  public func end(ofList name: String) throws(DatabaseError) -> ListEnd {
    try listEnd(in: try first(ListStatements.find, name), name)
  }

  /// Throws unless these are all entries of a list, in their order.
  public func verify(_ entries: some Sequence<[UInt8]>, areList name: String) throws(DatabaseError) {
    let end = try end(ofList: name)
    guard entries.reduce(ListEnd.beginning, { $0.adding($1) }) == end else {
      throw DatabaseError(
        .corrupt, "tenant '\(tenant)': list '\(name)' has \(end.count) entries, and those that are kept are others")
    }
  }

  fileprivate func listEnd(in row: Row?, _ name: String) throws(DatabaseError) -> ListEnd {
    guard let row else { return .beginning }
    let end = try ListEnd(unverified: row)
    guard try logKey().confirms(try row.get("code", as: [UInt8]?.self), of: .list(name, end, of: tenant)) else {
      throw DatabaseError(
        .corrupt, "tenant '\(tenant)': the end of list '\(name)' is not one that this service wrote: it was altered")
    }
    return end
  }
}

extension Transaction {
  /// How many entries a list has. Other transactions that add to it wait until this one ends.
  public func lockedCount(ofList name: String) throws(DatabaseError) -> Int64 {
    try listEnd(in: try first(ListStatements.lock, name), name).count
  }

  /// Adds an entry to a list. Returns its number.
  ///
  /// - Parameter entry: what `verify(_:areList:)` compares; empty for an entry that changes later.
  @discardableResult
  public func add(_ entry: [UInt8] = [], toList name: String) throws(DatabaseError) -> Int64 {
    let end = try listEnd(in: try first(ListStatements.lock, name), name).adding(entry)
    let code = try logKeyForWriting().code(of: .list(name, end, of: tenant))
    try run(ListStatements.put, name, end.count, end.chain, code)
    return end.count
  }
}

enum ListStatements {
  private static let columns = "SELECT count, chain, code FROM storage_lists WHERE tenant = {tenant} AND list = ?"
  static let find = Statement(own: "storage.lists.find", columns)
  static let lock = Statement(own: "storage.lists.lock", "\(columns) FOR UPDATE")
  static let put = Statement(
    own: "storage.lists.put",
    "INSERT INTO storage_lists (tenant, list, count, chain, code) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, list) DO UPDATE SET count = excluded.count, chain = excluded.chain, code = excluded.code")
}
