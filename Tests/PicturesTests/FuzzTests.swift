import Base
import PictureFuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with its seeds and with random changes of these.
@Suite struct FuzzTests {
  @Test("a damaged picture is read or refused, and never crashes")
  func damaged() {
    let seeds = PictureTarget.seeds()
    #expect(seeds.count == 5)
    var generator = SeededGenerator(seed: 11)
    for seed in seeds { #expect(PictureTarget.complaint(about: seed) == nil) }
    for round in 0..<(LongTests.areWanted ? 50_000 : 400) {
      var file = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !file.isEmpty {
        let place = Int.random(in: 0..<file.count, using: &generator)
        let end = min(file.count, place + Int.random(in: 1...12, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: file[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: file.removeSubrange(place..<end)
        case 2: file.removeSubrange(place...)
        default: file.insert(contentsOf: file[place..<end], at: place)
        }
      }
      #expect(PictureTarget.complaint(about: file) == nil, "\(Hex.encode(file))")
    }
  }
}
