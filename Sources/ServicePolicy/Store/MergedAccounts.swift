public import Storage

/// The accounts that AccountService merged into another account of the same person, as a service that has data under
/// their identifiers records them. Data stay under the identifier of the ended account; the holder of the staying
/// account counts as that person as well.
public enum MergedAccounts {
  private static let put = Statement(
    "merged.put",
    "INSERT INTO merged_accounts (tenant, ended, staying) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, ended) DO NOTHING")
  private static let find = Statement(
    "merged.find", "SELECT staying FROM merged_accounts WHERE tenant = {tenant} AND ended = ?")
  private static let list = Statement(
    "merged.list", "SELECT ended FROM merged_accounts WHERE tenant = {tenant} AND staying = ? ORDER BY ended")

  /// The merges of which these are one side or the other. With OR, SQLite would read all merges of the tenant.
  private static let merges = ["ended", "staying"].map { side in
    ListStatement(
      "merged.merges-\(side)",
      "SELECT m.ended, m.staying FROM {list} AS listed JOIN merged_accounts AS m "
        + "ON m.tenant = {tenant} AND m.\(side) = listed.value")
  }

  public static let statements = [put, find, list] + merges.flatMap(\.statements)

  public static let coverage = TableCoverage("merged_accounts", key: ["ended"], committed: ["staying"])

  /// The part of a service's migration that makes the table.
  public static let table = """
    CREATE TABLE merged_accounts (
      tenant TEXT NOT NULL, ended TEXT NOT NULL, staying TEXT NOT NULL, PRIMARY KEY (tenant, ended));
    CREATE INDEX merged_accounts_by_staying ON merged_accounts (tenant, staying, ended);
    """

  /// Records that an account was merged into another; returns false if that is recorded already. Refuses to merge an
  /// account into a second one, and to merge two accounts into each other.
  public static func note(_ ended: Subject, into staying: Subject, _ transaction: Transaction) throws -> Bool {
    if let known = try account(after: ended.id, transaction) {
      guard known == staying.id else { throw refusal("ended_id: '\(ended.id)' was merged into another account before") }
      return false
    }
    guard try owner(of: staying.id, transaction) != ended.id else {
      throw refusal("ended_id: '\(staying.id)' was itself merged into '\(ended.id)'")
    }
    try transaction.run(put, ended.id, staying.id)
    return true
  }

  private static func refusal(_ message: String) -> Refusal {
    Refusal(.precondition, "person_gone", field: "ended_id", message)
  }

  /// The account that an ended one was merged into; nil when it has not ended.
  private static func account(after ended: String, _ snapshot: Snapshot) throws -> String? {
    try snapshot.first(find, ended)?.get("staying")
  }

  /// The account that an identifier stands for now.
  public static func owner(of id: String, _ snapshot: Snapshot) throws -> String {
    try successors(of: id, snapshot).last ?? id
  }

  /// The accounts that this one was merged into: first the one it was merged into directly, then the one that account
  /// was merged into, and so on.
  public static func successors(of id: String, _ snapshot: Snapshot) throws -> [String] {
    var found: [String] = []
    while let next = try account(after: found.last ?? id, snapshot), next != id, !found.contains(next) {
      found.append(next)
    }
    return found
  }

  /// The accounts that were merged into this one, directly or by way of others.
  public static func ended(into id: String, _ snapshot: Snapshot) throws -> [String] {
    var (found, open) = ([String](), [id])
    while let next = open.popLast() {
      let direct = try snapshot.all(list, next).map { try $0.get("ended", as: String.self) }
      let new = direct.filter { $0 != id && !found.contains($0) }
      found += new
      open += new
    }
    return found
  }

  /// All identifiers of the person who has this one: first that of the staying account, then those of the accounts
  /// merged into it.
  public static func names(of id: String, _ snapshot: Snapshot) throws -> [String] {
    let owner = try owner(of: id, snapshot)
    return try [owner] + ended(into: owner, snapshot)
  }

  /// The same of many people, in as many statements as there are merges in a row. The merges are not verified.
  public static func names(of ids: Set<String>, _ snapshot: Snapshot) throws -> [String: Set<String>] {
    var neighbours: [String: Set<String>] = [:]
    var (known, open) = (ids, ids)
    while !open.isEmpty {
      for row in try merges.flatMap({ try snapshot.all($0, about: open.sorted()) }) {
        let (ended, staying): (String, String) = (try row.get("ended"), try row.get("staying"))
        neighbours[ended, default: []].insert(staying)
        neighbours[staying, default: []].insert(ended)
      }
      open = Set(neighbours.keys).subtracting(known)
      known.formUnion(open)
    }
    return ids.reduce(into: [:]) { names, id in
      var (found, open) = ([id] as Set, [id])
      while let next = open.popLast() {
        for other in neighbours[next] ?? [] where found.insert(other).inserted { open.append(other) }
      }
      names[id] = found
    }
  }
}

/// The relations of a service that records nothing about people but which of their accounts were merged.
public struct MergedRelations: Relations {
  private let snapshot: Snapshot

  public init(snapshot: Snapshot) {
    self.snapshot = snapshot
  }

  public func accounts(mergedInto person: String) throws -> [String] {
    try MergedAccounts.ended(into: person, snapshot)
  }
}
