import Base
import PDFFuzzTargets
import Sealing
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with its seeds and with random changes of these.
@Suite struct FuzzTests {
  @Test("a damaged document is judged or refused, is valid only with all that was signed, and never crashes")
  func damaged() {
    let seeds = PDFTarget.seeds()
    #expect(seeds.count == 9)
    // Those who signed them are trusted: what is forged would be valid.
    #expect(seeds.count(where: PDFTarget.isValid) == 6)
    for seed in seeds {
      #expect(PDFTarget.complaint(about: seed) == nil)
      let report = Samples.verify(seed)
      #expect(report.isReadable && report.faults.isEmpty, "\(report.lines)")
    }
    var generator = SeededGenerator(seed: 7)
    for round in 0..<(LongTests.areWanted ? 50_000 : 400) {
      var file = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !file.isEmpty {
        let place = Int.random(in: 0..<file.count, using: &generator)
        let end = min(file.count, place + Int.random(in: 1...12, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: file[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: file.removeSubrange(place..<end)
        case 2: file.removeSubrange(place...)
        default: file[place] = Array("0919<>[]()/R%".utf8).randomElement(using: &generator) ?? 0
        }
      }
      #expect(PDFTarget.complaint(about: file) == nil, "\(Hex.encode(file))")
    }
  }
}
