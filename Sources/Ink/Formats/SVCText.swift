/// The text form of the Signature Verification Competition of 2004: a line with the number of points, then a line for
/// each with x, y, time, button and, from tablets that report them, azimuth, altitude and pressure.
///
/// A tablet counts in hundredths of a millimetre from its lower left corner, in tenths of a degree, and in 1024 steps
/// of pressure. A button of 0 is a pen in the air, which ends a stroke.
enum SVCText {
  private static let pixelsPerUnit = 96 / 2540.0

  static func read(_ bytes: [UInt8]) throws(InkError) -> [Stroke] {
    var lines = try Self.lines(of: bytes)[...]
    guard let first = lines.popFirst(), case let head = numbers(first), head.count == 1, let count = head[0],
      count.isFinite
    else {
      throw InkError(
        path: "line 1", finding: "is not a number", requirement: "an SVC file starts with the number of its points")
    }
    guard count == Double(lines.count) else {
      throw InkError(
        path: "line 1",
        finding: "says that \(TextNumber.spelled(min(max(count, -1e9), 1e9))) points follow, but \(lines.count) do",
        requirement: "a file that was cut off or joined is not read as if it were whole; correct the number if it is")
    }
    var rows: [[Double]] = []
    for (index, line) in lines.enumerated() {
      let row = numbers(line).compactMap { $0 }
      guard row.count == numbers(line).count, row.count == 4 || row.count == 7 else {
        throw InkError(
          path: "line \(index + 2)", finding: "is \(excerpt(String(decoding: line, as: UTF8.self)))",
          requirement: "a point is x y time button, or these with azimuth altitude pressure")
      }
      try checkUnits(row, "line \(index + 2)")
      rows.append(row)
    }
    try checkExtent(rows)
    // Its y axis points up, and the size of the surface is unknown: the topmost point becomes y = 0.
    let top = rows.map { $0[1] }.max() ?? 0
    var collector = StrokeCollector()
    var isDown = false
    for row in rows {
      guard row[3] != 0 else {
        isDown = false
        continue
      }
      if !isDown { try collector.begin() }
      isDown = true
      try collector.add(point(row, top))
    }
    return collector.strokes
  }

  /// The lines that are not blank. Each takes more memory than its bytes, so they are bounded as they are found.
  private static func lines(of bytes: [UInt8]) throws(InkError) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[line.endIndex...].dropFirst()
      if line.allSatisfy(isSpace) { continue }
      let place = "line \(lines.count + 1)"
      guard lines.count <= InkLimits.points else {
        throw InkError(
          path: place, finding: "is beyond the last point allowed",
          requirement: "a signature has at most \(InkLimits.points) points")
      }
      guard line.count <= mostLineBytes else {
        throw InkError(
          path: place, finding: "has \(line.count) bytes", requirement: "a line has at most \(mostLineBytes)")
      }
      lines.append(line)
    }
    return lines
  }

  /// Refuses files in other units, which would be drawn a hundred times too small or too bold.
  private static func checkUnits(_ row: [Double], _ line: String) throws(InkError) {
    let broken = row[..<2].first { $0.isFinite && $0 != $0.rounded() }
    if let broken {
      throw InkError(
        path: line, finding: "has a position of \(broken)",
        requirement: "SVC counts positions in whole hundredths of a millimetre: millimetres are to be multiplied by 100"
      )
    }
    if row.count == 7, row[6] > mostPressure {
      throw InkError(
        path: line, finding: "has a pressure of \(row[6])",
        requirement: "SVC counts pressure from 0 to 1023: that of a finer tablet is to be scaled to it")
    }
  }

  /// Refuses files that seem to be in whole millimetres, since nobody signs on three millimetres. A dot in one place is
  /// accepted.
  private static func checkExtent(_ rows: [[Double]]) throws(InkError) {
    let ink = rows.filter { $0[3] != 0 && $0[0].isFinite && $0[1].isFinite }
    let extent = [0, 1].map { axis in
      (ink.map { $0[axis] }.max() ?? 0) - (ink.map { $0[axis] }.min() ?? 0)
    }
    guard let most = extent.max(), most > 0, most < leastExtent else { return }
    throw InkError(
      path: "points", finding: "lie within \(TextNumber.spelled(most)) hundredths of a millimetre",
      requirement: "a signature is at least \(TextNumber.spelled(leastExtent)) wide or high, and a dot is a point: "
        + "millimetres are to be multiplied by 100")
  }

  private static let leastExtent = 300.0
  private static let mostPressure = 1023.0
  /// The most bytes of a line: seven numbers need no more, however they are aligned.
  private static let mostLineBytes = 1024

  private static func point(_ row: [Double], _ top: Double) -> StrokePoint {
    StrokePoint(
      x: row[0] * pixelsPerUnit, y: (top - row[1]) * pixelsPerUnit, time: row[2],
      pressure: row.count == 7 ? row[6] / mostPressure : nil, altitude: row.count == 7 ? row[5] / 10 : nil,
      azimuth: row.count == 7 ? row[4] / 10 : nil)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func numbers(_ line: ArraySlice<UInt8>) -> [Double?] {
    line.split(whereSeparator: isSpace).map { $0.count > 32 ? nil : Double(String(decoding: $0, as: UTF8.self)) }
  }
}
