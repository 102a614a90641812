import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite struct EvidenceTests {
  private let verifier = EvidenceVerifier(trusting: [EvidenceKey.example().verifyingKey])

  @Test("a bundle is valid offline, and says what was erased", arguments: TestEngine.allCases)
  func valid(engine: TestEngine) async throws {
    let made = try await LetterCase.make(engine)
    let json = try await made.bundle()
    let report = verifier.verify(Array(json.utf8))
    #expect(report.problems == [] && report.erased == 1)
    #expect(
      report.summary == "proof intact, content erased: 6 events, 4 rows, 2 commitments, 1 contents, 1 of them erased")
    // Before the erasure's own commitment is asked for, nothing is erased.
    var selection = EvidenceSelection()
    selection.commitments = [made.commitments[0]]
    let log = try await made.signer.evidence(of: .named("a"), selection)
    let other = verifier.verify(Array(try EvidenceBundle(about: [], logs: [log, log]).json.utf8))
    #expect(other.summary == "valid: 2 events, 2 rows, 2 commitments, 0 contents")
    #expect(
      EvidenceVerifier(trusting: [EvidenceKey.example("66").verifyingKey]).verify(Array(json.utf8)).problems
        .map(\.kind) == [.signature])
  }

  @Test("evidence of what was tampered with is refused", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let tamperings: [(sql: String, selection: (LetterCase) -> EvidenceSelection)] = [
      (
        "UPDATE letters SET state = 'given' WHERE tenant = 'a' AND id = 'l-3'",
        { _ in
          var selection = EvidenceSelection()
          selection.rows = [("letters", [.text("l-3")])]
          return selection
        }
      ),
      (
        engine.unguarding("storage_events")
          + "UPDATE storage_events SET type = 'x' WHERE tenant = 'a' AND sequence = 2",
        { _ in
          var selection = EvidenceSelection()
          selection.events = [2]
          return selection
        }
      ),
      (
        "DELETE FROM letters WHERE tenant = 'a' AND id = 'l-1'",
        { _ in
          var selection = EvidenceSelection()
          selection.rows = [("letters", [.text("l-1")])]
          return selection
        }
      ),
      (
        "UPDATE storage_vault_commitments SET label = 'x' WHERE tenant = 'a'",
        { made in
          var selection = EvidenceSelection()
          selection.commitments = [made.commitments[0]]
          return selection
        }
      ),
    ]
    let made = try await LetterCase.make(engine)
    for tampering in tamperings {
      try await made.test.location.alter(tampering.sql, schema: made.test.schema.name)
      let error = await #expect(throws: DatabaseError.self) {
        try await made.signer.evidence(of: .named("a"), tampering.selection(made))
      }
      #expect(error?.code == .corrupt, "\(tampering.sql)")
    }
  }

  @Test("our verifier and the one in Python agree on good bundles and on every alteration")
  func agreement() async throws {
    let made = try await LetterCase.make(.sqlite)
    let json = try await made.bundle()
    let bench = try AgreementBench(folder: made.test.folder)
    for python in AgreementBench.pythons { #expect(try await bench.verdicts(json, python) == []) }
    for alteration in BundleAlteration.list {
      let altered = alteration.change(json)
      #expect(altered != json, "\(alteration.name) changes nothing")
      // What a bundle has to look like is checked by other means than the rest.
      for python in alteration.kind == .format && LongTests.areWanted ? AgreementBench.pythons : [[:]] {
        let verdicts = try await bench.verdicts(altered, python)
        #expect(verdicts.contains { $0.hasPrefix("\(alteration.kind.rawValue): ") }, "\(alteration.name): \(verdicts)")
      }
    }
  }

  @Test("a row of an older bundle under a newer head is refused, though the events after it are left out")
  func olderRow() async throws {
    let made = try await LetterCase.make(.sqlite, withdraws: false)
    var selection = EvidenceSelection()
    selection.streams = ["l-3"]
    selection.rows = [("letters", [.text("l-3")])]
    func bundle() async throws -> String {
      let log = try await made.signer.evidence(of: .named("a"), selection)
      return try EvidenceBundle(about: [], logs: [log]).json
    }
    let given = try await bundle()
    try await made.test.database.scope(.named("a")).write { transaction in
      try transaction.run(LetterStore.setState, "withdrawn", "l-3")
      transaction.append("letter", Array("withdrawn".utf8), to: "l-3")
    }
    let withdrawn = try await bundle()
    #expect(given.contains("[\"state\",\"given\"]") && withdrawn.contains("[\"state\",\"withdrawn\"]"))
    let bench = try AgreementBench(folder: made.test.folder)
    for honest in [given, withdrawn] { #expect(try await bench.verdicts(honest, [:]) == []) }
    let origin = "test/\(made.test.schema.name)/a"
    #expect(verifier.verify(Array(given.utf8)).lines[1].hasPrefix("  \(origin): as of event 17, "))
    #expect(verifier.verify(Array(withdrawn.utf8)).lines[1].hasPrefix("  \(origin): as of event 18, "))
    // The head and the proofs are from after the withdrawal, the row is from before it, and the withdrawal is missing.
    let lacking = try Self.replacing(",{\"sequence\":18,", "}", in: withdrawn, by: "")
    let rows = try Self.part("\"rows\":", "\"commitments\":", of: given)
    let older = try Self.replacing("\"rows\":", "\"commitments\":", in: lacking, by: rows)
    let statement = try Self.part("\"shown\":", "\"earlier\":", of: given)
    let foreign = try Self.replacing("\"shown\":", "\"earlier\":", in: older, by: statement)
    for forged in [older, foreign] {
      #expect(forged.contains("[\"state\",\"given\"]") && !forged.contains("withdrawn"))
      #expect(try await bench.verdicts(forged, [:]) == ["incomplete: \(origin), shown"])
    }
    // Without the row, the rest is no whole either.
    let without = try Self.replacing("\"rows\":", "\"commitments\":", in: withdrawn, by: "\"rows\":[],\"commitments\":")
    #expect(try await bench.verdicts(without, [:]) == ["incomplete: \(origin), shown"])
  }

  /// From a text up to the end of the next place of another one.
  private static func range(_ start: String, _ end: String, of json: String) throws -> Range<String.Index> {
    let first = try #require(json.firstRange(of: start))
    let last = try #require(json[first.upperBound...].firstRange(of: end))
    return first.lowerBound..<last.upperBound
  }

  private static func part(_ start: String, _ end: String, of json: String) throws -> String {
    String(json[try range(start, end, of: json)])
  }

  private static func replacing(_ start: String, _ end: String, in json: String, by new: String) throws -> String {
    let range = try range(start, end, of: json)
    return String(json[..<range.lowerBound]) + new + json[range.upperBound...]
  }

  @Test("bytes changed at random are refused by name, unless what is proven stays the same")
  func random() async throws {
    let made = try await LetterCase.make(.sqlite)
    let text = try await made.bundle()
    let (json, proven) = (Array(text.utf8), Self.proven(text))
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<400 {
      var bytes = json
      let way = Int.random(in: 0..<4, using: &generator)
      switch way {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
      case 1: bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      case 2:
        bytes.insert(
          UInt8.random(in: 32...126, using: &generator), at: Int.random(in: 0..<bytes.count, using: &generator))
      default:
        let start = Int.random(in: 0..<bytes.count - 20, using: &generator)
        bytes.removeSubrange(start..<start + Int.random(in: 1...20, using: &generator))
      }
      let problems = verifier.verify(bytes).problems
      for problem in problems { #expect(!problem.detail.isEmpty && !problem.place.isEmpty) }
      guard problems.isEmpty, bytes != json else { continue }
      let altered = String(decoding: bytes, as: UTF8.self)
      #expect(way != 0 && Self.proven(altered) == proven, "\(altered)")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(verifier.verify(Array(deep.utf8)).problems.map(\.kind) == [.format])
    #expect(verifier.verify([]).problems.map(\.kind) == [.format])
  }

  /// What a bundle proves. Nothing vouches for what it says that it is about.
  private static func proven(_ bundle: String) -> [JSONValue] { JSONValue(parsing: bundle)["logs"].list }
}

/// Both verifiers on the same bundle.
struct AgreementBench {
  let folder: TemporaryFolder
  private let keys: String
  private let bundle: String
  /// Settings of Python's own: as it is usually run, without its assertions, and at a console that is not UTF-8.
  static let pythons: [[String: String]] = [[:], ["PYTHONOPTIMIZE": "1"], ["PYTHONIOENCODING": "cp1252"]]

  init(folder: TemporaryFolder) throws {
    self.folder = folder
    (keys, bundle) = (folder.file("evidence.pub"), folder.file("bundle.json"))
    try Files.write(Array("# trusted\n\(EvidenceKey.example().publicText)\n".utf8), to: keys)
  }

  /// What is wrong by both; a difference between them fails the test.
  func verdicts(_ json: String, _ python: [String: String]) async throws -> [String] {
    try Files.write(Array(json.utf8), to: bundle)
    let report = EvidenceVerifier(trusting: [EvidenceKey.example().verifyingKey]).verify(Array(json.utf8))
    let ours = report.problems.map { "\($0.kind.rawValue): \($0.place)" }
    var command = ChildCommand("python3", ["\(Repository.root)/scripts/verify-evidence.py", bundle, keys])
    command.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    for (name, value) in python { command.environment[name] = value }
    let output = try await ChildProcess.output(of: command)
    let theirs = output.lines.filter { $0.hasPrefix("✗ ") }.map { String($0.dropFirst(2)) }
    #expect(theirs == ours, "Python \(python) says \(output.lines)")
    #expect(output.exit.isSuccess == ours.isEmpty)
    if ours.isEmpty { #expect(output.lines == report.lines) }
    return ours
  }
}
