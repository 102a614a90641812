internal import Base

extension Ink {
  /// The strokes as JSON that signature_pad 5 reads with `fromData`. It has no fields for canvas, device and the pen's
  /// angles. Strokes that no pad has filtered are marked as such, which pads ignore and `JSONStrokes` heeds.
  public func signaturePadJSON() -> [UInt8] {
    var text = "["
    for (index, stroke) in strokes.enumerated() {
      text += index == 0 ? "\n{" : ",\n{"
      text += "\"penColor\":\(JSONText.quoted(stroke.pen.color ?? "black"))"
      text += ",\"dotSize\":\(TextNumber.spelled(stroke.pen.dotRadius ?? 0))"
      text += ",\"minWidth\":\(TextNumber.spelled(stroke.pen.minimumRadius ?? 0.5))"
      text += ",\"maxWidth\":\(TextNumber.spelled(stroke.pen.maximumRadius ?? 2.5))"
      text += ",\"velocityFilterWeight\":\(TextNumber.spelled(stroke.pen.velocityFilterWeight ?? 0.7))"
      text += ",\"compositeOperation\":\"\(stroke.pen.erases ? "destination-out" : "source-over")\""
      text += stroke.pen.isFiltered ? ",\"points\":[" : ",\"filtered\":false,\"points\":["
      for (place, point) in stroke.points.enumerated() {
        text += place == 0 ? "" : ","
        text += "{\"time\":\(TextNumber.spelled(point.time)),\"x\":\(TextNumber.spelled(point.x))"
        // The pad writes 0 when a device reports no pressure.
        text += ",\"y\":\(TextNumber.spelled(point.y)),\"pressure\":\(TextNumber.spelled(point.pressure ?? 0))}"
      }
      text += "]}"
    }
    return Array((text + "\n]\n").utf8)
  }

  /// The strokes as InkML, with all their data except the device pixel ratio.
  public func inkML() -> [UInt8] {
    let has = Channels(self)
    var text = "<ink xmlns=\"http://www.w3.org/2003/InkML\">\n<definitions>\n"
    var brushes: [Pen: Int] = [:]
    for stroke in strokes where stroke.pen != .standard && brushes[stroke.pen] == nil {
      brushes[stroke.pen] = brushes.count
      text += Self.brush(stroke.pen, brushes.count - 1)
    }
    text += "</definitions>\n<context>\n<inkSource id=\"source\" model=\"\(TextNumber.xml(device))\">\n<traceFormat>\n"
    text += Self.channel("X", "units=\"px\"", canvas?.width) + Self.channel("Y", "units=\"px\"", canvas?.height)
    text += Self.channel("T", "units=\"ms\"", nil)
    if has.pressure { text += "<channel name=\"F\" type=\"decimal\" min=\"0\" max=\"1\"/>\n" }
    if has.azimuth { text += Self.channel("OA", "units=\"deg\"", nil) }
    if has.altitude { text += Self.channel("OE", "units=\"deg\"", nil) }
    text += "</traceFormat>\n</inkSource>\n</context>\n"
    for stroke in strokes {
      text += brushes[stroke.pen].map { "<trace brushRef=\"#pen\($0)\">" } ?? "<trace>"
      text += stroke.points.map { Self.point($0, has) }.joined(separator: ",") + "</trace>\n"
    }
    return Array((text + "</ink>\n").utf8)
  }

  /// The channels in which any point has a value.
  private struct Channels {
    let pressure: Bool
    let altitude: Bool
    let azimuth: Bool

    init(_ ink: Ink) {
      pressure = ink.strokes.contains { $0.points.contains { $0.pressure != nil } }
      altitude = ink.strokes.contains { $0.points.contains { $0.altitude != nil } }
      azimuth = ink.strokes.contains { $0.points.contains { $0.azimuth != nil } }
    }
  }

  private static func channel(_ name: String, _ units: String, _ most: Double?) -> String {
    let range = most.map { " min=\"0\" max=\"\(TextNumber.spelled($0))\"" } ?? ""
    return "<channel name=\"\(name)\" type=\"decimal\" \(units)\(range)/>\n"
  }

  private static func point(_ point: StrokePoint, _ has: Channels) -> String {
    var values = [point.x, point.y, point.time].map { TextNumber.spelled($0) }
    let told = { (value: Double?) in value.map { TextNumber.spelled($0) } ?? "?" }
    if has.pressure { values.append(told(point.pressure)) }
    if has.azimuth { values.append(told(point.azimuth)) }
    if has.altitude { values.append(told(point.altitude)) }
    return values.joined(separator: " ")
  }

  private static func brush(_ pen: Pen, _ index: Int) -> String {
    let properties: [(String, String?)] = [
      ("color", pen.color.map { TextNumber.xml($0) }),
      ("minimumRadius", pen.minimumRadius.map { TextNumber.spelled($0) }),
      ("maximumRadius", pen.maximumRadius.map { TextNumber.spelled($0) }),
      ("dotRadius", pen.dotRadius.map { TextNumber.spelled($0) }),
      ("velocityFilterWeight", pen.velocityFilterWeight.map { TextNumber.spelled($0) }),
      ("filtered", pen.isFiltered ? "true" : nil), ("erases", pen.erases ? "true" : nil),
    ]
    let lines = properties.compactMap { name, value in
      value.map { "<brushProperty name=\"\(name)\" value=\"\($0)\"/>\n" }
    }
    return "<brush xml:id=\"pen\(index)\">\n" + lines.joined() + "</brush>\n"
  }
}
