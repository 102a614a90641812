import Ink
import Testing

@Suite struct SVCTextTests {
  @Test("a tablet's lines become strokes in pixels, separated where the pen was up")
  func tablet() throws {
    let ink = try read(
      "5\n2540 5080 100 1 1550 710 1023\n5080 2540 110 1 1550 710 0\n0 0 120 0 0 0 0\n\n0 0 130 1 0 900 512\r\n0 10 140 1 0 900 512\n"
    )
    #expect(ink.strokes.map(\.points.count) == [2, 2])
    let first = ink.strokes[0].points[0]
    #expect((first.x, first.y, first.time) == (96, 0, 100))
    #expect((first.pressure, first.azimuth, first.altitude) == (1, 155, 71))
    // Up on the tablet is up in the picture.
    #expect(ink.strokes[0].points[1].y == 96)
  }

  @Test("the short form has no pressure")
  func short() throws {
    #expect(try read("2\n100 100 0 1\n900 200 10 1").strokes[0].points.allSatisfy { $0.pressure == nil })
  }

  @Test("a signature in whole millimetres is refused, however it lies; a dot is read")
  func millimetres() throws {
    for shift in [0, 5000, -40] {
      let points = [(0, 0), (22, 13), (61, 4), (87, 30)].enumerated().map { place, point in
        "\(point.0 + shift) \(point.1 + shift) \(place * 10) 1"
      }
      let found = refusal("4\n" + points.joined(separator: "\n"))
      #expect(found?.hasPrefix("points lie within 87 hundredths of a millimetre;") == true, "\(found ?? "read")")
    }
    #expect(try read("2\n40 40 0 1\n40 40 10 1\n").pointCount == 2)
    // Where the pen went in the air says nothing of the ink.
    #expect(refusal("3\n1 1 0 1\n9000 9000 10 0\n80 80 20 1\n")?.hasPrefix("points lie within 79 ") == true)
    #expect(try read("2\n0 0 0 1\n0 300 10 1\n").pointCount == 2)
  }

  @Test("a count that is no number of points is refused", arguments: ["nan", "-nan", "inf", "1e400"])
  func strangeCounts(count: String) {
    let refused = #expect(throws: InkError.self) { try Ink.read(Array("\(count)\n1 1 0 1\n".utf8), as: .svc) }
    #expect(refused?.path == "line 1")
  }

  @Test(
    "malformed lines are named",
    arguments: [
      ("3\n1 1 0 1\n", "line 1 says that 3 points follow, but 1 do;"), ("1 1\n1 1 0 1\n", "line 1 is not a number;"),
      ("1\n1.25 1 0 1\n", "line 2 has a position of 1.25;"),
      ("1\n1 1 0 1 0 0 1500\n", "line 2 has a pressure of 1500.0;"), ("1\n1 1 0\n", "line 2 is '1 1 0';"),
      ("1\n1 1 0 1 x 3 4\n", "line 2 is '1 1 0 1 x 3 4';"), ("1\n1 1 0 0\n", "strokes hold no point;"),
      ("1\n1 nan 0 1\n", "strokes[0].points[0].y is NaN;"),
      ("1\n1 1 0 1 0 9000 1\n", "strokes[0].points[0].altitude is 900.0;"),
      ("0", "strokes hold no point;"),
    ])
  func broken(text: String, start: String) {
    let found = refusal(text)
    #expect(found?.hasPrefix(start) == true, "\(found ?? "read")")
  }
}
