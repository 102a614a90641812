import Base
import Testing

@Suite("what holders did lately is counted")
struct RecentCountsTests {
  private let start = MonotonicTime(nanoseconds: 0)

  @Test("each act counts for a window at least and for two at most")
  func window() {
    var counts = RecentCounts(within: .seconds(5), at: start)
    for second in 0..<5 { counts.add("a", at: start + .seconds(second)) }
    #expect(counts.count(of: "a", at: start + .seconds(4)) == 5)
    #expect(counts.count(of: "b", at: start + .seconds(4)) == 0)
    #expect(counts.count(of: "a", at: start + .seconds(5)) == 5)
    #expect(counts.count(of: "a", at: start + .seconds(9)) == 5, "the last one is five seconds old")
    #expect(counts.count(of: "a", at: start + .seconds(10)) == 0)
    counts.add("a", at: start + .seconds(11))
    #expect(counts.count(of: "a", at: start + .seconds(21)) == 0, "nothing happened for two windows")
  }

  @Test("no number of holders takes more memory")
  func memory() {
    var counts = RecentCounts(within: .seconds(5), mostHolders: 100, at: start)
    for number in 0..<10_000 { counts.add("\(number)", at: start) }
    #expect(counts.holders <= 200)
    #expect(counts.count(of: "9999", at: start) == 1)
  }
}
