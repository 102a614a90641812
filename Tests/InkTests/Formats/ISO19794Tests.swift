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
    let series = try SignatureTimeSeries(ink.iso19794())
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

  @Test("a signature of minutes, far from the origin, still fits its channels")
  func large() throws {
    let points = [StrokePoint(x: 0, y: 0, time: 0), StrokePoint(x: -99_000, y: 99_000, time: 500_000)]
    let series = try SignatureTimeSeries(Ink(validating: [Stroke(points: points)]).iso19794())
    let last = try #require(series.samples.last)
    #expect(abs(try #require(last["X"]) * 96 / 25.4 + 99_000) < 4)
    #expect(abs(try #require(last["T"]) - 500) < 0.01)
  }
}
