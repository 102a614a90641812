/// The bounds of a signature. They bound the time and memory of every operation on it.
public enum InkLimits {
  public static let strokes = 200
  public static let pointsPerStroke = 20_000
  /// The most values that a file may have for each point.
  public static let channels = 64
  public static let points = 100_000
  /// The most points outside the canvas that a capture may have. They are counted and dropped.
  public static let droppedPoints = 10 * points
  /// The greatest distance of a coordinate from the origin in either direction.
  public static let coordinate = 100_000.0
  /// A picture's greatest width and height in pixels.
  public static let pixels = 4096
  /// The greatest file that an importer reads: twice the size of 100,000 points with all their fields.
  public static let fileBytes = 32 << 20
  /// The greatest distance of a time from zero, in milliseconds: until the year 2255, and exact to the microsecond.
  public static let time = 9.0e12
  /// Devices report coalesced samples a little out of order; a larger step back is an error.
  public static let backwardMilliseconds = 1000.0
  /// The greatest radius of a pen in CSS pixels.
  public static let radius = 100.0
  /// The most bytes of a text that comes with strokes, such as a colour, a device's name or a name inside a file.
  public static let textBytes = 256
  /// The most bytes of a line below ink.
  public static let inscriptionBytes = 1600
  /// The most outlines of an uploaded image.
  public static let contours = 4000
  public static let corners = 100_000
}
