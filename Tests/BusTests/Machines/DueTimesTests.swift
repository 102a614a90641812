import Base
import Bus
import RPC
import Testing

@Suite struct DueTimesTests {
  @Test("whatever is added, moved and removed, each key comes when it is due, earliest first")
  func order() {
    var generator = SeededGenerator(seed: 1)
    var times = DueTimes()
    var due: [UInt64: MonotonicTime] = [:]
    var now = MonotonicTime(nanoseconds: 0)
    for step in 0..<20_000 {
      let key = UInt64.random(in: 0..<500, using: &generator)
      switch step % 4 {
      case 0, 1:
        let time = MonotonicTime(nanoseconds: now.nanoseconds + .random(in: 1...1000, using: &generator))
        due[key] = time
        times.add(key, at: time)
      case 2:
        due[key] = nil
        times.sweep(keeping: due.count) { due[$0.key] == $0.time }
      default:
        now = MonotonicTime(nanoseconds: now.nanoseconds + 10)
        let expected = Set(due.filter { $0.value <= now }.keys)
        var found: Set<UInt64> = []
        var last = MonotonicTime(nanoseconds: 0)
        while let entry = times.popDue(at: now) {
          #expect(last <= entry.time)
          last = entry.time
          if due[entry.key] == entry.time { found.insert(entry.key) }
        }
        #expect(found == expected)
        for key in found { due[key] = nil }
      }
    }
    #expect(due.allSatisfy { times.contains($0.key, at: $0.value) })
  }

  @Test("keys that are removed long before they are due leave little behind")
  func staleIsSwept() {
    var times = DueTimes()
    for key in 0..<10_000 as Range<UInt64> {
      times.add(key, at: MonotonicTime(nanoseconds: Int64(key) + 1_000_000))
      times.sweep(keeping: 0) { _ in false }
    }
    var left = 0
    while times.popDue(at: MonotonicTime(nanoseconds: .max)) != nil { left += 1 }
    #expect(left <= 64)
  }
}
