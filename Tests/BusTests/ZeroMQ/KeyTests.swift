import Base
import Bus
import RPC
import Testing
import Wire

@Suite struct KeyTests {
  static let key = CurveKeyPair.generate().publicKey

  @Test("a key file is written for its owner only, and reads back")
  func keyFile() throws {
    let directory = try TemporaryFolder()
    let keys = CurveKeyPair.generate()
    let path = directory.file("gateway.key")
    try KeyFile.write(keys, to: path)
    #expect(directory.mode(of: "gateway.key") == 0o600)
    #expect(try KeyFile.read(path).publicKey == keys.publicKey)
  }

  @Test("a key file is never overwritten")
  func noOverwriting() throws {
    let directory = try TemporaryFolder()
    let path = directory.file("gateway.key")
    try KeyFile.write(.generate(), to: path)
    #expect(throws: KeyFileError.self) { try KeyFile.write(.generate(), to: path) }
  }

  @Test("a key file that others may read is refused, and the error says how to correct it")
  func readableByOthers() throws {
    let directory = try TemporaryFolder()
    let path = directory.file("gateway.key")
    try KeyFile.write(.generate(), to: path)
    directory.setMode(0o644, of: "gateway.key")
    let error = #expect(throws: KeyFileError.self) { try KeyFile.read(path) }
    #expect(error?.description == "\(path) holds a secret, and others may use it (mode 644): chmod 600 \(path)")
  }

  @Test("a key file whose halves do not match is refused")
  func mixedHalves() throws {
    let directory = try TemporaryFolder()
    let path = directory.file("gateway.key")
    try KeyFile.write(.generate(), to: path)
    let secret = try #require(String(decoding: Files.read(path), as: UTF8.self).split(separator: "\n").last)
    try Files.write([UInt8]("public \(Self.key)\n\(secret)\n"), to: path, mode: 0o600)
    #expect(throws: KeyFileError.self) { try KeyFile.read(path) }
  }

  @Test("no description shows a secret key")
  func secretStaysSecret() {
    let keys = CurveKeyPair.generate()
    #expect("\(keys.secretKey)" == "secret key")
    #expect(String(reflecting: keys.secretKey) == "secret key")
  }

  @Test("a key list reads what it writes")
  func listRoundTrip() throws {
    var list = KeyList()
    try list.add(KeyEntry(role: .gateway, publicKey: Self.key, name: "gateway-1"))
    let rights = [
      KeyRights(serving: .only(["assent.consent.v1.StudyService", "a.B"]), vouching: .tenants),
      KeyRights(serving: .only([]), vouching: .nobody), KeyRights(serving: .only(["a.B"]), vouching: .callers),
      KeyRights(serving: .only(["a.B"]), vouching: .anybody),
    ]
    for (number, rights) in rights.enumerated() {
      let key = CurveKeyPair.generate().publicKey
      try list.add(KeyEntry(role: .service, publicKey: key, name: "service-\(number)", rights: rights))
    }
    let grants = [
      KeyEntry.Grant(tenant: "acme", kind: .device), .operator,
      KeyEntry.Grant(tenant: "acme", kind: .device, roles: ["device@heart/berlin", "device@lung"]),
      KeyEntry.Grant(tenant: "acme", kind: .person, roles: ["investigator@heart/berlin", "admin@*"]),
    ]
    for (number, grant) in grants.enumerated() {
      let key = CurveKeyPair.generate().publicKey
      try list.add(KeyEntry(role: .client, publicKey: key, name: "client-\(number)", grant: grant))
    }
    #expect(try KeyList(parsing: list.text) == list)
    #expect(try KeyList(parsing: "# nothing\n\n") == KeyList())
  }

  @Test(
    "a bad line is refused with its number and what is wrong",
    arguments: [
      ("owner \(key) name=a", "“owner” is no role: use gateway, service or client"),
      ("service short name=a", "the second field must be a public key, 40 digits of Z85"),
      ("service \(key)", "name=… is missing"),
      ("service \(key) name=a/b", "“a/b” is no name: use 1 to 64 letters, digits, dots, dashes and underscores"),
      ("service \(key) name=a tenant=acme", "a service has serves and vouches, and neither tenant, kind nor roles"),
      ("gateway \(key) name=a serves=a.B", "a gateway has a name and nothing else"),
      (
        "client \(key) name=a kind=operator vouches=nobody",
        "a client has tenant, kind and roles, and neither serves nor vouches"
      ),
      ("service \(key) name=a vouches=all", "“all” names nobody to vouch for: use nobody, callers, tenants or anybody"),
      ("service \(key) name=a serves=a..B", "“a..B” is no full name of a service"),
      (
        "client \(key) name=a kind=operator tenant=acme",
        "an operator is above all tenants and has neither tenant nor roles"
      ),
      ("client \(key) name=a kind=person", "tenant=… is missing"),
      ("client \(key) name=a tenant=acme", "kind=… is missing"),
      ("client \(key) name=a tenant=acme kind=root", "“root” is no kind of client: use device, person or operator"),
      ("client \(key) name=a tenant=acme kind=person roles=boss", "“boss” is no role@study, role@study/site or role@*"),
      (
        "client \(key) name=a tenant=acme kind=person roles=boss@x",
        "“boss@x” is granted to nobody: use witness, investigator, coordinator, inspector, publisher or admin"
      ),
      (
        "client \(key) name=a tenant=acme kind=device roles=admin@x",
        "“admin@x” does nothing for a device: it is bound to places by device@…"
      ),
      ("service \(key) name=a name=b", "name is given twice"),
      (
        "service \(key) name=a colour=red",
        "“colour=red” is none of name=…, tenant=…, kind=…, roles=…, serves=… and vouches=…"
      ),
    ])
  func badLines(line: String, problem: String) {
    let error = #expect(throws: KeyListError.self) { try KeyList(parsing: "# keys\n\(line)\n") }
    #expect(error?.description == "line 2: \(problem)")
  }

  @Test("neither a key nor a name is in a list twice")
  func repeated() throws {
    let other = CurveKeyPair.generate().publicKey
    let error = #expect(throws: KeyListError.self) {
      try KeyList(parsing: "service \(Self.key) name=a\nservice \(Self.key) name=b")
    }
    #expect(error?.reason == .repeatedKey(of: "a"))
    let second = #expect(throws: KeyListError.self) {
      try KeyList(parsing: "service \(Self.key) name=a\nservice \(other) name=a")
    }
    #expect(second?.reason == .repeatedName("a"))
  }

  @Test("Z85 encodes its specification's example")
  func z85() {
    let bytes: [UInt8] = [
      0x8E, 0x0B, 0xDD, 0x69, 0x76, 0x28, 0xB9, 0x1D, 0x8F, 0x24, 0x55, 0x87, 0xEE, 0x95, 0xC5, 0xB0,
      0x4D, 0x48, 0x96, 0x3F, 0x79, 0x25, 0x98, 0x77, 0xB4, 0x9C, 0xD9, 0x06, 0x3A, 0xEA, 0xD3, 0xB7,
    ]
    let text = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
    #expect(CurvePublicKey(bytes: bytes)?.text == text)
    #expect(CurvePublicKey(text: text) == CurvePublicKey(bytes: bytes))
    #expect(CurvePublicKey(text: String(text.dropLast()) + "~") == nil)
    #expect(CurvePublicKey(text: String(repeating: "#", count: 40)) == nil, "the digits exceed 32 bits")
  }
}
