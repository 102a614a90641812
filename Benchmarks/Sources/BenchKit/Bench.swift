internal import Base

/// A part of the benchmarks: measures contenders in turn, collects rows, and reports them.
///
/// Contenders run interleaved (A B C, A B C, …), so that other load on the machine affects all of them; a row holds the
/// medians of those rounds. A row that cannot be measured keeps no other from being measured, but it is named at the
/// end, and the program then ends with a failure.
public struct Bench {
  public let options: Options
  private let part: String
  private let rounds: Int
  private var selection: Selection
  private var rows: [Row] = []
  private var broken: [(id: String, reason: String)] = []
  private let progress: Progress

  /// Measures a part, reports it, and ends the program: with a failure if a row is broken.
  public static func run(
    _ part: String, _ options: Options = Options(), _ measure: (inout Bench) async throws -> Void
  ) async {
    var bench = Bench(part: part, options: options)
    // When this returns, what it has started is ended, and its folders are removed.
    do { try await measure(&bench) } catch { bench.fail(part, "\(error)") }
    bench.finish()
    if !bench.faults.isEmpty { exitWithFailure() }
  }

  init(part: String, options: Options) {
    self.part = part
    self.options = options
    rounds = max(1, options.number("rounds", default: 7))
    selection = Selection(options.text("only"))
    progress = Progress("\(part): preparing")
    print("\(part): medians of \(rounds) rounds, contenders interleaved")
  }

  /// Whether `--only` asks for a row or for a group of rows: `id` is `ROW`, `ROW/PEER` or the group's name.
  public func selects(_ id: String) -> Bool { selection.contains(id) }

  /// Measures rows that belong together, if `--only` asks for the group or for one of them.
  ///
  /// An error ends this group alone. The report names the group with the error, and each row that has no figure for it.
  ///
  /// - Parameter names: the rows, where their names do not begin with the group's and a slash.
  public mutating func group(
    _ id: String, of names: [String] = [], _ measure: (inout Bench) async throws -> Void
  ) async {
    guard selection.begin(id, of: names) else { return }
    let before = rows.count + broken.count
    do {
      try await measure(&self)
    } catch {
      fail(id, "\(error)")
      for name in names where name != id && selects(name) && !isKnown(name) {
        fail(name, "not measured, because of the error in \(id)")
      }
    }
    selection.endGroup()
    if rows.count + broken.count == before { fail(id, "none of its rows was measured") }
  }

  /// One run of a contender; returns a figure in the row's unit.
  public typealias Measurement = () async throws -> Double

  /// Measures `ours` against every peer, and adds a row `id/peer` for each.
  ///
  /// If a peer cannot be measured, the report says why; the others are measured all the same.
  public mutating func compare(
    _ id: String, _ name: String, unit: Unit, ours: Measurement, peers: KeyValuePairs<String, Measurement>
  ) async {
    guard selects(id) else { return }
    let peers = peers.filter { selects("\(id)/\($0.key)") }
    var ourFigures: [Double] = []
    var peerFigures = [[Double]](repeating: [], count: peers.count)
    var absent: Set<Int> = []
    for round in 1...rounds {
      progress.begin("\(id): round \(round) of \(rounds)")
      guard let figure = await value(of: id, ours) else { return }
      ourFigures.append(figure)
      for (index, peer) in peers.enumerated() where !absent.contains(index) {
        if let figure = await value(of: "\(id)/\(peer.key)", peer.value) {
          peerFigures[index].append(figure)
        } else {
          absent.insert(index)
        }
      }
    }
    for (index, peer) in peers.enumerated() {
      let figure = absent.contains(index) ? nil : median(peerFigures[index])
      add(
        Row(
          id: "\(id)/\(peer.key)", name: name, unit: unit, value: median(ourFigures), peer: peer.key, peerValue: figure)
      )
    }
  }

  /// Measures something that has no peer.
  public mutating func measure(_ id: String, _ name: String, unit: Unit, _ ours: Measurement) async {
    guard selects(id) else { return }
    var figures: [Double] = []
    for round in 1...rounds {
      progress.begin("\(id): round \(round) of \(rounds)")
      guard let figure = await value(of: id, ours) else { return }
      figures.append(figure)
    }
    add(Row(id: id, name: name, unit: unit, value: median(figures)))
  }

  /// Names what is measured from now on, in lines that show how far a long measurement is.
  public func begin(_ step: String) { progress.begin(step) }

  /// Adds a figure that was measured elsewhere, such as a size or a count, if it is asked for.
  public mutating func report(
    _ id: String, _ name: String, unit: Unit, value: Double, peer: String? = nil, peerValue: Double? = nil
  ) {
    guard selects(id) else { return }
    guard value.isFinite, peerValue?.isFinite != false else {
      return fail(id, "the figure is \(value)\(peerValue.map { ", the peer's \($0)" } ?? "")")
    }
    add(Row(id: id, name: name, unit: unit, value: value, peer: peer, peerValue: peerValue))
  }

  /// Says that a row is broken, and why.
  public mutating func fail(_ id: String, _ reason: String) {
    broken.append((id, reason))
    progress.printedElsewhere()
    print("✗ \(id): \(reason)")
  }

  /// A figure of a contender; nil when there is none, and the row is broken. A time, a size or a rate of nothing means
  /// that nothing was done.
  private mutating func value(of id: String, _ measurement: Measurement) async -> Double? {
    do {
      let figure = try await measurement()
      if figure.isFinite, figure > 0 { return figure }
      fail(id, "the figure is \(figure)")
    } catch {
      fail(id, "\(error)")
    }
    return nil
  }

  /// What is wrong with the report: rows that are broken, and names that stand for nothing.
  var faults: [String] {
    let known = rows.map(\.id) + broken.map(\.id)
    if known.isEmpty, selection.unmet(by: known).isEmpty { return ["nothing was measured"] }
    return broken.map { "\($0.id): \($0.reason)" }
      + selection.unmet(by: known).map { "\($0): there is no such row or group" }
  }

  /// Prints the table, writes `.build/bench/PART.json`, and names what is wrong.
  private mutating func finish() {
    print("\n\(table(rows))\n")
    let path = ".build/bench/\(part).json"
    do {
      try Files.makeFolder(Repository.path(".build/bench"))
      try Files.write(Array(BenchKit.report(part: part, rows: rows).utf8), to: Repository.path(path))
      print("✓ \(path)")
    } catch {
      fail(path, "\(error)")
    }
    for fault in faults { print("✗ \(fault)") }
  }

  /// Whether a row has a figure, beside whatever peer, or is broken already.
  private func isKnown(_ name: String) -> Bool {
    (rows.map(\.id) + broken.map(\.id)).contains { $0 == name || $0.hasPrefix("\(name)/") }
  }

  private mutating func add(_ row: Row) {
    rows.append(row)
    progress.printedElsewhere()
    let ratio = row.ratio.map { ": \(rounded($0, digits: 2)) × \(row.peer ?? "")" } ?? ""
    print("✓ \(row.id)\(ratio)")
    progress.begin("after \(row.id)")
  }
}
