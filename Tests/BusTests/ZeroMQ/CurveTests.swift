import Base
import Bus
import RPC
import Synchronization
import Testing

@Suite struct CurveTests {
  let context: ZeroMQContext

  init() throws { context = try ZeroMQContext() }
  let server = CurveKeyPair.generate()
  let client = CurveKeyPair.generate()

  private func entry(_ keys: CurveKeyPair, role: KeyEntry.Role = .client, name: String = "kiosk") -> KeyEntry {
    KeyEntry(
      role: role, publicKey: keys.publicKey, name: name,
      grant: role == .client ? .init(tenant: "acme", kind: .device) : nil,
      rights: role == .service ? KeyRights(serving: .only(["a.B"]), vouching: .nobody) : nil)
  }

  private func ring(_ entries: KeyEntry...) throws -> KeyRing {
    var list = KeyList()
    for entry in entries { try list.add(entry) }
    return KeyRing(list)
  }

  private let kiosk = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")

  private var clientsDoor: SocketOptions.Security { .curveServer(keys: server, domain: "clients") }
  private let doors: Authenticator.Doors = ["clients": [.client], "services": [.service]]

  @Test("a listed key is let in, and every message carries its identity")
  func listedKey() async throws {
    let ring = try ring(entry(client))
    let authenticator = try await Authenticator.start(in: context, ring: ring, doors: doors) { _ in }
    defer { authenticator.stop() }
    try exchange(ring)
  }

  private func exchange(_ ring: KeyRing) throws {
    var router = try TestSocket.router(in: context, security: clientsDoor)
    var dealer = try TestSocket.dealer(
      in: context, to: router.endpoint(), security: .curveClient(keys: client, server: server.publicKey))
    for text in ["one", "two"] {
      try dealer.send(text, payload: [1, 2, 3])
      let message = try #require(try router.receive())
      #expect(message.header == [UInt8](text))
      let number = try #require(message.keyNumber)
      #expect(ring.admitted[number]?.identity == kiosk)
    }
    // A removed key is refused at its next message, although its connection is still open.
    ring.replace(with: KeyList())
    try dealer.send("three")
    let number = try #require(try router.receive()?.keyNumber)
    #expect(ring.admitted[number] == nil)
  }

  @Test("a key that connects too often waits, and another key does not")
  func tooOften() async throws {
    let other = CurveKeyPair.generate()
    let ring = try ring(entry(client), entry(other, name: "tablet"))
    let postponed = Mutex<Set<CurvePublicKey>>([])
    let one = TokenBuckets(TokenRate(perSecond: 0, depth: 1), mostHolders: 10)
    let authenticator = try await Authenticator.start(
      in: context, ring: ring, doors: doors, handshakes: one
    ) { report in
      if case .postponed(let key, "clients", "127.0.0.1") = report { _ = postponed.withLock { $0.insert(key) } }
    }
    defer { authenticator.stop() }
    try connect(client, other) { !postponed.withLock { $0.isEmpty } }
    #expect(postponed.withLock { $0 } == [client.publicKey])
  }

  /// Connects with one key twice, and then with another one.
  ///
  /// - Parameter isPostponed: whether a connection has been put off.
  private func connect(_ first: CurveKeyPair, _ other: CurveKeyPair, _ isPostponed: () -> Bool) throws {
    var router = try TestSocket.router(in: context, security: clientsDoor)
    let endpoint = try router.endpoint()
    func dealer(_ keys: CurveKeyPair) throws -> TestSocket {
      try TestSocket.dealer(in: context, to: endpoint, security: .curveClient(keys: keys, server: server.publicKey))
    }
    var admitted = try dealer(first)
    try admitted.send("first")
    #expect(try router.receive()?.header == [UInt8]("first"))
    let second = try dealer(first)
    let deadline = Clock.system.monotonic + .seconds(20)
    while !isPostponed(), Clock.system.monotonic < deadline { _ = try router.receive(within: .milliseconds(5)) }
    var third = try dealer(other)
    try third.send("other")
    #expect(try router.receive()?.header == [UInt8]("other"))
    _ = consume second
  }

  @Test("peers without a key, with an unknown key, for another door, or that expect another gateway stay outside")
  func strangers() async throws {
    let stranger = CurveKeyPair.generate()
    let service = CurveKeyPair.generate()
    let ring = try ring(entry(client), entry(service, role: .service, name: "consent-1"))
    let refused = Mutex<[CurvePublicKey?]>([])
    let authenticator = try await Authenticator.start(in: context, ring: ring, doors: doors) { report in
      if case .refused(let key, "clients", "127.0.0.1") = report { refused.withLock { $0.append(key) } }
    }
    defer { authenticator.stop() }
    try knock(with: [stranger, service])
    #expect(refused.withLock { Set($0) } == [stranger.publicKey, service.publicKey])
  }

