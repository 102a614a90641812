import Base
import Ink
import InkSamples
import Testing

/// Why reading `text` is refused; nil when it is read.
func refusal(_ text: String, as format: InkFormat? = nil) -> String? {
  do {
    _ = try Ink.read(Array(text.utf8), as: format)
    return nil
  } catch {
    return error.description
  }
}

func read(_ text: String) throws -> Ink { try Ink.read(Array(text.utf8)) }

@Suite struct JSONStrokesTests {
  @Test("signature_pad 2: lists of points with a colour in each")
  func version2() throws {
    let ink = try read(
      """
      [[{"x":10,"y":20,"time":1000,"color":"#00f"},{"x":16.5,"y":20,"time":1016,"color":"#00f"}],
       [{"x":1,"y":2,"time":2000,"color":"black"}]]
      """)
    #expect(ink.strokes.map(\.points.count) == [2, 1])
    #expect(ink.strokes[0].pen.color == "#00f")
    #expect(ink.strokes[0].points[1] == StrokePoint(x: 16.5, y: 20, time: 1016))
  }

  @Test("signature_pad 3: groups of a colour and points")
  func version3() throws {
    let ink = try read(#"[{"color":"red","points":[{"time":5,"x":1,"y":2}]},{"points":[],"color":"red"}]"#)
    #expect(
      ink.strokes == [Stroke(points: [StrokePoint(x: 1, y: 2, time: 5)], pen: Pen(color: "red", isFiltered: true))])
  }

  @Test("signature_pad 4 and 5: groups with all of the pad's settings, in any order")
  func version5() throws {
    let ink = try read(
      """
      [{"points":[{"time":1700000000123,"x":1,"y":2,"pressure":0.5}],"penColor":"rgb(0, 0, 0)","dotSize":0,"minWidth":0.5,
      "maxWidth":2.5,"velocityFilterWeight":0.7,"compositeOperation":"source-over","somethingNew":{"a":[1,"\\u00e9",null]}}]
      """)
    let pen = ink.strokes[0].pen
    #expect(pen.color == "rgb(0, 0, 0)" && pen.dotRadius == 0 && pen.minimumRadius == 0.5 && pen.maximumRadius == 2.5)
    #expect(ink.strokes[0].points[0] == StrokePoint(x: 1, y: 2, time: 1_700_000_000_123, pressure: 0.5))
  }

  @Test("perfect-freehand: one stroke of arrays or of objects, and several of arrays")
  func freehand() throws {
    #expect(try read("[[1,2,0.3],[4,5,0.4],[7,8]]").strokes.map(\.points.count) == [3])
    #expect(try read(#"[{"x":1,"y":2,"pressure":0.2},{"x":4,"y":5}]"#).strokes.map(\.points.count) == [2])
    let several = try read("[[[1,2,0.3],[4,5,0.4]],[[7,8,1]]]")
    #expect(several.strokes.map(\.points.count) == [2, 1])
    #expect(several.strokes[0].points[1].pressure == 0.4)
    #expect(several.strokes[0].points[1].time > several.strokes[0].points[0].time)
    // A fourth number is the time.
    #expect(try read("[[1,2,0.3,1000],[4,5,0.4,1007]]").strokes[0].points.map(\.time) == [1000, 1007])
    #expect(try read("[[[1,2,0.3,50],[4,5,0.4,57]]]").strokes[0].points.map(\.pressure) == [0.3, 0.4])
  }

  @Test("signature_pad 5's data stays the same when exported")
  func roundTrip() throws {
    for signature in SampleSignature.all {
      let json = signature.ink.signaturePadJSON()
      let again = try Ink.read(json, canvas: signature.ink.canvas)
      #expect(try Ink.read(again.signaturePadJSON(), canvas: signature.ink.canvas) == again)
      for (one, other) in zip(signature.ink.strokes, again.strokes) {
        #expect(zip(one.points, other.points).allSatisfy { ($0.x, $0.y, $0.time) == ($1.x, $1.y, $1.time) })
        #expect(one.pen.isFiltered == other.pen.isFiltered)
      }
    }
  }

  @Test("numbers that JavaScript cannot represent are named by their place", arguments: ["null", "NaN", "-Infinity"])
  func noNumber(word: String) {
    let text = #"[{"points":[{"x":1,"y":2,"time":3},{"x":\#(word),"y":2,"time":4}]}]"#
    #expect(refusal(text)?.hasPrefix("strokes[0].points[1].x is ") == true)
  }

