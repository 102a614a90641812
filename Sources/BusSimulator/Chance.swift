internal import Base

/// The simulation's random numbers: every random choice is drawn here, so that the seed determines everything.
struct Chance {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func word() -> UInt64 { generator.next() }

  mutating func happens(_ probability: Double) -> Bool {
    Double(generator.next() >> 11) / Double(1 << 53) < probability
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(generator.next() % UInt64(range.count))
  }

  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .microseconds(number(range.lowerBound * 1000...range.upperBound * 1000))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }
}
