import Ink
import InkSamples
import Testing

/// Reads signature time series of ISO/IEC 19794-7:2007 by the standard alone, independently of the writer.
private struct SignatureTimeSeries {
  /// The channels in the standard's order, which is that of the inclusion field's bits.
  static let names = ["X", "Y", "Z", "VX", "VY", "AX", "AY", "T", "DT", "F", "S", "TX", "TY", "Az", "El", "R"]
  static let signed: Set = ["X", "Y", "Z", "VX", "VY", "AX", "AY"]

  private(set) var samples: [[String: Double]] = []
  private var bytes: ArraySlice<UInt8>

  init(_ file: [UInt8]) throws {
    bytes = file[...]
    #expect(take(8) == Array("SDI\0 10\0".utf8))
    let inclusion = word()
    let included = Self.names.enumerated().filter { inclusion >> (15 - $0.offset) & 1 == 1 }.map(\.element)
    var scales: [String: Double] = [:]
    for name in included {
      let has = take(1)[0]
      if has & 0x80 != 0 {
        let coded = word()
        var scale = 1 + Double(coded & 0x7FF) / 2048
        let exponent = coded >> 11 - 16
        for _ in 0..<abs(exponent) { scale = exponent < 0 ? scale / 2 : scale * 2 }
        scales[name] = scale
      }
      for bit: UInt8 in [0x40, 0x20, 0x10, 0x08] where has & bit != 0 { _ = word() }
    }
    #expect(take(2) == [0, 0])
    let count = take(3).reduce(0) { $0 << 8 | Int($1) }
    for _ in 0..<count {
      var sample: [String: Double] = [:]
      for name in included {
        let raw = name == "S" ? Int(take(1)[0]) : word() - (Self.signed.contains(name) ? 32_768 : 0)
        sample[name] = Double(raw) / (scales[name] ?? 1)
      }
      samples.append(sample)
    }
    #expect(bytes.isEmpty)
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  private mutating func word() -> Int { take(2).reduce(0) { $0 << 8 | Int($1) } }
}

@Suite struct ISO19794Tests {
  @Test("an independent reader finds every sample where and when it was drawn", arguments: [1, 2, 3, 20])
  func reading(writer: Int) throws {
    let ink = SampleSignature.all[writer - 1].ink
    let series = try SignatureTimeSeries(try ink.iso19794())
    let points = ink.strokes.flatMap(\.points)
    let down = series.samples.filter { $0["S"] == 1 }
    #expect(down.count == points.count)
    #expect(series.samples.count - down.count == ink.strokes.count - 1)
    let start = points.map(\.time).min() ?? 0
    for (sample, point) in zip(down, points) {
      let x = try #require(sample["X"]), y = try #require(sample["Y"]), time = try #require(sample["T"])
      #expect(abs(x * 96 / 25.4 - point.x) < 0.02)
      #expect(abs(200 - y * 96 / 25.4 - point.y) < 0.02)
      #expect(abs(time * 1000 - (point.time - start)) <= 1)
      if let pressure = point.pressure { #expect(abs(try #require(sample["F"]) / 65_535 - pressure) < 0.0001) }
      if let azimuth = point.azimuth { #expect(sample["Az"] == azimuth) }
      if let altitude = point.altitude { #expect(sample["El"] == altitude) }
    }
  }

  @Test("what is written is read again, to the file's own steps", arguments: [1, 2, 3, 20])
  func again(writer: Int) throws {
    let ink = SampleSignature.all[writer - 1].ink
    let read = try Ink.read(try ink.iso19794())
    #expect(read.strokes.map(\.points.count) == ink.strokes.map(\.points.count))
    let one = ink.strokes[0].points, other = read.strokes[0].points
    for (point, found) in zip(one, other) {
      #expect(abs(point.x - found.x) < 0.03 && abs(point.y - found.y) < 0.03, "where it was on the canvas")
      #expect(abs((point.time - one[0].time) - (found.time - other[0].time)) <= 1)
      #expect((point.pressure == nil) == (found.pressure == nil))
    }
  }

  /// X and Y in millimetres, a tablet that counts time in steps, force from 0 to 1023, and no switch: where nothing
  /// presses, the pen is up.
  @Test("another maker's channels are read by what the header says of them")
  func foreign() throws {
    var file = Array("SDI\0 10\0".utf8)
    let word = { (value: Int) in [UInt8(value >> 8), UInt8(value & 0xFF)] }
    file += word(0xC000 | 0x0080 | 0x0040)
    // X and Y with a scaling of 1, DT in hundredths of a second, F with its range and a mean.
    file += [0x80] + word(16 << 11) + [0x80] + word(16 << 11) + [0x80] + word(22 << 11 | 1152)
    file += [0x70] + word(0) + word(1023) + word(400) + [0, 0, 0, 0, 4]
    for (x, y, force) in [(10, 20, 1023), (11, 20, 0), (12, 20, 512), (13, 19, 512)] {
      file += word(x + 32_768) + word(y + 32_768) + word(1) + word(force)
    }
    let ink = try Ink.read(file)
    #expect(ink.strokes.map(\.points.count) == [1, 2])
    #expect(abs(ink.strokes[0].points[0].x - 10 * 96 / 25.4) < 0.001)
    #expect(abs(ink.strokes[1].points[1].y - 96 / 25.4) < 0.001)
    #expect(ink.strokes[1].points.map(\.time) == [30, 40])
    #expect(ink.strokes[0].points[0].pressure == 1)
    for count in 8..<file.count {
      let cut = try? Ink.read(Array(file[..<count]))
      #expect(cut == nil, "cut at \(count)")
    }
    let compact = try? Ink.read(Array("SDI\0 20\0".utf8) + file.dropFirst(8))
    #expect(compact == nil)
  }

  /// One stroke with a force that the header calls constant; `flags` are more bits of its description.
  private func constant(inBody: Bool, _ flags: UInt8 = 0) -> [UInt8] {
    let word = { (value: Int) in [UInt8(value >> 8), UInt8(value & 0xFF)] }
    var file = Array("SDI\0 10\0".utf8) + word(0xC000 | 0x0040)
    file += [0x80] + word(16 << 11) + [0x80] + word(16 << 11) + [0x64 | flags] + word(300) + word(600)
    file += [0, 0, 0, 0, 2]
    for (x, y) in [(10, 20), (12, 21)] {
      file += word(x + 32_768) + word(y + 32_768) + (inBody ? word(450) : [])
    }
    return file
  }

  @Test("a constant channel is read from the body, as the standard's ASN.1 has it, or from the header alone")
  func constants() throws {
    let ink = try Ink.read(constant(inBody: true))
    #expect(ink.strokes.map(\.points.count) == [2])
    #expect(ink.strokes[0].points.allSatisfy { abs(($0.pressure ?? 9) - 0.5) < 0.001 })
    #expect(try Ink.read(constant(inBody: false)).strokes[0].points.map(\.pressure) == [0, 0])
    let moved = #expect(throws: InkError.self) { try Ink.read(constant(inBody: true, 0x02)) }
    #expect(moved?.finding.hasPrefix("has a channel (force) from which the linear component was removed") == true)
  }

  @Test("what erases is refused, not written as ink")
  func erasers() throws {
    let points = [StrokePoint(x: 0, y: 0, time: 0), StrokePoint(x: 9, y: 9, time: 10)]
    let ink = try Ink(validating: [Stroke(points: points), Stroke(points: points, pen: Pen(erases: true))])
    let refused = #expect(throws: InkError.self) { try ink.iso19794() }
    #expect(refused?.path == "strokes[1].pen")
  }

  @Test("a signature of minutes, far from the origin, still fits its channels")
  func large() throws {
    let points = [StrokePoint(x: 0, y: 0, time: 0), StrokePoint(x: -99_000, y: 99_000, time: 500_000)]
    let series = try SignatureTimeSeries(try Ink(validating: [Stroke(points: points)]).iso19794())
    let last = try #require(series.samples.last)
    #expect(abs(try #require(last["X"]) * 96 / 25.4 + 99_000) < 4)
    #expect(abs(try #require(last["T"]) - 500) < 0.01)
  }
}
