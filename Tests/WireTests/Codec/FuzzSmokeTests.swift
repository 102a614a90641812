import Base
import CodecFuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with seeds that are changed at random instead of by libFuzzer.
@Suite("Fuzz target for the codec")
struct FuzzSmokeTests {
  @Test("its property holds for its seeds")
  func seeds() {
    for seed in CodecTarget.seeds() { #expect(CodecTarget.complaint(about: seed) == nil) }
  }

  @Test("its property holds for seeds that were cut, changed, doubled and joined at random")
  func mutations() {
    let rounds = LongTests.areWanted ? 400_000 : 4000
    var generator = SeededGenerator(seed: 42)
    let seeds = CodecTarget.seeds()
    for _ in 0..<rounds {
      var input = seeds.randomElement(using: &generator) ?? []
      for _ in 0...Int.random(in: 0..<4, using: &generator) { mutate(&input, seeds, &generator) }
      let complaint = CodecTarget.complaint(about: input)
      #expect(complaint == nil, "\(Hex.encode(input))")
    }
  }

  private func mutate(_ input: inout [UInt8], _ seeds: [[UInt8]], _ generator: inout SeededGenerator) {
    guard input.count > 1 else { return }
    let place = Int.random(in: 1..<input.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: input[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: input.removeSubrange(place..<min(input.count, place + Int.random(in: 1...8, using: &generator)))
    case 3: input.insert(contentsOf: input[place..<min(input.count, place + 8)], at: place)
    case 4: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    default: input = Array(input[..<place]) + (seeds.randomElement(using: &generator) ?? []).dropFirst(place)
    }
  }
}
