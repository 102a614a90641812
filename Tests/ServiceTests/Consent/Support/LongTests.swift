import Glibc

/// Longer searches, for `scripts/test --long`.
enum LongTests {
  static let areWanted = unsafe getenv("ASSENT_TEST_LONG") != nil
}
