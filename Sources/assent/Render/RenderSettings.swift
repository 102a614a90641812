internal import Ink
internal import ServiceKit
internal import Typesetting

/// The settings of `assent render`.
struct RenderSettings: SettingGroup {
  let output = Setting<String>(
    required: "output", shown: "FILE", "the picture to write, as .png, .svg, .pdf, .jpg or .webp (-o)")
  let typed = Setting<String?>("typed", default: nil, shown: "NAME", "a name to write, in place of strokes to draw")
  let font = Setting("font", default: FontName.script, "the font of a typed name")
  let fonts = Setting(
    "fonts", default: OwnProgram.companion("share/fonts") ?? Typesetter.usualFolder, shown: "FOLDER",
    "the folder with the fonts, as Debian's packages or the tarball of fonts install them")
  let look = Setting("look", default: LookName.pad1, "how points become ink")
  let canvas = Setting<PixelSize?>("canvas", default: nil, "the surface drawn on, if the file does not state it")
  let trim = Setting<Double?>("trim", default: nil, "show only the ink, and a margin of so many pixels around it")
  let scale = Setting("scale", default: 1.0, "the scale of the picture; lines grow with it")
  let size = Setting<PixelSize?>("size", default: nil, "the picture's exact size, in place of a scale")
  let rotate = Setting("rotate", default: QuarterTurn.none, "turns the canvas clockwise, in degrees")
  let pen = Setting<Double?>("pen", default: nil, "the width of the pen in pixels, in place of the pad's own")
  let ink = Setting("ink", default: Paint.color(.black), "the ink's colour, such as #1a2b3c")
  let paper = Setting("paper", default: Paint.color(.white), "the paper's colour, or none")
  let name = Setting("name", default: "", shown: "TEXT", "a name to stand below the ink")
  let date = Setting("date", default: "", shown: "TEXT", "a date to stand below the ink")
  let reason = Setting("reason", default: "", shown: "TEXT", "a reason to stand below the ink")
  let quality = Setting("quality", default: 90, in: 1...100, "the quality of a JPEG")
  let depth = Setting("depth", default: 4, "bits for each pixel of a PNG: 1, 4 or 8")
  let dpi = Setting<Double?>("dpi", default: nil, "dots per inch: how large the picture is on paper")
}

/// A look, by its usual name.
struct LookName: SettingValue {
  static let pad1 = LookName(look: .pad1)
  static let placeholder = Look.allCases.map(\.rawValue).joined(separator: "|")
  let look: Look

  private init(look: Look) {
    self.look = look
  }

  init(setting text: String) throws(SettingValueError) {
    guard let look = Look(rawValue: text) else {
      throw SettingValueError("must be one of \(Look.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.look = look
  }

  var settingText: String { look.rawValue }
}

/// A font of typed names.
enum FontName: String, CaseIterable, SettingValue {
  case script, plain

  var font: NameFont {
    switch self {
    case .script: .script
    case .plain: .plain
    }
  }
}

/// A width and a height, written `600x200`.
struct PixelSize: SettingValue {
  static let placeholder = "WIDTHxHEIGHT"
  let width: Int
  let height: Int

  init(setting text: String) throws(SettingValueError) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else {
      throw SettingValueError("must be a width and a height in pixels, such as 600x200")
    }
    self.width = width
    self.height = height
  }

  var settingText: String { "\(width)x\(height)" }
}

/// A rotation in degrees.
enum QuarterTurn: String, CaseIterable, SettingValue {
  case none = "0"
  case right = "90"
  case half = "180"
  case left = "270"

  var rotation: Rotation {
    switch self {
    case .none: .none
    case .right: .right
    case .half: .half
    case .left: .left
    }
  }
}

/// A colour, or none.
enum Paint: SettingValue {
  case color(Color)
  case nothing

  static let placeholder = "#RRGGBB"

  init(setting text: String) throws(SettingValueError) {
    if text == "none" {
      self = .nothing
    } else if let color = Color(hex: text) {
      self = .color(color)
    } else {
      throw SettingValueError("must be a colour such as #1a2b3c, or none")
    }
  }

  var settingText: String { color?.hex ?? "none" }

  var color: Color? {
    switch self {
    case .color(let color): color
    case .nothing: nil
    }
  }
}
