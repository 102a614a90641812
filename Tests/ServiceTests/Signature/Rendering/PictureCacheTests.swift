import Base
import Ink
import InkSamples
import SignatureService
import Testing

@Suite struct PictureCacheTests {
  private let picture: Picture

  init() throws {
    picture = try Renderer().render(SampleSignature.reference.ink)
  }

  private func key(_ number: Int) -> Digest { Digest(of: [UInt8(number)]) }

  @Test("the least recently used picture is evicted first, and the bound holds at every step")
  func eviction() {
    let limit = 10 * (picture.bytes.count + 256)
    let cache = PictureCache(byteLimit: limit)
    for number in 0..<10 { cache.insert(picture, for: key(number)) }
    #expect(cache.count == 10 && cache.byteCount == limit)
    #expect(cache.picture(key(0)) == picture)
    for number in 10..<16 {
      cache.insert(picture, for: key(number))
      #expect(cache.byteCount <= limit)
      #expect(cache.picture(key(0)) != nil, "asked for again and again, it stays")
      #expect(cache.picture(key(number)) != nil)
    }
    #expect(cache.picture(key(1)) == nil)
  }

  @Test("a picture that would take an eighth of the cache is not stored")
  func huge() {
    let cache = PictureCache(byteLimit: picture.bytes.count * 8 - 1)
    cache.insert(picture, for: key(0))
    #expect(cache.picture(key(0)) == nil && cache.byteCount == 0)
  }

  @Test("a cache without room stores nothing")
  func off() {
    let cache = PictureCache(byteLimit: 0)
    cache.insert(picture, for: key(0))
    #expect(cache.count == 0)
  }

  @Test("entries are reused: twenty thousand insertions take the memory of a few")
  func reuse() {
    let cache = PictureCache(byteLimit: picture.bytes.count * 10)
    for number in 0..<20_000 {
      cache.insert(picture, for: Digest(of: Array("\(number)".utf8)))
    }
    #expect((1...10).contains(cache.count))
    #expect(cache.picture(Digest(of: Array("19999".utf8))) == picture)
  }
}
