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
  ///
  /// - Parameter rounds: how many, unless the options say so.
  public static func run(
    _ part: String, _ options: Options = Options(), rounds: Int = 7, _ measure: (inout Bench) async throws -> Void
  ) async {
    var bench = Bench(part: part, options: options, rounds: rounds)
    // When this returns, what it has started is ended, and its folders are removed.
    do { try await measure(&bench) } catch { bench.fail(part, "\(error)") }
    bench.finish()
    if !bench.faults.isEmpty { exitWithFailure() }
  }

  init(part: String, options: Options, rounds: Int = 7) {
    self.part = part
    self.options = options
    self.rounds = max(1, options.number("rounds", default: rounds))
    selection = Selection(options.text("only"))
    progress = Progress("\(part): preparing")
    print("\(part): medians of \(self.rounds) rounds, contenders interleaved")
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
      // Further aspects of a row go without saying.
      let rows = names.filter { name in !names.contains { name.hasPrefix("\($0)_") && selects($0) } }
      for name in rows where name != id && selects(name) && !isKnown(name) {
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
    _ id: String, _ name: String, unit: Unit, ours: @escaping Measurement, peers: KeyValuePairs<String, Measurement>
  ) async {
    await compare(
      [Aspect("", "", unit)], ours: [Contender(id, name) { [try await ours()] }],
      peers: peers.map { peer in Contender(peer.key, "") { [try await peer.value()] } })
  }

  /// Measures several contenders of ours against every peer, with several figures of each run, and adds a row
  /// `CONTENDER``ASPECT/PEER` for each.
  ///
  /// Who cannot be measured is left out from then on, and the report says why.
  public mutating func compare(_ aspects: [Aspect], ours: [Contender], peers: [Contender]) async {
    let ours = ours.filter { our in aspects.contains { selects(our.id + $0.suffix) } }
    let peers = peers.filter { peer in
      ours.contains { our in aspects.contains { selects("\(our.id)\($0.suffix)/\(peer.id)") } }
    }
    var figures = [[[Double]]](repeating: [], count: ours.count + peers.count)
    var absent: Set<Int> = []
    for round in 1...rounds {
      for (index, contender) in (ours + peers).enumerated() where !absent.contains(index) {
        // Peers alone are no comparison.
        if absent.isSuperset(of: ours.indices) { return }
        let step = index < ours.count ? contender.id : "\(ours[0].id)/\(contender.id)"
        progress.begin("\(step): round \(round) of \(rounds)")
        do throws(NoFigure) {
          figures[index].append(try await contender.figures(aspects.count))
        } catch {
          absent.insert(index)
          let rows = index < ours.count ? [contender.id] : ours.map { "\($0.id)/\(contender.id)" }
          for row in rows { fail(row, error.description) }
        }
      }
    }
    for (place, our) in ours.enumerated() where !absent.contains(place) {
      for (number, aspect) in aspects.enumerated() {
        let middle = { (index: Int) in median(figures[index].map { $0[number] }) }
        for (index, peer) in peers.enumerated() where selects("\(our.id)\(aspect.suffix)/\(peer.id)") {
          let place = (ours: place, peer: ours.count + index)
          add(
            Row(
              id: "\(our.id)\(aspect.suffix)/\(peer.id)", name: our.name + aspect.name, unit: aspect.unit,
              value: middle(place.ours), peer: peer.id,
              peerValue: absent.contains(place.peer) ? nil : middle(place.peer),
              isInTable: aspect.suffix.isEmpty || !selects(our.id)))
        }
      }
    }
  }

  /// Measures something that has no peer.
  public mutating func measure(_ id: String, _ name: String, unit: Unit, _ ours: @escaping Measurement) async {
    guard selects(id) else { return }
    let contender = Contender(id, name) { [try await ours()] }
    var figures: [Double] = []
    for round in 1...rounds {
      progress.begin("\(id): round \(round) of \(rounds)")
      do throws(NoFigure) { figures += try await contender.figures(1) } catch { return fail(id, error.description) }
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

  /// What is wrong with the report: rows that are broken, and names that stand for nothing.
  var faults: [String] {
    let known = rows.map(\.id) + broken.map(\.id)
    if known.isEmpty, selection.unmet(by: known).isEmpty { return ["nothing was measured"] }
    return broken.map { "\($0.id): \($0.reason)" }
      + selection.unmet(by: known).map { "\($0): there is no such row or group" }
  }

  /// Prints the table, writes `.build/bench/PART.json`, and names what is wrong.
  private mutating func finish() {
    print("\n\(table(rows.filter(\.isInTable)))\n")
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
    guard row.isInTable else { return }
    progress.printedElsewhere()
    let ratio = row.ratio.map { ": \(rounded($0, digits: 2)) × \(row.peer ?? "")" } ?? ""
    print("✓ \(row.id)\(ratio)")
    progress.begin("after \(row.id)")
  }
}
