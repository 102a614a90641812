import Base
import Sealing
import TestSupport
import Testing

/// The tables of verdicts in docs/documents.md: more than 400 files that pyHanko, openssl and qpdf make, with our
/// verdict and pyHanko's.
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
      let said = try await Tool.run(Repository.python, ["-B", script, folder.path] + arguments)
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

  /// The text of a table with what explains it.
  private static func section(_ title: String) throws -> Substring {
    let text = String(decoding: try Files.read(Repository.path("docs/documents.md")), as: UTF8.self)
    let start = try #require(text.ranges(of: "\n### \(title)\n").first).upperBound
    return text[start...].prefix(upTo: text[start...].ranges(of: "\n##").first?.lowerBound ?? text.endIndex)
  }

  /// The cells of a table's rows behind the first two, without the letters by which they refer to reasons.
  private static func listed(under title: String) throws -> [String: [String]] {
    var rows: [String: [String]] = [:]
    for line in try section(title).split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
      rows[cells[0].replacing("`", with: "")] = cells[2...].map { $0.replacing(#/, [a-z]\)$/#, with: ")") }
    }
    return rows
  }

  @Test(
    "wherever pyHanko's verdict is another one, the documentation says why",
    arguments: [("Later changes", 200), ("Damage and forgery", 200), ("Kinds of signatures", 30)])
  func reasons(title: String, least: Int) throws {
    let section = try Self.section(title)
    #expect(try Self.listed(under: title).values.flatMap(\.self).count { $0 != "—" } >= least)
    let referred = section.matches(of: #/\((?:passed|failed|indeterminate|none)(?:, ([a-z]))?\)/#).map(\.1)
    #expect(referred.allSatisfy { $0 != nil }, "a difference refers to no reason")
    #expect(Set(referred.compactMap(\.self)) == Set(section.matches(of: #/\n- \*\*([a-z])\*\*: /#).map(\.1)))
  }

  /// Compares the cells of a table with those that the documentation lists.
  private func compare(_ found: [String: [String]], with listed: [String: [String]]) {
    for (name, cells) in found.sorted(by: { $0.key < $1.key }) where listed[name] != cells {
      Issue.record("| `\(name)` | … | \(cells.joined(separator: " | ")) |")
    }
    #expect(Set(listed.keys) == Set(found.keys))
  }

  /// A row for each first part of a file's name, with a cell for each second part.
  private func rows(_ made: Made, _ columns: [String]) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for change in Set(made.names.map { String($0.prefix { $0 != "@" }) }) {
      found[change] = try columns.map { column in
        made.names.contains("\(change)@\(column)") ? try made.cell("\(change)@\(column)") : "—"
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
    var found: [String: [String]] = [:]
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
