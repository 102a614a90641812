public import FuzzKit
internal import Ink
internal import InkSamples

/// What must hold for any bytes given to one of Ink's importers: no crash, and the ink that was read is valid. It is
/// stored, exported and drawn like any signature, and reads the same again.
public enum InkTarget: FuzzTarget {
  /// The first byte chooses the importer; 0 means that the importer is found from the bytes, as in `assent render`.
  private static let importers: [InkFormat?] = [nil] + InkFormat.allCases

  private static let renderer = Renderer()
  private static let budget = DrawingBudget(steps: 1 << 18)

  public static func complaint(about input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    if Shapes.isStored(Array(input.dropFirst())) { return shapes(Array(input.dropFirst())) }
    let format = importers[Int(choice) % importers.count]
    guard let ink = try? Ink.read(Array(input.dropFirst()), as: format) else { return nil }
    return storing(ink) ?? exporting(ink) ?? drawing(ink)
  }

  /// Shapes that are read are those that were stored, and are refused or drawn.
  private static func shapes(_ bytes: [UInt8]) -> String? {
    guard let shapes = try? Shapes.read(bytes) else { return nil }
    guard shapes.bytes == bytes else { return "shapes that were read are stored differently" }
    var options = RenderOptions()
    options.size = .pixels(width: 90, height: 30)
    guard let picture = try? renderer.render(shapes.letters, options, budget) else { return nil }
    return picture.width == 90 && !picture.bytes.isEmpty ? nil : "a picture of another size"
  }

  private static func storing(_ ink: Ink) -> String? {
    guard let again = try? StrokeBlob.read(StrokeBlob(ink).bytes) else { return "what was read cannot be stored" }
    return again == ink ? nil : "what was stored reads differently"
  }

  /// A format may hold less than the strokes do; what it holds must stay the same when written again.
  private static func exporting(_ ink: Ink) -> String? {
    let exports: [(InkFormat, (Ink) -> [UInt8])] = [(.json, { $0.signaturePadJSON() }), (.inkML, { $0.inkML() })]
    for (format, export) in exports {
      guard let once = try? Ink.read(export(ink), as: format, canvas: ink.canvas) else {
        return "the \(format) that was written cannot be read"
      }
      guard once.pointCount == ink.pointCount, once.strokes.count == ink.strokes.count else {
        return "points were lost in \(format)"
      }
      guard let twice = try? Ink.read(export(once), as: format, canvas: ink.canvas), twice == once else {
        return "the \(format) that was written reads differently"
      }
    }
    let series = try? ink.iso19794()
    guard (series == nil) == ink.strokes.contains(where: \.pen.erases) else { return "erased ink in ISO/IEC 19794-7" }
    return series?.starts(with: "SDI\0".utf8) ?? true ? nil : "what was written is not ISO/IEC 19794-7"
  }

  /// Small pictures, each of which is either refused or drawn.
  private static func drawing(_ ink: Ink) -> String? {
    for look in Look.allCases {
      for format in [PictureFormat.png(.four), .svg, .pdf] {
        var options = RenderOptions()
        options.look = look
        options.format = format
        options.size = .pixels(width: 90, height: 30)
        guard let picture = try? renderer.render(ink, options, budget) else { continue }
        if picture.width != 90 || picture.height != 30 || picture.bytes.isEmpty { return "a picture of another size" }
      }
    }
    return nil
  }

  public static func seeds() -> [[UInt8]] {
    let small = [SampleSignature.all[18].ink, SampleSignature.all[17].ink]
    let files =
      small.flatMap { [$0.signaturePadJSON(), $0.inkML(), StrokeBlob($0).bytes] } + written.map { Array($0.utf8) }
    return files.flatMap { file in
      let format = InkFormat(detecting: file).flatMap { importers.firstIndex(of: $0) } ?? 0
      return [[UInt8(format)] + file, [0] + file]
    }
  }

  private static let written = [
    "[[[1,2,0.3],[4,5,0.4]],[[7,8,1]]]",
    #"[{"color":"black","points":[{"x":1,"y":2,"time":3}]}]"#,
    ##"[{"penColor":"#123","dotSize":0,"minWidth":0.5,"maxWidth":2.5,"velocityFilterWeight":0.7,"points":[]}]"##,
    "2\n2540 5080 100 1 1550 710 1023\n5080 2540 110 1 1550 710 0\n",
    "<ink><trace>1125 18432,'23'43,\"7\"-8,3-5,7 -3,6 2,* ?,!#FF T</trace></ink>",
    """
    <ink xmlns="http://www.w3.org/2003/InkML"><definitions><inkSource xml:id="s"><traceFormat><channel name="X" \
    type="decimal" units="cm"/><channel name="Y"/><channel name="F" max="1023"/><channel name="T" units="ms"/>\
    </traceFormat><sampleRate uniform="true" value="100"/><channelProperties><channelProperty channel="X" \
    name="resolution" value="100" units="1/cm"/></channelProperties></inkSource><context xml:id="c" inkSourceRef="#s"/>\
    <brush xml:id="b"><brushProperty name="width" value="2"/><brushProperty name="color" value="#00f"/></brush>\
    <timestamp xml:id="t" time="1000"/></definitions><trace contextRef="#c" brushRef="#b" timeOffset="5">1 2 3 4,5 6 7 8\
    </trace></ink>
    """,
  ]
}
