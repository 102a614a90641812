import Base
import TestSupport
import Testing
import TokenFuzzTargets

/// The fuzz target of scripts/fuzz, with its seeds and with random changes of these.
@Suite struct TokenFuzzTests {
  @Test("damaged tokens and key sets are refused, and never crash")
  func damaged() {
    let seeds = TokenTarget.seeds()
    #expect(seeds.count == 24)
    var generator = SeededGenerator(seed: 5)
    for seed in seeds { #expect(TokenTarget.complaint(about: seed) == nil) }
    for round in 0..<(LongTests.areWanted ? 50_000 : 2000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
      }
      #expect(TokenTarget.complaint(about: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
