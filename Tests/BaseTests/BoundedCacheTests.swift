import Base
import Testing

@Suite struct BoundedCacheTests {
  @Test("it never holds more than its bound, and what is asked for stays")
  func bound() {
    var cache = BoundedCache<Int, String>(mostBytes: 1000)
    for number in 0..<1000 {
      cache.insert("value \(number)", for: number, byteCount: 10)
      #expect(cache.byteCount <= 1000 && cache.count * 10 == cache.byteCount)
      #expect(cache.value(for: 0) == "value 0")
    }
    #expect(cache.count >= 50)
    #expect(cache.value(for: 999) == "value 999")
    #expect(cache.value(for: 500) == nil)
  }

  @Test("a value that would drive all others out is not kept, and takes an older value of its key away")
  func large() {
    var cache = BoundedCache<String, Int>(mostBytes: 1000)
    cache.insert(1, for: "a", byteCount: 250)
    cache.insert(2, for: "b", byteCount: 251)
    #expect(cache.value(for: "a") == 1 && cache.value(for: "b") == nil)
    cache.insert(3, for: "a", byteCount: 5000)
    #expect(cache.value(for: "a") == nil && cache.byteCount == 0)
  }

  @Test("replacing and removing keep the count right")
  func removal() {
    var cache = BoundedCache<Int, Int>(mostBytes: 100)
    for number in 0..<30 { cache.insert(number, for: number % 7, byteCount: 1 + number % 9) }
    cache.removeAll { $0 > 3 }
    #expect(cache.count == 4)
    #expect((4..<7).allSatisfy { number in cache.value(for: number) == nil })
    for number in 0..<4 { cache.remove(number) }
    #expect(cache.byteCount == 0 && cache.count == 0)
    cache.insert(1, for: 1, byteCount: 5)
    cache.removeAll()
    #expect(cache.byteCount == 0 && cache.value(for: 1) == nil)
  }
}
