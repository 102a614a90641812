internal import Base

/// Longer searches, for `scripts/test --long`.
package enum LongTests {
  package static let areWanted = Environment.current["ASSENT_TEST_LONG"] != nil
}
