internal import Base

/// Checks one tenant's log and the rows to which its events commit, by replaying the log from its first event on: the
/// events' numbers, chain and codes; the signed tree and heads; that each event found a row as the event before had
/// left it; and that the rows which must exist do, as they must be, and no others.
///
/// It goes on in steps, each of which looks at a few hundred events, nodes or rows in a snapshot of its own. So it can
/// run for hours beside a service without keeping anything from it, in the memory of a few pages.
struct LogReplay: Sendable {
  let tenant: Tenant
  private let rows: ReplayedRows
  private let tables: CommittedTables
  private var stage = Stage.events
  private var log: EventCheck
  private var heads: SignedHeadCheck
  /// The number of the last event that was replayed. Somebody may have written any number.
  private var last = Int64.min
  private var hasBegun = false
  private(set) var found = Found()

  struct Found: Sendable {
    var problems: [LogProblem] = []
    var events = 0
    var heads = 0
    var givenHeads = 0
    var rows = 0
  }

  private enum Stage {
    case events
    case nodes(level: Int, after: Int64)
    case rows(table: Int, after: [Value])
    case unmet(after: (table: String, key: [UInt8]))
    case done
  }

  /// How many events, nodes or rows one step looks at.
  private static let step = 500

  /// - Parameter opensKeys: whether the master key is known, without which codes cannot be verified.
  init(
    of tenant: Tenant, tables: CommittedTables, givenHeads: [SignedCheckpoint] = [], trusted: [VerifyingKey] = [],
    opensKeys: Bool
  ) throws(DatabaseError) {
    self.tenant = tenant
    self.tables = tables
    rows = try ReplayedRows()
    log = EventCheck(of: tenant, opensKeys: opensKeys)
    heads = SignedHeadCheck(of: tenant, given: givenHeads, trusted: trusted)
  }

  var isDone: Bool { if case .done = stage { true } else { false } }

  /// Takes the next step. If it throws, it can be taken again. Returns how many things of which kind were looked at so
  /// far.
  mutating func step(_ snapshot: Snapshot) throws(DatabaseError) -> (count: Int, what: String) {
    let isReading = if case .events = stage { true } else { false }
    try rows.begin()
    if try replay(snapshot) { try advance(snapshot) }
    try rows.keep()
    return isReading
      ? (found.events, "events of tenant '\(tenant)' are read")
      : (found.rows, "rows of tenant '\(tenant)' are compared")
  }

  /// Replays the next events. Returns whether these were all that the snapshot has.
  private mutating func replay(_ snapshot: Snapshot) throws(DatabaseError) -> Bool {
    if !hasBegun { try log.begin(snapshot) }
    hasBegun = true
    heads.begin()
    let read = try snapshot.all(EventStatements.after, last, Self.step)
    var leaves: [(number: Int64, hash: Digest)] = []
    for row in read {
      let (event, problems) = try log.next(row)
      found.events += 1
      last = event.sequence
      note(problems, stream: event.stream)
      let leaf = event.leaf(of: tenant)
      leaves.append((event.sequence, leaf))
      note(try heads.note(leaf, snapshot))
      guard let changes = RowChange.list(event.changes) else {
        note(["what event \(event.sequence) commits to cannot be read"], stream: event.stream)
        continue
      }
      for change in changes {
        if let problem = try rows.note(change, event.sequence) { note([problem], stream: event.stream) }
      }
    }
    try compareLeaves(leaves, snapshot)
    return read.count < Self.step
  }

  private mutating func advance(_ snapshot: Snapshot) throws(DatabaseError) {
    switch stage {
    case .events:
      note(try log.end(snapshot).problems + log.codeProblems)
      note(try heads.end(snapshot))
      (found.heads, found.givenHeads) = (heads.fitting, heads.givenThatFit)
      let size: Int64 = try snapshot.first(TreeStatements.size)?.get("size") ?? 0
      if size > found.events { note(["its tree has \(size) events, the log \(found.events)"]) }
      stage = .nodes(level: 0, after: -1)
    case .nodes(let level, let after): try compareNodes(level, after, snapshot)
    case .rows(let table, let after): try compareRows(table, after, snapshot)
    case .unmet(let place): try lookForUnmet(place, snapshot)
    case .done: break
    }
  }

  private mutating func note(_ problems: [String], stream: String? = nil) {
    found.problems += problems.map { LogProblem(text: $0, stream: stream) }
  }

  // MARK: Tree

  /// Compares the stored leaves of the tree with the events that were read, as far as the tree covers them.
  private mutating func compareLeaves(
    _ leaves: [(number: Int64, hash: Digest)], _ snapshot: Snapshot
  ) throws(DatabaseError) {
    guard let first = leaves.first, let end = leaves.last else { return }
    let computed = Dictionary(leaves.map { ($0.number &- 1, $0.hash) }, uniquingKeysWith: { first, _ in first })
    for row in try snapshot.all(TreeStatements.range, 0, first.number &- 1, end.number &- 1) {
      let (position, hash): (Int64, [UInt8]) = (try row.get("position"), try row.get("hash"))
      guard let own = computed[position], own.bytes != hash else { continue }
      note(["event \(position &+ 1) is not the one that was hashed into the tree"])
    }
  }

