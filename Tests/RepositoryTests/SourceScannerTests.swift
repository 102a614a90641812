import Testing

@Suite struct SourceScannerTests {
  @Test("comments and literals are not code, interpolations are")
  func scan() {
    let file = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        import struct Glibc.timespec // import Foundation
        /* unsafe /* nested */ import CZMQ */ internal import Base
        let text = "unsafe \\(unsafe.call("inner")) \\" // not a remark"
        let raw = #"a " unsafe \\(no) \\#(yes)"#
        func withUnsafe() {}
        """)
    #expect(file.imports == ["Glibc", "Base"])
    #expect(file.lines(containing: ["unsafe"]) == ["let text = unsafe.call()"])
    #expect(file.literals == ["inner", "unsafe   // not a remark", "a \" unsafe \\(no) "])
    #expect(file.code.contains("let raw = yes"))
  }

  @Test("what stands in quotation marks is known")
  func quotations() {
    let text = #"""
      let texts = ["is '\(a.b("c"))' of \(d)", "\"\(e)\"", """
        '\(f)', \(g)
        """, "\(h)"]
      """#
    #expect(SourceFile(path: "Sources/A/B.swift", text: text).quotations == ["a.b()", "e", "f"])
  }

  @Test("a word is matched whole")
  func words() {
    #expect("a unsafe b"[...].containsWord("unsafe"))
    #expect("nonisolated(unsafe)"[...].containsWord("unsafe"))
    #expect(!"withUnsafe unsafeBitCast"[...].containsWord("unsafe"))
  }
}
