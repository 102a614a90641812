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
