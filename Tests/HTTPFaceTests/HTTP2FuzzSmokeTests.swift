import Base
import HTTP2FuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with seeds that are changed at random instead of by libFuzzer.
@Suite("Fuzz target for the gRPC door")
struct HTTP2FuzzSmokeTests {
  @Test("its property holds for its seeds")
  func seeds() {
    for seed in HTTP2Target.seeds() { #expect(HTTP2Target.complaint(about: seed) == nil) }
  }

  @Test("its property holds for seeds that were cut, changed and joined at random")
  func mutations() {
    let rounds = LongTests.areWanted ? 200_000 : 2000
    var generator = SeededGenerator(seed: 7)
    let seeds = HTTP2Target.seeds()
    for _ in 0..<rounds {
      var input = seeds.randomElement(using: &generator) ?? []
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<input.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: input[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 2 where input.count > 8: input.removeSubrange(place..<min(input.count, place + 4))
        default: input += (seeds.randomElement(using: &generator) ?? []).dropFirst()
        }
      }
      let complaint = HTTP2Target.complaint(about: input)
      #expect(complaint == nil, "\(Hex.encode(input))")
    }
  }
}
