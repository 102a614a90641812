/// A source of random numbers: a value, so that tests and simulations bring their own seed.
public struct Randomness: Sendable {
  private let next: @Sendable () -> UInt64

  public init(next: @escaping @Sendable () -> UInt64) {
    self.next = next
  }

  /// The operating system's generator; fit for keys, salts and identifiers.
  public static let system = Randomness {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }

  public func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      var word = next()
      for _ in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return bytes
  }

  /// A random number for naming calls and sessions; in practice it is never drawn twice.
  public func word() -> UInt64 { next() }
}

/// A repeatable generator (SplitMix64) for tests, simulations and jitter: never for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
