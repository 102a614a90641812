import Base
import Ink
import InkSamples
import Testing

@Suite struct InkMLTests {
  private func places(_ ink: Ink, _ stroke: Int = 0) -> [[Double]] { ink.strokes[stroke].points.map { [$0.x, $0.y] } }

  @Test("plain numbers in the default format are X and Y in pixels")
  func plain() throws {
    let ink = try read("<ink xmlns='http://www.w3.org/2003/InkML'><trace>10 0, 9 14, 8 28</trace></ink>")
    #expect(places(ink) == [[10, 0], [9, 14], [8, 28]])
  }

  @Test("differences and differences of differences add up, and signs separate numbers")
  func differences() throws {
    // The example of the specification.
    let ink = try read(
      """
      <ink><trace>1125 18432,'23'43,"7"-8,3-5,7 -3,6 2,6 8,3 6 T,2 4*T,3 6,3-6 F F</trace></ink>
      """.replacing(" T", with: "").replacing("*T", with: "").replacing(" F F", with: ""))
    #expect(places(ink).prefix(5) == [[1125, 18432], [1148, 18475], [1178, 18510], [1211, 18540], [1251, 18567]])
    let mixed = try read(#"<ink><trace>100 100, '5 '-3, * *, !200 !50, * 60</trace></ink>"#)
    #expect(places(mixed) == [[100, 100], [105, 97], [110, 94], [200, 50], [200, 60]])
  }

  @Test("a brush's width is the line's, whatever its units, and its tip is round")
  func brushes() throws {
    let brush = { (height: String) in
      """
      <ink><definitions><brush xml:id="b"><brushProperty name="width" value="0.1" units="cm"/>
      <brushProperty name="height" value="\(height)" units="mm"/></brush></definitions>
      <trace brushRef="#b">0 0, 9 14</trace></ink>
      """
    }
    let pen = try read(brush("1")).strokes[0].pen
    #expect(pen.minimumRadius == pen.maximumRadius)
    #expect(abs(try #require(pen.maximumRadius) - 48 / 25.4) < 0.001)
    #expect(refusal(brush("2"))?.hasPrefix("brush.height is not the tip's other side;") == true)
  }

  @Test("an affine transform puts traces on their canvas, in its units")
  func transforms() throws {
    let text = { (mapping: String) in
      """
      <ink><definitions><canvas xml:id="page"><traceFormat><channel name="X" units="in"/><channel name="Y" units="in"/>
      </traceFormat></canvas>
      <canvasTransform xml:id="t">\(mapping)</canvasTransform>
      <context xml:id="c" canvasRef="#page" canvasTransformRef="#t"/></definitions>
      <trace contextRef="#c">1000 0, 2000 500</trace></ink>
      """
    }
    let turned = try read(text(#"<mapping type="affine"><affine>0 0.001 0.5, 0.002 0 0</affine></mapping>"#))
    #expect(places(turned) == [[48, 192], [96, 384]])
    let page = text(#"<mapping type="identity"/>"#).replacing("1000 0, 2000 500", with: "1 0, 2 0.5")
    #expect(places(try read(page)) == [[96, 0], [192, 48]])
    let unread = refusal(text(#"<mapping type="lookup"/>"#))
    #expect(unread?.hasPrefix("canvasTransform.mapping is of type 'lookup';") == true)
    let short = refusal(text(#"<mapping type="affine"><affine>1 0, 0 1</affine></mapping>"#))
    #expect(short?.hasPrefix("canvasTransform.affine is '1 0, 0 1';") == true)
  }

  @Test("several contexts give traces their own channels, units, times and brushes")
  func contexts() throws {
    let ink = try read(
      """
      <ink><definitions>
        <traceFormat xml:id="fine"><channel name="X" units="mm"/><channel name="Y" units="mm" orientation="-ve"/>
          <channel name="F" max="1023"/><channel name="T" units="s"/></traceFormat>
        <timestamp xml:id="noon" time="5000"/>
        <brush xml:id="blue"><brushProperty name="color" value="#0000ff"/></brush>
        <context xml:id="pen" traceFormatRef="#fine" timestampRef="#noon" brushRef="#blue"/>
        <context xml:id="mouse"><traceFormat><channel name="X"/><channel name="Y"/></traceFormat></context>
      </definitions>
      <trace contextRef="#pen" timeOffset="250">25.4 -12.7 1023 0, 50.8 -12.7 ? 0.02</trace>
      <trace contextRef="#mouse">3 4</trace>
      <traceGroup contextRef="#pen"><trace>25.4 0 0 0</trace></traceGroup></ink>
      """)
    #expect(places(ink) == [[96, 48], [192, 48]])
    #expect(ink.strokes[0].points.map(\.pressure) == [1, nil])
    #expect(ink.strokes[0].points.map(\.time) == [5250, 5270])
    #expect(ink.strokes.map(\.pen.color) == ["#0000ff", nil, "#0000ff"])
    #expect(places(ink, 1) == [[3, 4]])
    #expect(places(ink, 2) == [[96, 0]])
  }

  @Test("contexts that name their source have its channels, resolutions and rate, whatever other sources there are")
  func sources() throws {
    let text = { (first: String) in
      """
      <ink><definitions>
        <inkSource xml:id="tablet" manufacturer="Acme" model="T1"><traceFormat><channel name="X"/><channel name="Y"/>
          <channel name="F" max="1023"/></traceFormat><sampleRate value="200"/>
          <channelProperties><channelProperty channel="X" name="resolution" value="1000" units="1/cm"/>
            <channelProperty channel="Y" name="resolution" value="1000" units="1/cm"/></channelProperties></inkSource>
        <inkSource xml:id="camera"><traceFormat><channel name="Y"/><channel name="X"/></traceFormat></inkSource>
        <context xml:id="a" inkSourceRef="\(first)"/><context xml:id="b" inkSourceRef="#camera"/>
      </definitions>
      <trace contextRef="#a">2540 0 1023, 5080 2540 0</trace><trace contextRef="#b">3 4, 5 6</trace>
      <trace inkSourceRef="#camera">7 8</trace></ink>
      """
    }
    let ink = try read(text("#tablet"))
    #expect(places(ink) == [[96, 0], [192, 96]] && ink.strokes[0].points.map(\.pressure) == [1, 0])
    #expect(ink.strokes[0].points.map(\.time) == [0, 5])
    #expect(places(ink, 1) == [[4, 3], [6, 5]] && ink.strokes[1].points.map(\.time) == [0, 10])
    #expect(places(ink, 2) == [[8, 7]])
    #expect(refusal(text("#pen"))?.hasPrefix("inkSourceRef is 'pen'; it must name an inkSource") == true)
  }

  @Test("a resolution defines a device's units; ink in the air is left out; traces may continue")
  func devices() throws {
    let ink = try read(
      """
      <ink:ink xmlns:ink="http://www.w3.org/2003/InkML"><ink:context><ink:inkSource manufacturer="Acme" model="T1">
        <ink:traceFormat><ink:channel name="X" units="dev"/><ink:channel name="Y" units="dev"/></ink:traceFormat>
        <ink:sampleRate value="200"/><ink:channelProperties>
        <ink:channelProperty channel="X" name="resolution" value="1000" units="1/cm"/>
        <ink:channelProperty channel="Y" name="resolution" value="1000" units="1/cm"/></ink:channelProperties>
      </ink:inkSource></ink:context>
      <ink:trace continuation="begin">2540 0, #9EC 2540</ink:trace><ink:trace type="penUp">1 1, 2 2</ink:trace>
      <ink:trace continuation="end">0 0</ink:trace></ink:ink>
      """)
    #expect(places(ink) == [[96, 0], [96, 96], [0, 0]])
    #expect(ink.device == "Acme T1")
    #expect(ink.strokes[0].points[1].time - ink.strokes[0].points[0].time == 5)
  }

  @Test("an exported signature reads back with everything known of it, and is well-formed to other parsers")
  func roundTrip() throws {
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let ink = try generator.ink()
      let again = try Ink.read(ink.inkML())
      #expect(again.strokes == ink.strokes, "seed \(seed)")
      #expect(again.canvas?.width == ink.canvas?.width && again.canvas?.height == ink.canvas?.height)
      #expect(again.device == ink.device)
    }
    for signature in SampleSignature.all { #expect(try Ink.read(signature.ink.inkML()) == signature.ink) }
  }

  @Test("a name or a value that would take long to compare is refused")
  func marks() {
    let marks = String(repeating: "\u{301}", count: 31)
    for text in ["<ink><trace a\(marks)='1'/></ink>", "<ink><trace id='\(marks)'/></ink>", "<ink><a\(marks)/></ink>"] {
      #expect(refusal(text)?.contains("more than 30 combining marks") == true)
    }
  }

  @Test("entities never expand, since a document type is refused before an entity is declared")
  func bomb() {
    let lol = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }.joined()
    let text = "<?xml version='1.0'?><!DOCTYPE ink [<!ENTITY l0 'lol'>\(lol)]><ink><trace>&l9;</trace></ink>"
    #expect(refusal(text) == "InkML has a document type; entities and types are not read")
    let outside = "<!DOCTYPE ink SYSTEM 'file:///etc/passwd'><ink/>"
    #expect(refusal(outside) == "InkML has a document type; entities and types are not read")
  }

  @Test(
    "malformed InkML is refused with its place",
    arguments: [
      ("<ink><trace>1 2</ink>", "InkML is not well-formed in line 1: mismatched tag;"),
      ("<svg/>", "InkML starts with 'svg';"), ("<ink/>", "strokes hold no point;"),
      ("<ink><trace>1 2 3</trace></ink>", "trace 0 has more values in a point than the 2 channels of its format;"),
      ("<ink><trace>1 x</trace></ink>", "trace 0 has 'x' for a number;"),
      ("<ink><trace>1 2,3</trace></ink>", "strokes[0].points[1] has no X or no Y;"),
      ("<ink><trace>1 '</trace></ink>", "trace 0 ends after a prefix;"),
      ("<ink><trace contextRef='#no'>1 2</trace></ink>", "contextRef is 'no';"),
      ("<ink><trace>1e30 2</trace></ink>", "strokes[0].points[0].x is 1e+30;"),
      ("<ink><trace>#FFFFFFFFFF 2</trace></ink>", "trace 0 has '#FFFFFFFFFF' for a number;"),
      (
        "<ink><traceFormat>\(String(repeating: "<channel name='X'/>", count: 65))</traceFormat></ink>",
        "traceFormat has more than 64 channels;"
      ),
    ])
  func broken(text: String, start: String) {
    let found = refusal(text)
    #expect(found?.hasPrefix(start) == true, "\(found ?? "read")")
  }

  @Test("elements nested without end are refused")
  func deep() {
    let text = String(repeating: "<ink>", count: 50_000)
    #expect(refusal(text) == "InkML is nested more than 32 levels deep; ink needs no more")
  }
}
