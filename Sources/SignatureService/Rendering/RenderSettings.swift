internal import Base
package import Ink
package import ServicePolicy
package import SignatureContract

extension RenderOptions {
  /// The options of a request; the error names the setting and its bound.
  package init(_ settings: RenderSettings?) throws(Refusal) {
    self.init()
    guard let settings else { return }
    look = try Self.look(settings.look)
    format = try Self.format(settings)
    frame = settings.trim ? .trimmed(margin: settings.trimMargin) : .canvas
    size = try Self.size(settings)
    guard let turn = Rotation(rawValue: Int(settings.rotation)) else {
      throw Self.refusal("rotation", "is \(settings.rotation)", "a canvas turns by 0, 90, 180 or 270 degrees")
    }
    rotation = turn
    penWidth = settings.penWidth == 0 ? nil : settings.penWidth
    ink = try Self.color(settings.inkColor, "ink_color") ?? .black
    paper = settings.paperColor == "transparent" ? nil : try Self.color(settings.paperColor, "paper_color") ?? .white
    dotsPerInch = settings.dotsPerInch == 0 ? nil : settings.dotsPerInch
  }

  private static func look(_ look: SignatureLook) throws(Refusal) -> Look {
    switch look {
    case .unspecified, .pad1: return .pad1
    case .ink1: return .ink1
    case .unrecognized(let number): throw refusal("look", "is \(number)", "looks are PAD_1 and INK_1")
    }
  }

  private static func format(_ settings: RenderSettings) throws(Refusal) -> PictureFormat {
    switch settings.format {
    case .unspecified, .png:
      let bits = settings.bitDepth == 0 ? 4 : Int(settings.bitDepth)
      guard let depth = BitDepth(rawValue: bits) else {
        throw refusal("bit_depth", "is \(settings.bitDepth)", "a PNG has 1, 4 or 8 bits a pixel")
      }
      return .png(depth)
    case .svg: return .svg
    case .pdf: return .pdf
    case .jpeg: return .jpeg(quality: settings.quality == 0 ? 90 : Int(settings.quality))
    case .webp: return .webp
    case .unrecognized(let number):
      throw refusal("format", "is \(number)", "formats are PNG, SVG, PDF, JPEG and WEBP")
    }
  }

  private static func size(_ settings: RenderSettings) throws(Refusal) -> PictureSize {
    guard settings.width != 0 || settings.height != 0 else {
      return .scale(settings.scale == 0 ? 1 : settings.scale)
    }
    guard settings.scale == 0 else {
      throw refusal("scale", "is set together with width and height", "give one or the other", rule: "given_twice")
    }
    return .pixels(width: Int(settings.width), height: Int(settings.height))
  }

  /// nil for an empty text.
  static func color(_ text: String, _ name: String) throws(Refusal) -> Color? {
    if text.isEmpty { return nil }
    guard let color = Color(hex: text) else {
      throw refusal(name, "is '\(text.shortened)'", "a colour is written as #rrggbb", rule: "bad_color")
    }
    return color
  }

  private static func refusal(
    _ name: String, _ finding: String, _ requirement: String, rule: String = "unknown_value"
  ) -> Refusal {
    FieldChecks.refusal("settings.\(name)", finding, requirement, rule: rule)
  }
}