  private func knock(with keys: [CurveKeyPair]) throws {
    var router = try TestSocket.router(in: context, security: clientsDoor)
    let endpoint = try router.endpoint()
    for keys in keys {
      var dealer = try TestSocket.dealer(
        in: context, to: endpoint, security: .curveClient(keys: keys, server: server.publicKey))
      try dealer.awaitEvent(.refused)
      let header = "let me in"
      #expect(try dealer.trySending(header) == .wouldBlock)
    }
    var plain = try TestSocket.dealer(in: context, to: endpoint)
    try plain.awaitEvent(.lost)
    let elsewhere = CurveKeyPair.generate().publicKey
    var misled = try TestSocket.dealer(
      in: context, to: endpoint, security: .curveClient(keys: client, server: elsewhere))
    try misled.awaitEvent(.lost)
    var honest = try TestSocket.dealer(
      in: context, to: endpoint, security: .curveClient(keys: client, server: server.publicKey))
    try honest.send("it is me")
    #expect(try router.receive()?.header == [UInt8]("it is me"))
  }

  @Test("keys of a disabled tenant and of a wiped device are as if they were not listed, until they are opened again")
  func closures() throws {
    let (phone, elsewhere, boss) = (CurveKeyPair.generate(), CurveKeyPair.generate(), CurveKeyPair.generate())
    var list = KeyList()
    try list.add(entry(client))
    try list.add(entry(phone, name: "phone"))
    for (keys, name, grant) in [
      (elsewhere, "elsewhere", KeyEntry.Grant(tenant: "other", kind: .device)),
      (boss, "boss", KeyEntry.Grant(tenant: "acme", kind: .person)), (server, "ops", .operator),
    ] {
      try list.add(KeyEntry(role: .client, publicKey: keys.publicKey, name: name, grant: grant))
    }
    let ring = KeyRing(list)
    func admitted() -> Set<String> { Set((1...5).compactMap { ring.admitted[$0]?.name }) }
    #expect(admitted() == ["acme/kiosk", "acme/phone", "other/elsewhere", "acme/boss", "ops"])
    var closures = KeyRing.Closures()
    closures.devices = [.init(tenant: "acme", name: "kiosk"), .init(tenant: "acme", name: "boss")]
    ring.close(closures)
    #expect(admitted() == ["acme/phone", "other/elsewhere", "acme/boss", "ops"], "a person is no device")
    // A list that is read again brings nobody back.
    ring.replace(with: list)
    #expect(admitted() == ["acme/phone", "other/elsewhere", "acme/boss", "ops"])
    closures.tenants = ["acme"]
    ring.close(closures)
    #expect(admitted() == ["other/elsewhere", "ops"])
    ring.close(KeyRing.Closures())
    #expect(admitted() == ["acme/kiosk", "acme/phone", "other/elsewhere", "acme/boss", "ops"])
  }

  @Test("the key list's file is followed; a broken one changes nothing")
  func followsFile() async throws {
    let directory = try TemporaryFolder()
    let path = directory.file("keys")
    try KeyListFile.write(KeyList(), to: path)
    let ring = KeyRing()
    let reports = AsyncStream.makeStream(of: Authenticator.Report.self)
    let authenticator = try await Authenticator.start(in: context, ring: ring, doors: doors, following: path) {
      reports.continuation.yield($0)
    }
    defer { authenticator.stop() }
    var iterator = reports.stream.makeAsyncIterator()

    var list = KeyList()
    try list.add(entry(client))
    try KeyListFile.write(list, to: path)
    guard case .reloaded(keys: 1) = await iterator.next() else { return #expect(Bool(false), "not reloaded") }
    #expect(ring.admitted[1]?.identity == kiosk)

    try Files.write([UInt8]("client nonsense\n"), to: path)
    // A file that is just being replaced may be seen in two versions with one content.
    var report = await iterator.next()
    while case .reloaded(keys: 1) = report { report = await iterator.next() }
    guard case .reloadFailed(let why) = report else { return #expect(Bool(false), "not noticed") }
    #expect(why.hasSuffix("keys, line 1: the second field must be a public key, 40 digits of Z85"))
    #expect(ring.admitted[1]?.identity == kiosk)

    // Half of it, as somebody who copies it leaves it for a moment: the line would be read, with other rights.
    let half = list.text.utf8.dropLast(1)
    try Files.write(Array(half), to: path)
    guard case .reloadFailed(let why) = await iterator.next() else { return #expect(Bool(false), "not noticed") }
    #expect(why.hasSuffix("the last line has no end, so the file may be half written: end it with a line break"))
    #expect(ring.admitted[1]?.identity == kiosk)

    try KeyListFile.write(KeyList(), to: path)
    guard case .reloaded(keys: 0) = await iterator.next() else { return #expect(Bool(false), "not reloaded") }
    #expect(ring.admitted[1] == nil)
  }
}
