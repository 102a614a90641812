import Base
import InkFuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz: with its seeds, with inputs that libFuzzer kept in earlier runs, and with random
/// changes of these.
@Suite struct FuzzTests {
  private static let corpus: [[UInt8]] = {
    let folder = Repository.path("Fuzz/Corpus/ink")
    return ((try? Files.names(in: folder)) ?? []).compactMap { try? Files.read("\(folder)/\($0)") }
  }()

  @Test("no importer fails on the inputs that libFuzzer kept")
  func kept() {
    #expect(Self.corpus.count > 20)
    for input in InkTarget.seeds() + Self.corpus { #expect(InkTarget.complaint(about: input) == nil) }
  }

  @Test("a damaged file is refused or read as valid ink, and never crashes")
  func damaged() {
    let rounds = LongTests.areWanted ? 200_000 : 600
    let seeds = InkTarget.seeds() + Self.corpus
    var generator = SeededGenerator(seed: 1)
    for round in 0..<rounds {
      let file = Self.damage(seeds[round % seeds.count], &generator)
      let complaint = InkTarget.complaint(about: file)
      #expect(complaint == nil, "\(Hex.encode(file))")
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
