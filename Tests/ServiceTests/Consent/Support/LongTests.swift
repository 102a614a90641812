import Glibc

/// Longer searches, for when there is time: `scripts/test --long`.
enum LongTests {
  static let areWanted = unsafe getenv("ASSENT_TEST_LONG") != nil
}
