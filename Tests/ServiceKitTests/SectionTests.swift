import Base
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct SectionTests {
  @Test("settings files have a section for each program and each command, and for nothing else")
  func complete() throws {
    let sources = Repository.path("Sources")
    let entries = try Files.names(in: sources).flatMap { target in
      try Files.names(in: "\(sources)/\(target)").filter { $0.hasSuffix("Main.swift") }.map { "\(target)/\($0)" }
    }
    let commands = try Files.names(in: "\(sources)/assent").filter { !$0.hasSuffix(".swift") }.flatMap { folder in
      try Files.names(in: "\(sources)/assent/\(folder)").filter { $0.hasSuffix(".swift") }
        .map { "assent/\(folder)/\($0)" }
    }
    var names: [Substring] = []
    for path in entries + commands {
      let text = String(decoding: try Files.read("\(sources)/\(path)"), as: UTF8.self)
      for beginning in ["Service.run(\n", " = Command(\n"] {
        names += text.ranges(of: beginning).map { text[$0.upperBound...].split(separator: "\"")[1] }
      }
    }
    // One command is called like a program.
    #expect(Set(names) == Set(SettingsFile.sections.map { Substring($0) }))
    #expect(names.count == SettingsFile.sections.count + 1)
  }
}
