internal import Base
internal import PDF

/// The style of a shape: what it inherits, and its own attributes.
struct DrawingStyle {
  enum Paint: Hashable {
    case none
    case color(RGB)
    case current
  }

  var fill = Paint.color(.black)
  var stroke = Paint.none
  var color = RGB.black
  var isEvenOdd = false
  var width = 1.0
  var cap = 0
  var join = 0
  var miter = 4.0
  var dashes: [Double] = []
  var dashOffset = 0.0
  /// In thousandths. Shapes inherit the first two; the last is their own and multiplies them.
  private var fillOpacity = 1000
  private var strokeOpacity = 1000
  private var opacity = 1000
  var isVisible = true

  /// The effective opacity of fills and strokes, in thousandths.
  var seenFill: Int { fillOpacity * opacity / 1000 }
  var seenStroke: Int { strokeOpacity * opacity / 1000 }

  /// - Throws: when the shape has a style that a page would not show.
  mutating func take(_ node: DrawingNode, place: String) throws(DocumentError) {
    opacity = 1000
    // In a fixed order, so that the same drawing always has the same result; and dashes before the path length, by
    // which they would be measured.
    let names = node.attributes.keys.sorted().filter { $0 != "pathlength" } + ["pathlength"]
    for name in names {
      guard let value = node.attributes[name] else { continue }
      do throws(Unknown) {
        try take(name, value.trimmed, isGroup: ["g", "svg", "use", "symbol"].contains(node.element))
      } catch {
        throw .malformed(
          place: place, finding: "has \(name)=\"\(value.shortened)\" on <\(node.element)>, \(error.reason)")
      }
    }
  }

  private struct Unknown: Error {
    var reason = "which is not shown in documents"
  }

  private mutating func take(_ name: String, _ value: String, isGroup: Bool) throws(Unknown) {
    // Case is ignored, as in browsers: a keyword known only to them would hide a shape on one side alone.
    let value = value.lowercased()
    guard value != "inherit" else { return }
    switch name {
    case "fill": fill = try Self.paint(value, or: fill)
    case "stroke": stroke = try Self.paint(value, or: stroke)
    case "color":
      guard case .color(let own) = try Self.paint(value, or: .current) else { return }
      color = own
    case "fill-rule": isEvenOdd = value == "evenodd"
    case "stroke-width": width = try Self.length(value)
    case "stroke-linecap": cap = ["butt": 0, "round": 1, "square": 2][value] ?? cap
    case "stroke-linejoin": join = ["miter": 0, "round": 1, "bevel": 2][value] ?? join
    case "stroke-miterlimit": miter = max(1, try Self.length(value))
    case "stroke-dasharray":
      if value == "none" {
        dashes = []
      } else {
        let list = try value.split(whereSeparator: { $0 == "," || $0.isWhitespace })
          .map { (part) throws(Unknown) in try Self.length(String(part)) }
        guard list.allSatisfy({ $0 >= 0 }), list.count <= 64 else { throw Unknown() }
        dashes = list.reduce(0, +) > 0 ? list : []
      }
    case "stroke-dashoffset": dashOffset = try Self.length(value)
    case "fill-opacity": fillOpacity = try Self.opacity(value)
    case "stroke-opacity": strokeOpacity = try Self.opacity(value)
    case "opacity":
      let own = try Self.opacity(value)
      // In a translucent group, overlapping shapes would show through each other one by one.
      guard own == 1000 || !isGroup else { throw Unknown(reason: "which is shown on single shapes only") }
      opacity = own
    case "visibility":
      switch value {
      case "visible": isVisible = true
      case "hidden", "collapse": isVisible = false
      default: throw Unknown()
      }
    case "vector-effect": if value != "none" { throw Unknown() }
    case "pathlength": if !dashes.isEmpty { throw Unknown() }
    default: break
    }
  }

  private static func opacity(_ text: String) throws(Unknown) -> Int {
    let isPercent = text.hasSuffix("%")
    guard let value = Double(isPercent ? String(text.dropLast()) : text), value.isFinite else { throw Unknown() }
    return Int((min(max(isPercent ? value / 100 : value, 0), 1) * 1000).rounded())
  }

  private static func length(_ text: String) throws(Unknown) -> Double {
    guard let value = Self.pixels(text) else { throw Unknown(reason: "which is no length in pixels") }
    return value
  }

  /// A length in pixels or without a unit.
  static func pixels(_ text: String) -> Double? {
    let digits = text.hasSuffix("px") ? String(text.dropLast(2)) : text
    guard let value = Double(digits), value.isFinite, abs(value) <= 1e6 else { return nil }
    return value
  }

  private static func paint(_ text: String, or inherited: Paint) throws(Unknown) -> Paint {
    let lower = text.lowercased()
    if lower == "none" || lower == "transparent" { return .none }
    if lower == "currentcolor" { return .current }
    if let named = Self.named[lower] { return .color(named) }
    if lower.hasPrefix("#"), let value = UInt32(lower.dropFirst(), radix: 16) {
      switch lower.count {
      case 4:
        return .color(
          RGB(UInt8(value >> 8 & 15) * 17, UInt8(value >> 4 & 15) * 17, UInt8(value & 15) * 17))
      case 7: return .color(RGB(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)))
      default: break
      }
    }
    if lower.hasPrefix("rgb("), lower.hasSuffix(")") {
      let parts = lower.dropFirst(4).dropLast().split(separator: ",").map { String($0).trimmed }
      let values = parts.compactMap { part in
        part.hasSuffix("%") ? Double(part.dropLast()).map { $0 * 2.55 } : Double(part)
      }.filter(\.isFinite).map { UInt8(min(max($0.rounded(), 0), 255)) }
      if values.count == 3 { return .color(RGB(values[0], values[1], values[2])) }
    }
    throw Unknown(
      reason: lower.hasPrefix("url(") ? "a gradient, which is not shown in documents" : "which is no known colour")
  }

  /// CSS's first sixteen colours, and the few others that drawings use most.
  private static let named: [String: RGB] = [
    "black": RGB(0, 0, 0), "silver": RGB(192, 192, 192), "gray": RGB(128, 128, 128), "grey": RGB(128, 128, 128),
    "white": RGB(255, 255, 255), "maroon": RGB(128, 0, 0), "red": RGB(255, 0, 0), "purple": RGB(128, 0, 128),
    "fuchsia": RGB(255, 0, 255), "green": RGB(0, 128, 0), "lime": RGB(0, 255, 0), "olive": RGB(128, 128, 0),
    "yellow": RGB(255, 255, 0), "navy": RGB(0, 0, 128), "blue": RGB(0, 0, 255), "teal": RGB(0, 128, 128),
    "aqua": RGB(0, 255, 255), "orange": RGB(255, 165, 0), "brown": RGB(165, 42, 42), "pink": RGB(255, 192, 203),
    "lightgray": RGB(211, 211, 211), "lightgrey": RGB(211, 211, 211), "darkgray": RGB(169, 169, 169),
    "darkgrey": RGB(169, 169, 169),
  ]
}

extension String {
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
