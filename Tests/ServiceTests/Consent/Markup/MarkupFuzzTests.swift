import Base
import MarkupFuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with its seeds and with random changes of these.
@Suite struct MarkupFuzzTests {
  @Test("damaged markup is cleaned or refused, and never crashes")
  func damaged() {
    let seeds = MarkupTarget.seeds()
    var generator = SeededGenerator(seed: 11)
    for seed in seeds { #expect(MarkupTarget.complaint(about: seed) == nil) }
    for round in 0..<(LongTests.areWanted ? 100_000 : 1000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let other = seeds.randomElement(using: &generator) ?? []
        let end = Int.random(in: 0...min(40, other.count), using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + end))
        default: bytes.insert(contentsOf: other[..<end], at: place)
        }
      }
      #expect(MarkupTarget.complaint(about: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
