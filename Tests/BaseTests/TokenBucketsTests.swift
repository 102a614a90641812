import Base
import Testing

@Suite("holders take tokens, some at once and then at a steady rate")
struct TokenBucketsTests {
  private let start = MonotonicTime(nanoseconds: 0)

  /// How many of `count` attempts are admitted.
  private func taken(_ count: Int, from buckets: inout TokenBuckets, by holder: String, at now: MonotonicTime) -> Int {
    (0..<count).count { _ in buckets.take(holder, at: now).isAdmitted }
  }

  @Test("a holder takes what the bucket has at once, then what comes back, and no more than the bucket holds")
  func rate() {
    var buckets = TokenBuckets(TokenRate(perSecond: 200, depth: 1000), mostHolders: 10)
    #expect(taken(1500, from: &buckets, by: "a", at: start) == 1000)
    #expect(taken(1, from: &buckets, by: "b", at: start) == 1, "nobody empties another's bucket")
    #expect(taken(500, from: &buckets, by: "a", at: start + .seconds(1)) == 200)
    #expect(taken(5, from: &buckets, by: "a", at: start + .milliseconds(1010)) == 2)
    #expect(taken(5000, from: &buckets, by: "a", at: start + .seconds(3600)) == 1000)
  }

  @Test("refused attempts cost nothing, so whoever tries on gets its rate")
  func refusals() {
    var buckets = TokenBuckets(TokenRate(perSecond: 10, depth: 5), mostHolders: 10)
    #expect(taken(5, from: &buckets, by: "a", at: start) == 5)
    let admitted = (1...1000).count { buckets.take("a", at: start + .milliseconds($0 * 10)).isAdmitted }
    #expect((99...100).contains(admitted))
  }

  @Test("full buckets are forgotten first, and no number of holders takes more memory")
  func memory() {
    var buckets = TokenBuckets(TokenRate(perSecond: 10, depth: 10), mostHolders: 100)
    for number in 0..<10_000 { _ = buckets.take("\(number)", at: start + .seconds(number)) }
    #expect(buckets.count <= 100)
    let late = start + .seconds(20_000)
    #expect(taken(20, from: &buckets, by: "greedy", at: late) == 10)
    for number in 0..<10_000 { _ = buckets.take("again \(number)", at: late) }
    #expect(buckets.count <= 100)
    #expect(taken(1, from: &buckets, by: "greedy", at: late) == 0, "an empty bucket is kept longest")
  }
}
