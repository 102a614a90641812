import Base
import Ink
import TestSupport
import Testing

/// A file that Wacom's own library wrote: two strokes with time, pressure and altitude.
@Suite struct UniversalInkTests {
  private func file() throws -> [UInt8] { try Files.read(Repository.path("Tests/Fixtures/ink/wacom.uim")) }

  @Test("strokes come with their places, widths, times, pressures and angles")
  func reading() throws {
    let ink = try Ink.read(file())
    #expect(ink.strokes.map(\.points.count) == [8, 3])
    let first = ink.strokes[0]
    #expect(first.points.map(\.x) == (0..<8).map { 10 + 8 * Double($0) })
    #expect(abs(first.points[1].y - (40 + 8.4147)) < 0.01)
    #expect(
      first.points.dropFirst().enumerated().allSatisfy {
        abs($1.time - first.points[0].time - 10 * Double($0 + 1)) < 0.01
      })
    #expect(abs(try #require(first.points[7].pressure) - 0.55) < 0.001)
    #expect(abs(try #require(first.points[0].altitude) - 57.3) < 0.1)
    #expect(first.pen.minimumRadius == 1 && first.pen.maximumRadius == 1.875)
  }

  private func field(_ number: UInt8, _ body: [UInt8]) -> [UInt8] {
    let count = body.count
    return [number << 3 | 2] + (count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]) + body
  }

  /// A file of one stroke, with the samples of one channel, and of so many others that it does not name; `extra` is
  /// more fields of the stroke.
  private func file(
    _ extra: [UInt8], others: Int = 0, channel: [UInt8] = [7], type: String = "will/input/3.0/channel/Pressure"
  ) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let named = field(1, channel) + field(2, Array(type.utf8))
    let unknown = (0..<others).flatMap { field(5, field(1, [UInt8(100 + $0)]) + field(2, [2, 0])) }
    let samples = field(1, [9]) + field(5, field(1, channel) + field(2, [2, 0])) + unknown
    let input = field(1, field(5, field(2, field(2, named)))) + field(2, samples)
    let places: [Float] = [1, 2, 3]
    let values = places.flatMap { word(Int($0.bitPattern)) }
    let stroke = field(5, field(1, values) + field(2, values)) + field(15, [9]) + extra
    var bytes = Array("UINKHEAD".utf8) + word(20) + [3, 1, 0, 0]
    for _ in 0..<2 { bytes += [0, 0, 0, 1, 0, 0, 0, 0] }
    for (name, body) in [("INPT", input), ("INKD", field(1, stroke))] {
      bytes += Array(name.utf8) + word(body.count) + body + (body.count % 2 == 1 ? [0] : [])
    }
    return Array("RIFF".utf8) + word(bytes.count) + bytes
  }

  @Test("numbers of 64 bits lead nowhere outside of the samples")
  func farNumbers() throws {
    let most: [UInt8] = [0xFE] + [UInt8](repeating: 0xFF, count: 8) + [0x01]
    let last: [UInt8] = [UInt8](repeating: 0xFF, count: 8) + [0x7F]
    #expect(try Ink.read(file([])).pointCount == 3)
    // An offset into the samples: the last of them belongs to all points.
    #expect(try Ink.read(file([14 << 3] + last)).pointCount == 3)
    // Precisions.
    #expect(throws: InkError.self) { try Ink.read(file([2 << 3] + most)) }
  }

  @Test("a point with values of very many channels is refused", arguments: [63, 64])
  func channels(others: Int) throws {
    if others < 64 {
      #expect(try Ink.read(file([], others: others)).pointCount == 3)
    } else {
      #expect(throws: InkError.self) { try Ink.read(file([], others: others)) }
    }
  }

  @Test("names are short, however often they are looked up", arguments: [256, 257])
  func names(length: Int) throws {
    let name = [UInt8](repeating: 9, count: length)
    // A name of sensor data that is not there.
    let files = [file([], channel: name), file([], type: String(repeating: "/", count: length)), file(field(15, name))]
    for file in files {
      if length > InkLimits.textBytes {
        #expect(throws: InkError.self) { try Ink.read(file) }
      } else {
        #expect(try Ink.read(file).pointCount == 3)
      }
    }
    let mode = Array("SourceOver".utf8)
    #expect(try Ink.read(file(field(12, mode))).pointCount == 3)
    #expect(throws: InkError.self) { try Ink.read(file(field(12, [UInt8](repeating: 0x2F, count: 250) + mode))) }
  }

  @Test("a damaged file is refused, and so is another version")
  func damaged() throws {
    let whole = try file()
    for count in 0..<whole.count {
      let read = try? Ink.read(Array(whole[..<count]), as: .universalInk)
      #expect(read == nil, "cut at \(count)")
    }
    var old = whole
    old[21] = 0
    let read = try? Ink.read(old)
    #expect(read == nil)
  }
}
