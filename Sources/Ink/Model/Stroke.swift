/// One captured sample of a pen, finger or mouse, as the device reported it, before any look is applied.
public struct StrokePoint: Hashable, Sendable {
  /// Position in CSS pixels of the canvas, x to the right and y down.
  public var x: Double
  public var y: Double
  /// Milliseconds on any clock: only differences count. It may stand still, and step back a little.
  public var time: Double
  /// 0 to 1; nil when the device has none.
  public var pressure: Double?
  /// The pen's angle above the surface in degrees, 0 (flat) to 90 (upright); nil when the device has none.
  public var altitude: Double?
  /// The direction the pen leans to in degrees, 0 to 360; nil when the device has none.
  public var azimuth: Double?

  public init(
    x: Double, y: Double, time: Double, pressure: Double? = nil, altitude: Double? = nil, azimuth: Double? = nil
  ) {
    self.x = x
    self.y = y
    self.time = time
    self.pressure = pressure
    self.altitude = altitude
    self.azimuth = azimuth
  }
}

/// The settings of a web pad when a stroke was drawn. nil means the pad's default.
public struct Pen: Hashable, Sendable {
  /// A CSS colour as the pad wrote it; kept for the record. The caller of a render chooses the picture's colour.
  public var color: String?
  /// Radii in CSS pixels (the pad calls them widths): of fast and of slow ink, and of a dot.
  public var minimumRadius: Double?
  public var maximumRadius: Double?
  public var dotRadius: Double?
  /// The weight of the newest velocity against the earlier ones, 0 to 1.
  public var velocityFilterWeight: Double?
  /// Whether a pad has already dropped points that are close together, so that all that are left are drawn.
  public var isFiltered: Bool
  /// Whether the stroke removes ink that is under it, and leaves none.
  public var erases: Bool

  public init(
    color: String? = nil, minimumRadius: Double? = nil, maximumRadius: Double? = nil, dotRadius: Double? = nil,
    velocityFilterWeight: Double? = nil, isFiltered: Bool = false, erases: Bool = false
  ) {
    self.color = color
    self.minimumRadius = minimumRadius
    self.maximumRadius = maximumRadius
    self.dotRadius = dotRadius
    self.velocityFilterWeight = velocityFilterWeight
    self.isFiltered = isFiltered
    self.erases = erases
  }

  /// The pad's settings without how the stroke is treated.
  var settings: Pen {
    var pen = self
    (pen.isFiltered, pen.erases) = (false, false)
    return pen
  }

  /// A pad with default settings.
  public static let standard = Pen()
}

/// The points from pen down to pen up.
public struct Stroke: Hashable, Sendable {
  public var points: [StrokePoint]
  public var pen: Pen

  public init(points: [StrokePoint], pen: Pen = .standard) {
    self.points = points
    self.pen = pen
  }
}

/// The surface that was drawn on.
public struct Canvas: Hashable, Sendable {
  /// In CSS pixels.
  public var width: Double
  public var height: Double
  /// Device pixels per CSS pixel: for the record, since points are in CSS pixels already.
  public var devicePixelRatio: Double

  public init(width: Double, height: Double, devicePixelRatio: Double = 1) {
    self.width = width
    self.height = height
    self.devicePixelRatio = devicePixelRatio
  }
}
