import Testing

@testable import BenchKit

@Suite struct SelectionTests {
  @Test("without words everything is selected")
  func all() {
    var selection = Selection(nil)
    #expect(selection.contains("a/b"))
    let hasBegun = selection.begin("group", of: [])
    #expect(hasBegun)
    #expect(selection.unmet(by: []) == [])
  }

  @Test("a row is selected with all its peers, and a row beside a peer with that one")
  func rows() {
    let selection = Selection("up,down/select")
    #expect(["up", "up/direct", "down", "down/select"].allSatisfy(selection.contains))
    #expect(!["u", "upper", "down/other", "down_2"].contains(where: selection.contains))
  }

  @Test("the name of a group selects all its rows, and only while it is measured")
  func group() {
    var selection = Selection("overload")
    #expect(!selection.contains("overload_late"))
    let hasBegun = selection.begin("overload", of: ["overload_late"])
    #expect(hasBegun)
    #expect(selection.contains("overload_late"))
    selection.endGroup()
    #expect(!selection.contains("overload_late"))
    #expect(selection.unmet(by: []) == [])
  }

  @Test("the name of a row begins its group, in which no other row is selected")
  func rowOfGroup() {
    var selection = Selection("overload_late")
    let hasBegunRecovery = selection.begin("recovery", of: ["recovery_killed"])
    #expect(!hasBegunRecovery)
    let hasBegun = selection.begin("overload", of: ["overload_goodput", "overload_late"])
    #expect(hasBegun)
    #expect(selection.contains("overload_late") && !selection.contains("overload_goodput"))
  }

  @Test("words that name neither a group nor a measured row are known")
  func unmet() {
    #expect(Selection("a,b/c,d").unmet(by: ["a/x", "b/c"]) == ["d"])
  }
}
