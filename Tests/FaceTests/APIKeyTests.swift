import Base
import Face
import RPC
import Synchronization
import Testing

@Suite struct APIKeyTests {
  private func entry(_ key: String, name: String = "app", expires: Instant? = nil) throws -> APIKey {
    APIKey(
      id: try #require(APIKey.id(of: key)), hash: APIKey.hash(of: key), name: name, tenant: "acme", kind: .person,
      roles: ["nurse@trial/berlin"], scopes: ["a.b.C/*"], expires: expires)
  }

  @Test("a list is read as it is written")
  func list() throws {
    var list = APIKeyList()
    try list.add(try entry(APIKey.generate(), expires: Instant(millisecondsSince1970: 1_800_000_000_000)))
    try list.add(try entry(APIKey.generate(), name: "other"))
    let operatorKey = APIKey.generate()
    try list.add(
      APIKey(
        id: try #require(APIKey.id(of: operatorKey)), hash: APIKey.hash(of: operatorKey), name: "op", tenant: "",
        kind: .operator))
    let read = try APIKeyList(parsing: list.text)
    #expect(read == list)
    #expect(read.keys.last?.caller.identity == CallerIdentity(kind: .operator, subject: "op"))
  }

  @Test(
    "a mistake in the list is named with its line",
    arguments: [
      ("ak_1 00 name=a", "line 2: the second field"),
      ("xx_1 00", "line 2: a key begins with ak_"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t", "kind=… is missing"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=service", "device, person or operator"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a kind=device", "tenant=… is missing"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=operator", "above all tenants"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a kind=operator roles=admin@*", "neither a tenant nor roles"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person colour=red", "“colour=red” is none of"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person expires=soon", "is no time"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person scopes=x", "is no package.Service"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person roles=x", "is no role@study"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person scopes=,", "is no package.Service"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person scopes=a.B/*,", "is no package.Service"),
      ("ak_1 \(String(repeating: "0", count: 64)) name=a tenant=t kind=person roles=,", "is no role@study"),
    ])
  func mistakes(line: String, says: String) {
    let error = #expect(throws: APIKeyListError.self) { try APIKeyList(parsing: "# a comment\n\(line)\n") }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
  }

  @Test("a key is accepted until it expires or leaves the list")
  func life() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("keys")
    let time = Mutex(MonotonicTime(nanoseconds: 0))
    let clock = Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { time.withLock { $0 } })
    let news = Mutex(0)
    let ring = try APIKeyRing(following: path, clock: clock) { if case .reloaded = $0 { news.withLock { $0 += 1 } } }
    let key = APIKey.generate()
    let now = Instant(millisecondsSince1970: 1_000_000)
    #expect(throws: Status.self) { try ring.verify(key, at: now) }
    var list = APIKeyList()
    try list.add(try entry(key, expires: now + .seconds(1)))
    try APIKeyListFile.write(list, to: path)
    #expect(throws: Status.self) { try ring.verify(key, at: now) }
    time.withLock { $0 = $0 + .milliseconds(100) }
    let caller = try ring.verify(key, at: now)
    #expect(
      caller.identity == CallerIdentity(kind: .person, tenant: "acme", subject: "app", grants: ["nurse@trial/berlin"]))
    #expect(caller.scopes == ["a.b.C/*"])
    #expect(throws: Status.self) { try ring.verify(key, at: now + .seconds(1)) }
    #expect(throws: Status.self) { try ring.verify(String(key.dropLast()) + "x", at: now) }
    _ = list.remove("app")
    try APIKeyListFile.write(list, to: path)
    time.withLock { $0 = $0 + .milliseconds(100) }
    #expect(throws: Status.self) { try ring.verify(key, at: now) }
    #expect(news.withLock { $0 } == 2)
  }

  @Test("a key whose secret was replaced is refused, also where it was shown before")
  func replaced() throws {
    let ring = try APIKeyRing(following: try TemporaryFolder().file("keys"))
    let keys = ["a", "b"].map { "ak_12345678_" + String(repeating: $0, count: 48) }
    for (good, former) in [(0, 1), (1, 0), (0, 1)] {
      var list = APIKeyList()
      try list.add(try entry(keys[good]))
      ring.replace(with: list)
      for _ in 0..<2 {
        #expect(throws: Never.self) { try ring.verify(keys[good], at: Instant(millisecondsSince1970: 0)) }
        #expect(throws: Status.self) { try ring.verify(keys[former], at: Instant(millisecondsSince1970: 0)) }
      }
    }
  }

  @Test("a key of the list ends with the device that has its name, and no other key does")
  func wipedDevice() throws {
    let folder = try TemporaryFolder()
    let ring = try APIKeyRing(following: folder.file("keys"))
    let closed = ClosedCallers()
    let gatekeeper = Gatekeeper([ring], closed: closed)
    func admit(_ tenant: String, _ kind: CallerKind, named name: String) throws -> PresentedCredential {
      let key = APIKey.generate()
      var list = APIKeyList()
      try list.add(
        APIKey(
          id: try #require(APIKey.id(of: key)), hash: APIKey.hash(of: key), name: name, tenant: tenant, kind: kind))
      ring.replace(with: list)
      return PresentedCredential(token: key)
    }
    let tablet = try admit("acme", .device, named: "tablet")
    let caller = try gatekeeper.identify(tablet)
    #expect(gatekeeper.objection(to: caller) == nil)
    #expect(closed.wipe("tablet", of: "acme") && !closed.wipe("tablet", of: "acme"))
    let refusal = #expect(throws: Status.self) { try gatekeeper.identify(tablet) }
    #expect(refusal?.code == .unauthenticated && refusal?.message.hasPrefix("device_wiped: ") == true)
    // A stream that is open ends with the same.
    #expect(gatekeeper.objection(to: caller) == refusal)
    // Tenants that are opened again bring no device back.
    #expect(!closed.keep(only: []))
    #expect(throws: Status.self) { try gatekeeper.identify(tablet) }
    let others: [(tenant: String, kind: CallerKind, name: String)] = [
      ("acme", .person, "tablet"), ("other", .device, "tablet"), ("acme", .device, "phone"),
    ]
    for other in others {
      let credential = try admit(other.tenant, other.kind, named: other.name)
      #expect(throws: Never.self) { try gatekeeper.identify(credential) }
    }
  }

  @Test("a list that is half written is refused at the start, and changes nothing later")
  func halfWritten() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("keys")
    let time = Mutex(MonotonicTime(nanoseconds: 0))
    let clock = Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { time.withLock { $0 } })
    let key = APIKey.generate()
    let now = Instant(millisecondsSince1970: 1_000_000)
    var list = APIKeyList()
    try list.add(try entry(key, expires: now))
    try APIKeyListFile.write(list, to: path)
    let ring = try APIKeyRing(following: path, clock: clock)
    #expect(throws: Status.self, "it has expired") { try ring.verify(key, at: now) }
    // Without its last attribute, the key would be good for ever.
    let line = try #require(list.text.ranges(of: " expires=").first)
    try Files.write(Array(list.text[..<line.lowerBound].utf8), to: path)
    time.withLock { $0 = $0 + .milliseconds(100) }
    #expect(throws: Status.self) { try ring.verify(key, at: now) }
    #expect(throws: APIKeyListError.self) { try APIKeyRing(following: path, clock: clock) }
  }

  @Test("a list that is put right in its place is read again, also where its time and size stay")
  func putRight() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("keys")
    let time = Mutex(MonotonicTime(nanoseconds: 0))
    let clock = Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { time.withLock { $0 } })
    let key = APIKey.generate()
    let now = Instant(millisecondsSince1970: 1_000_000)
    var list = APIKeyList()
    try list.add(try entry(APIKey.generate(), name: "other"))
    let shorter = Array(list.text.utf8)
    try list.add(try entry(key))
    try APIKeyListFile.write(list, to: path)
    let ring = try APIKeyRing(following: path, clock: clock)
    // The key is removed, but the last line's end has become something else.
    try Files.write(shorter.dropLast() + [UInt8(ascii: "x")], to: path)
    time.withLock { $0 = $0 + .milliseconds(100) }
    #expect(throws: Never.self, "the former list stays in force") { try ring.verify(key, at: now) }
    try Files.write(shorter, to: folder.file("right"))
    _ = try await ChildProcess.output(of: ChildCommand("cp", ["-p", path, folder.file("time")]))
    _ = try await ChildProcess.output(of: ChildCommand("cp", [folder.file("right"), path]))
    _ = try await ChildProcess.output(of: ChildCommand("touch", ["-r", folder.file("time"), path]))
    time.withLock { $0 = $0 + .milliseconds(100) }
    #expect(throws: Status.self, "the key was removed") { try ring.verify(key, at: now) }
  }

  @Test("a bucket fills at its rate, and no account empties another's")
  func limiter() {
    var limiter = RateLimiter(rate: 10)
    let start = MonotonicTime(nanoseconds: 0)
    for _ in 0..<10 { #expect(limiter.take("a", at: start)?.wait == nil) }
    #expect(limiter.take("a", at: start)?.wait == .milliseconds(100))
    #expect(limiter.take("b", at: start)?.remaining == 9)
    #expect(limiter.take("a", at: start + .milliseconds(100))?.wait == nil)
    #expect(limiter.take("a", at: start + .milliseconds(100))?.wait != nil)
  }

  @Test("strangers cannot fill the memory with accounts")
  func bound() {
    var limiter = RateLimiter(rate: 10, mostAccounts: 100)
    let start = MonotonicTime(nanoseconds: 0)
    for number in 0..<10_000 { _ = limiter.take("\(number)", at: start) }
    for _ in 0..<9 { _ = limiter.take("x", at: start) }
    for number in 0..<10_000 { _ = limiter.take("again \(number)", at: start) }
    #expect(limiter.count <= 100)
  }
}
