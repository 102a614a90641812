import Ink
import Testing

/// What jSignature saves: its native form, and base30.
@Suite struct JSignatureTests {
  private func places(_ text: String) throws -> [[[Double]]] {
    try Ink.read(Array(text.utf8)).strokes.map { $0.points.map { [$0.x, $0.y] } }
  }

  /// The example of jSignature's own documentation.
  private static let strokes: [[[Double]]] = [
    [[100, 50], [101, 52], [104, 56], [99, 50], [104, 44]], [[50, 100], [51, 102], [48, 98]],
  ]

  @Test("the native form and base30 of one signature are the same strokes")
  func forms() throws {
    let native = #"[{"x":[100,101,104,99,104],"y":[50,52,56,50,44]},{"x":[50,51,48],"y":[100,102,98]}]"#
    #expect(try places(native) == Self.strokes)
    #expect(try places("image/jsignature;base30,3E13Z5Y5_1O24Z66_1O1Z3_3E2Z4") == Self.strokes)
    // Three digits, and a turn of sign at the beginning.
    #expect(try places("image/jsignature;base30,1uuZ1_Z3Y9\n") == [[[900, -3], [899, 6]]])
    let times = try Ink.read(Array(native.utf8)).strokes[0].points.map(\.time)
    #expect(times[0] == 0 && times[4] > times[3])
  }

  @Test(
    "what is cut off or is something else is refused",
    arguments: [
      "image/jsignature;base30,", "image/jsignature;base30,3E1", "image/jsignature;base30,3E1_1O",
      "image/jsignature;base30,E_1", "image/jsignature;base30,1_1_", "image/jsignature;base30,1+_1",
      #"[{"x":[1,2],"y":[1]}]"#, #"[{"x":[],"y":[]}]"#, #"[{"x":[1]}]"#, #"[{"x":[1],"y":2}]"#,
    ])
  func refused(text: String) {
    #expect(throws: InkError.self) { try Ink.read(Array(text.utf8)) }
  }
}
