import Base
import Ink
import InkSamples
import Testing

/// Damaged and shuffled files through every importer. More of them with ASSENT_TEST_LONG.
@Suite struct FuzzTests {
  private static let seeds: [[UInt8]] = [
    SampleSignature.all[18].ink.signaturePadJSON(), SampleSignature.all[17].ink.inkML(),
    StrokeBlob(SampleSignature.all[18].ink).bytes, Array("[[[1,2,0.3],[4,5,0.4]],[[7,8,1]]]".utf8),
    Array("2\n2540 5080 100 1 1550 710 1023\n5080 2540 110 1 1550 710 0\n".utf8),
    Array("<ink><trace>1125 18432,'23'43,\"7\"-8,3-5,7 -3,6 2,* ?,!#FF T</trace></ink>".utf8),
  ]

  @Test("no file, however damaged, does worse than being refused; and what is read is sound")
  func damaged() throws {
    let rounds = Environment.current["ASSENT_TEST_LONG"] == nil ? 400 : 200_000
    var generator = SeededGenerator(seed: 1)
    for round in 0..<rounds {
      let file = Self.damage(Self.seeds[round % Self.seeds.count], &generator)
      for format in [InkFormat?.none] + InkFormat.allCases {
        guard let ink = try? Ink.read(file, as: format) else { continue }
        #expect(try StrokeBlob.read(StrokeBlob(ink).bytes) == ink)
      }
    }
  }

  private static func damage(_ file: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var file = file
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !file.isEmpty {
      let place = Int.random(in: 0..<file.count, using: &generator)
      let end = min(file.count, place + Int.random(in: 1...12, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: file[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: file.removeSubrange(place..<end)
      case 2: file.insert(contentsOf: file[place..<end], at: Int.random(in: 0...file.count, using: &generator))
      case 3: file.removeSubrange(place...)
      default: file[place] = Array("0919-+.eE,[]{}\"'!*?#<>/&".utf8).randomElement(using: &generator) ?? 0
      }
    }
    return file
  }
}
