import Base
import Sealing
import TestSupport
import Testing

/// The tables of verdicts in docs/documents.md: some 700 files that pyHanko, openssl and qpdf make, with our verdict
/// and pyHanko's. `scripts/test` makes every tenth of them, `--long` all.
@Suite struct VerdictTableTests {
  /// What the first signature says of later changes, in the order of the table's columns.
  private static let bases = ["signature", "locked", "p1", "p2", "p3"]
  /// How files that were damaged or forged had been signed, likewise.
  private static let signings = ["pyhanko", "openssl", "timed", "archived", "certified"]

  /// Files that a program of Tests/Fixtures/sealing made, and what pyHanko says of them.
  private struct Made {
    private let folder: TemporaryFolder
    private let verifier: DocumentVerifier
    private let theirs: JSONValue
    let names: [String]

    init(_ program: String, _ arguments: [String]) async throws {
      folder = try TemporaryFolder()
      let script = Repository.path("Tests/Fixtures/sealing/\(program)")
      let parts = "ASSENT_VERDICT_PARTS=\(LongTests.areWanted ? 1 : 10)"
      let said = try await Tool.run("env", [parts, Repository.python, "-B", script, folder.path] + arguments)
      try #require(said.hasPrefix("ended with 0"), "\(said)")
      let roots = Certificate.list(pem: try Files.read(folder.file("root.pem")))
      verifier = DocumentVerifier(trusting: Trust(roots: roots), at: Clock.system.now)
      theirs = JSONValue(parsing: String(decoding: try Files.read(folder.file("pyhanko.json")), as: UTF8.self))
      names = try Files.names(in: folder.path).filter { $0.hasSuffix(".pdf") }.map { String($0.dropLast(4)) }
    }

    func report(_ name: String) throws -> DocumentReport { verifier.verify(try Files.read(folder.file("\(name).pdf"))) }

    /// Our verdict, with pyHanko's in brackets where that differs.
    func cell(_ name: String) throws -> String {
      let (own, other) = (word(try report(name).verdict.rawValue), word(theirs[name].text ?? ""))
      return own == other ? own : "\(own) (\(other))"
    }

    func passesElsewhere(_ name: String) -> Bool { theirs[name].text == Verdict.passed.rawValue }

    private func word(_ verdict: String) -> String {
      switch verdict {
      case "TOTAL-PASSED": "passed"
      case "INDETERMINATE": "indeterminate"
      case "TOTAL-FAILED": "failed"
      default: "none"
      }
    }
  }

  /// The cells of a table's rows behind the first two.
  private static func listed(under title: String) throws -> [String: [String]] {
    let text = String(decoding: try Files.read(Repository.path("docs/documents.md")), as: UTF8.self)
    let start = try #require(text.ranges(of: "\n### \(title)\n").first).upperBound
    let section = text[start...].prefix(upTo: text[start...].ranges(of: "\n##").first?.lowerBound ?? text.endIndex)
    var rows: [String: [String]] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
      rows[cells[0].replacing("`", with: "")] = Array(cells[2...])
    }
    return rows
  }

  /// Compares the cells of a table with those that the documentation lists; where not all files were made, those of
  /// others are left out.
  private func compare(_ found: [String: [String?]], with listed: [String: [String]]) {
    for (name, cells) in found.sorted(by: { $0.key < $1.key }) {
      let known = listed[name] ?? []
      guard known.count != cells.count || zip(known, cells).contains(where: { $1 != nil && $0 != $1 }) else { continue }
      Issue.record("| `\(name)` | … | \(cells.map { $0 ?? "?" }.joined(separator: " | ")) |")
    }
    #expect(LongTests.areWanted ? Set(listed.keys) == Set(found.keys) : !found.isEmpty)
  }

  /// A row for each first part of a file's name, with a cell for each second part.
  private func rows(_ made: Made, _ columns: [String]) throws -> [String: [String?]] {
    var found: [String: [String?]] = [:]
    for change in Set(made.names.map { String($0.prefix { $0 != "@" }) }) {
      found[change] = try columns.map { column in
        guard made.names.contains("\(change)@\(column)") else { return LongTests.areWanted ? "—" : nil }
        return try made.cell("\(change)@\(column)")
      }
    }
    return found
  }

  @Test("each later change has the verdict that the documentation lists, and pyHanko's stands beside it")
  func laterChanges() async throws {
    let made = try await Made("later_changes.py", Self.bases)
    compare(try rows(made, Self.bases), with: try Self.listed(under: "Later changes"))
  }

  @Test("what was damaged or forged has the verdict that the documentation lists, and pyHanko's stands beside it")
  func mutations() async throws {
    let made = try await Made("mutations.py", Self.signings)
    compare(try rows(made, Self.signings), with: try Self.listed(under: "Damage and forgery"))
  }

  @Test("each kind of signature has the verdict that the documentation lists, and a changed byte is not overlooked")
  func kinds() async throws {
    let made = try await Made("kinds.py", ["\(LongTests.areWanted ? 240 : 10)"])
    var found: [String: [String?]] = [:]
    for name in made.names {
      let report = try made.report(name)
      if name.hasPrefix("flip-") {
        #expect(report.verdict != .passed || made.passesElsewhere(name), "\(name): \(report.lines)")
      } else {
        let why = report.subindication.map { "`\($0.rawValue)`" } ?? "–"
        found[name] = [try made.cell(name), why]
      }
    }
    compare(found, with: try Self.listed(under: "Kinds of signatures"))
    let later = try made.report("revoked-later")
    #expect(
      later.lines.contains { $0.hasPrefix("    revocation: a certificate was revoked later, on ") }, "\(later.lines)")
    #expect(later.json.contains("\"revoked_later\":\""))
  }
}
