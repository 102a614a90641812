import ServiceKit
import Testing

@Suite struct RestartPolicyTests {
  @Test("the wait doubles up to a bound, and starts at its shortest after a long enough run")
  func backOff() {
    var policy = RestartPolicy()
    let waits = (0..<8).map { _ in policy.delay(afterUptime: .zero, chance: 0.5) }
    #expect(
      waits == [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000].map { Duration.milliseconds($0) })
    #expect(policy.delay(afterUptime: .seconds(31), chance: 0.5) == .milliseconds(200))
  }

  @Test("a wait varies by a fifth either way")
  func spread() {
    var low = RestartPolicy()
    var high = RestartPolicy()
    #expect(low.delay(afterUptime: .zero, chance: 0) == .milliseconds(160))
    #expect(high.delay(afterUptime: .zero, chance: 1) == .milliseconds(240))
  }
}