  /// Compares the next nodes of a level with their children, and sees that none is missing and none too many.
  private mutating func compareNodes(_ level: Int, _ after: Int64, _ snapshot: Snapshot) throws(DatabaseError) {
    let size: Int64 = try snapshot.first(TreeStatements.size)?.get("size") ?? 0
    let count = max(size, 0) >> Int64(level)
    let nodes = try snapshot.all(TreeStatements.nextNodes, level, after, Self.step)
    var children: [Int64: [UInt8]] = [:]
    if level > 0, let first = nodes.first, let end = nodes.last {
      let (from, to): (Int64, Int64) = (try first.get("position"), try end.get("position"))
      for row in try snapshot.all(TreeStatements.range, level - 1, from &* 2, to &* 2 &+ 1) {
        children[try row.get("position")] = try row.get("hash")
      }
    }
    var expected = after + 1
    for row in nodes {
      let (position, hash): (Int64, [UInt8]) = (try row.get("position"), try row.get("hash"))
      guard position < count else {
        note(["node \(position) of level \(level) has no place in the tree"])
        stage = .nodes(level: level, after: position)
        return
      }
      if position != expected { note(["its tree lacks nodes of level \(level), from \(expected) on"]) }
      expected = position + 1
      guard level > 0, let left = children[position * 2], let right = children[position * 2 + 1] else { continue }
      guard let left = Digest(bytes: left), let right = Digest(bytes: right),
        MerkleTree.parent(left, right).bytes == hash
      else {
        note(["node \(position) of level \(level) is not the hash of its events"])
        continue
      }
    }
    guard nodes.count < Self.step else {
      stage = .nodes(level: level, after: expected - 1)
      return
    }
    if expected < count { note(["its tree lacks nodes of level \(level), from \(expected) on"]) }
    if level < 62 { stage = .nodes(level: level + 1, after: -1) } else { stage = .rows(table: 0, after: []) }
  }

  // MARK: Rows

  private var names: [String] { tables.shapes.keys.sorted() }

  private mutating func compareRows(_ table: Int, _ after: [Value], _ snapshot: Snapshot) throws(DatabaseError) {
    guard table < names.count, let shape = tables.shapes[names[table]] else {
      for name in try rows.tables() where tables.shapes[name] == nil {
        note(["events commit to rows of table '\(name)', of which storage_shapes says nothing"])
      }
      stage = .unmet(after: ("", []))
      return
    }
    let name = names[table]
    let reading = RowReading(name: name, shape: shape, connection: snapshot.connection)
    let page = try reading.page(of: tenant, after: after, limit: Self.step)
    var previous: [UInt8]?
    for row in page {
      let title = RowChange.title(of: row.key, in: name)
      // Possible only if somebody removed the table's own key.
      if row.key == previous { note(["\(title) is there more than once"]) }
      previous = row.key
      guard let logged = try rows.meet(name, row.key) else {
        note(["\(title): no event tells of it"])
        continue
      }
      if logged.digest == row.digest {
        found.rows += 1
      } else {
        note(
          [
            logged.digest == nil
              ? "\(title) is there, and event \(logged.event) tells of its removal"
              : "\(title) is not what event \(logged.event) committed to"
          ], stream: try snapshot.stream(of: logged.event))
      }
    }
    if page.count == Self.step, let last = page.last {
      stage = .rows(table: table, after: last.columns.prefix(shape.key.count).map(\.value))
    } else {
      stage = .rows(table: table + 1, after: [])
    }
  }

  /// Looks for the next rows that there must be, and that were not met.
  private mutating func lookForUnmet(_ place: (table: String, key: [UInt8]), _ snapshot: Snapshot) throws(DatabaseError)
  {
    let page = try rows.unmet(after: place, limit: Self.step)
    for logged in page {
      guard let shape = tables.shapes[logged.table] else { continue }
      // It may have been made since the rows of its table were read.
      let reading = RowReading(name: logged.table, shape: shape, connection: snapshot.connection)
      if try reading.digest(of: tenant, key: RowChange.values(of: logged.key)) == logged.digest { continue }
      let title = RowChange.title(of: logged.key, in: logged.table)
      note(
        ["\(title) is gone, and event \(logged.event) committed to it"], stream: try snapshot.stream(of: logged.event))
    }
    stage = page.count == Self.step ? .unmet(after: (page[page.count - 1].table, page[page.count - 1].key)) : .done
  }
}

extension Snapshot {
  /// The stream of an event; nil if the event is not there.
  fileprivate func stream(of event: Int64) throws(DatabaseError) -> String? {
    try first(TreeStatements.events, event)?.get("stream")
  }
}
