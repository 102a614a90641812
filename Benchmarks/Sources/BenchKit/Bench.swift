internal import Base

/// A part of the benchmarks: measures contenders in turn, collects rows, and reports them.
///
/// Contenders run interleaved (A B C, A B C, …), so that other load on the machine affects all of them; a row holds the
/// medians of those rounds.
public struct Bench {
  public let options: Options
  private let part: String
  private let rounds: Int
  /// The rows to measure; all of them if it is empty.
  private let only: [String]
  private var rows: [Row] = []
  private let progress: Progress

  public init(part: String, options: Options = Options()) {
    self.part = part
    self.options = options
    rounds = max(1, options.number("rounds", default: 7))
    only = options.text("only")?.split(separator: ",").map(String.init) ?? []
    progress = Progress("\(part): preparing")
    print("\(part): medians of \(rounds) rounds, contenders interleaved")
  }

  /// Whether `--only` asks for a row or for a group of rows: `id` is `ROW`, `ROW/PEER` or the group's name.
  public func selects(_ id: String) -> Bool {
    only.isEmpty || only.contains { $0 == id || id.hasPrefix("\($0)/") || $0.hasPrefix("\(id)/") }
  }

  /// One run of a contender; returns a figure in the row's unit.
  public typealias Measurement = () async throws -> Double

  /// Measures `ours` against every peer, and adds a row `id/peer` for each.
  ///
  /// If a peer cannot be measured, the report says why; the others are measured all the same.
  public mutating func compare(
    _ id: String, _ name: String, unit: Unit, ours: Measurement, peers: KeyValuePairs<String, Measurement>
  ) async throws {
    guard selects(id) else { return }
    let peers = peers.filter { selects("\(id)/\($0.key)") }
    var ourFigures: [Double] = []
    var peerFigures = [[Double]](repeating: [], count: peers.count)
    var absent: Set<Int> = []
    for round in 1...rounds {
      progress.begin("\(id): round \(round) of \(rounds)")
      ourFigures.append(try await ours())
      for (index, peer) in peers.enumerated() where !absent.contains(index) {
        do {
          peerFigures[index].append(try await peer.value())
        } catch {
          absent.insert(index)
          progress.printedElsewhere()
          print("– \(id)/\(peer.key) is not measured: \(error)")
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
  public mutating func measure(_ id: String, _ name: String, unit: Unit, _ ours: Measurement) async throws {
    guard selects(id) else { return }
    var figures: [Double] = []
    for round in 1...rounds {
      progress.begin("\(id): round \(round) of \(rounds)")
      figures.append(try await ours())
    }
    add(Row(id: id, name: name, unit: unit, value: median(figures)))
  }

  /// Names what is measured from now on, in lines that show how far a long measurement is.
  public func begin(_ step: String) { progress.begin(step) }

  /// Adds a figure that was measured elsewhere, such as a size or a count.
  public mutating func report(
    _ id: String, _ name: String, unit: Unit, value: Double, peer: String? = nil, peerValue: Double? = nil
  ) {
    add(Row(id: id, name: name, unit: unit, value: value, peer: peer, peerValue: peerValue))
  }

  /// Prints the table and writes `.build/bench/PART.json`.
  public func finish() throws {
    print("\n\(table(rows))\n")
    try Files.makeFolder(Repository.path(".build/bench"))
    let path = ".build/bench/\(part).json"
    try Files.write(Array(BenchKit.report(part: part, rows: rows).utf8), to: Repository.path(path))
    print("✓ \(path)")
  }

  private mutating func add(_ row: Row) {
    rows.append(row)
    progress.printedElsewhere()
    let ratio = row.ratio.map { ": \(rounded($0, digits: 2)) × \(row.peer ?? "")" } ?? ""
    print("✓ \(row.id)\(ratio)")
    progress.begin("after \(row.id)")
  }
}