  @Test("an eraser's stroke is read as such, and other ways of composing are refused")
  func eraser() throws {
    let text =
      #"[{"points":[{"x":1,"y":2,"time":3}]},{"compositeOperation":"OPERATION","points":[{"x":1,"y":2,"time":9}]}]"#
    let ink = try read(text.replacing("OPERATION", with: "destination-out"))
    #expect(ink.strokes.map(\.pen.erases) == [false, true])
    #expect(try Ink.read(ink.signaturePadJSON()).strokes.map(\.pen.erases) == [false, true])
    #expect(try Ink.read(ink.inkML()).strokes.map(\.pen.erases) == [false, true])
    #expect(try StrokeBlob.read(StrokeBlob(ink).bytes) == ink)
    #expect(
      refusal(text.replacing("OPERATION", with: "xor"))?.hasPrefix("strokes[1].compositeOperation is 'xor';") == true)
    let nothing = #"[{"compositeOperation":"destination-out","points":[{"x":1,"y":2,"time":3}]}]"#
    #expect(refusal(nothing)?.hasPrefix("strokes only erase;") == true)
  }

  @Test("text is read with characters from beyond the first plane, and half of one is refused")
  func surrogates() {
    func found(_ operation: String) -> String? {
      refusal(#"[{"compositeOperation":"OPERATION","points":[{"x":1,"y":2}]}]"#.replacing("OPERATION", with: operation))
    }
    #expect(found(#"\ud83d\ude00"#)?.hasPrefix("strokes[0].compositeOperation is '😀';") == true)
    #expect(found(#"\ud83d"#)?.hasPrefix("JSON has '\\ud83d\",\"poi' at byte 24; half a surrogate pair") == true)
  }

  @Test("what is not used is passed, also with numbers that JSON does not have")
  func unused() throws {
    let text = #"[{"bounds":{"low":-Infinity,"high":[NaN,null,true]},"points":[{"x":1,"y":2,"z":NaN}]}]"#
    #expect(try read(text).strokes[0].points.map(\.x) == [1])
  }

  @Test(
    "malformed JSON, and JSON without strokes, is refused with its place",
    arguments: [
      ("[", "JSON has the end at byte 1;"), ("[{]", "JSON has ']' at byte 2;"), ("[1]", "JSON has '1]' at byte 1;"),
      ("[{\"points\":[{\"x\":1,\"y\":2}]}] x", "JSON has 'x' at byte 29;"),
      ("[{\"x\":\"1\"}]", "JSON has '\"1\"}]' at byte 6;"),
      ("[{\"points\":[{\"x\":1}]}]", "strokes[0].points[0] has no x or no y;"),
      ("[{\"a\":1}]", "strokes[0] has no points;"),
      ("[[1]]", "strokes hold no point;"), ("[[1,2],{\"points\":[]}]", "strokes[0].points[1] has no x or no y;"),
      ("[]", "strokes hold no point;"), ("[[[1,2,3,4,5]]]", "JSON has '5]]]' at byte 11;"),
      ("[[{\"x\":1e999,\"y\":0}]]", "strokes[0].points[0].x is Infinity;"),
    ])
  func broken(text: String, start: String) {
    let found = refusal(text)
    #expect(found?.hasPrefix(start) == true, "\(found ?? "read")")
  }

  @Test("a file of nothing but brackets, or of a million points, is refused before it takes memory")
  func bombs() {
    #expect(refusal(#"[{"a":"# + String(repeating: "[", count: 100_000))?.contains("at most 16 deep") == true)
    let point = #"{"x":1,"y":2,"time":3},"#
    let many =
      "[" + String(repeating: "[" + String(repeating: point, count: 19_999) + point.dropLast() + "],", count: 6)
    #expect(refusal(many)?.hasPrefix("strokes have more than 100000 points;") == true)
    let long = "[[" + String(repeating: point, count: 20_002)
    #expect(refusal(long)?.hasPrefix("strokes[0].points are more than 20000;") == true)
    let strokes = "[" + String(repeating: "[[1,2],[3,4]],", count: 300)
    #expect(refusal(strokes)?.hasPrefix("strokes are more than 200;") == true)
  }

  @Test("bytes in an unknown format are refused with a list of the known ones")
  func unknown() {
    #expect(refusal("")?.hasPrefix("file is empty; known are ") == true)
    #expect(refusal("GIF89a")?.hasPrefix("file is of an unknown format; known are ") == true)
    #expect(refusal("\u{FEFF}[[1,2],[3,4]]") == nil)
  }
}
