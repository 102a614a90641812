import Base
import Face
import RPC
import Testing

@Suite struct EncodingTests {
  @Test("gzip comes back as it went in", arguments: [0, 1, 1_000, 300_000])
  func gzip(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
    #expect(try Gzip.decompress(Gzip.compress(bytes), limit: 1 << 20) == bytes)
  }

  @Test("several members in a row are one content")
  func members() throws {
    let bytes = Gzip.compress([1, 2]) + Gzip.compress([3])
    #expect(try Gzip.decompress(bytes, limit: 100) == [1, 2, 3])
  }

  @Test("very many members are refused, however little they hold")
  func manyMembers() throws {
    let member = Gzip.compress([])
    let most = [UInt8]([[UInt8]](repeating: member, count: 64).joined())
    #expect(try Gzip.decompress(most, limit: 100) == [])
    #expect(throws: Status.self) { try Gzip.decompress(most + member, limit: 100) }
  }

  @Test("a bomb is refused before it unfolds")
  func bomb() {
    let bomb = Gzip.compress([UInt8](repeating: 0, count: 10 << 20))
    #expect(bomb.count < 100_000)
    #expect(throws: Status.self) { try Gzip.decompress(bomb, limit: 1 << 20) }
  }

  @Test("bytes that are no gzip are refused", arguments: [[], [1, 2, 3], [31, 139, 8, 0]] as [[UInt8]])
  func noGzip(bytes: [UInt8]) {
    #expect(throws: Status.self) { try Gzip.decompress(bytes, limit: 100) }
  }

  @Test("frames are read from bytes however they are cut", arguments: [1, 2, 3, 7, 1_000])
  func frames(step: Int) throws {
    let frames = [
      PrefixedFrame(payload: []), PrefixedFrame(flags: 1, payload: [1, 2, 3]),
      PrefixedFrame(flags: 2, payload: [UInt8](repeating: 9, count: 300)),
    ]
    var bytes: [UInt8] = []
    for frame in frames { frame.append(to: &bytes) }
    var reader = PrefixedFrameReader(limit: 300)
    var found: [PrefixedFrame] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      var piece = bytes[start..<min(start + step, bytes.count)]
      while let frame = try reader.next(from: &piece) { found.append(frame) }
    }
    #expect(found == frames)
    #expect(!reader.isInsideFrame)
  }

  @Test(
    "a frame is passed on whole, a long payload apart from its head",
    arguments: [(0, 1), (16_384, 1), (16_385, 2)])
  func writing(count: Int, parts: Int) {
    #expect(ByteQueue.piece == 16_384)
    let frame = PrefixedFrame(flags: 1, payload: [UInt8](repeating: 9, count: count))
    var (whole, found): ([UInt8], [[UInt8]]) = ([], [])
    frame.append(to: &whole)
    frame.write { found.append($0) }
    #expect(found.count == parts && Array(found.joined()) == whole)
  }

  @Test("a frame that claims too much is refused by its head")
  func largeFrame() {
    var reader = PrefixedFrameReader(limit: 300)
    var bytes: ArraySlice<UInt8> = [0, 0, 0, 1, 45]
    #expect(throws: Status.self) { try reader.next(from: &bytes) }
  }

  @Test("timeouts of Connect", arguments: [("0", 0), ("1500", 1500), ("9999999999", 9_999_999_999)])
  func connectTimeout(text: String, milliseconds: Int) throws {
    #expect(try CallTimeout.connect(text) == .milliseconds(milliseconds))
  }

  @Test("timeouts of gRPC", arguments: [("1H", 3_600_000), ("2M", 120_000), ("3S", 3_000), ("99999999m", 99_999_999)])
  func grpcTimeout(text: String, milliseconds: Int) throws {
    #expect(try CallTimeout.grpc(text) == .milliseconds(milliseconds))
  }

  @Test("timeouts that are none", arguments: ["", "-1", "1.5", "12345678901", "1s", "١"])
  func badTimeout(text: String) {
    #expect(throws: Status.self) { try CallTimeout.connect(text) }
    #expect(throws: Status.self) { try CallTimeout.grpc(text) }
  }

  @Test("entries of an answer that are malformed, or belong to the protocol, become no headers")
  func answerMetadata() {
    var metadata = Metadata()
    for (key, value) in [
      ("a", "1"), ("b", "x\r\nset-cookie: y"), ("c", "é"), ("d\r\nset-cookie", "y"), ("Set-Cookie", "y"), ("", "y"),
      ("etag", "y"), ("location", "y"), ("content-disposition", "y"), ("access-control-max-age", "y"),
      ("retry-after-ms", "5"), ("e-bin", "\n"),
    ] {
      metadata.appendUnchecked(key: key, value: Array(value.utf8))
    }
    let headers = HeaderMetadata.answerHeaders(of: metadata, prefix: "t-")
    #expect(headers.map { "\($0.name): \($0.value)" } == ["t-a: 1", "t-retry-after-ms: 5", "t-e-bin: Cg"])
  }

  @Test("headers become metadata, and metadata headers")
  func metadata() throws {
    var metadata = Metadata()
    for (name, value) in [
      ("x-trace", "1"), ("blob-bin", "AAEC, AA"), ("authorization", "Bearer x"), ("connect-foo", "1"), ("x y", "1"),
    ] {
      try HeaderMetadata.add(name, value, to: &metadata)
    }
    #expect(metadata.entries.map(\.key) == ["x-trace", "blob-bin", "blob-bin"])
    #expect(metadata.values(of: "blob-bin") == [[0, 1, 2], [0]])
    #expect(HeaderMetadata.headers(of: metadata, prefix: "t-").map(\.value) == ["1", "AAEC", "AA"])
    #expect(throws: Status.self) {
      var other = Metadata()
      try HeaderMetadata.add("blob-bin", "no base64!", to: &other)
    }
  }
}
