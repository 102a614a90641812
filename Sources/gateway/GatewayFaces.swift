internal import Base
internal import Bus
internal import Face
internal import HTTPFace
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Opens the doors that the settings ask for, of protocols other than the bus's own.
struct GatewayFaces {
  private let settings: Settings<GatewaySettings>
  private let host: ServiceHost
  let catalogue: Catalogue
  private let gatekeeper: Gatekeeper
  private let tokens: TokenCredentials
  private let accountKeys: AccountKeys
  private let news: RevocationNews
  private let closed = ClosedCallers()
  private let downloads: Downloads?
  private let passes: BrowserPasses?
  private let web: WebFiles?
  /// Does the slow work of all doors.
  private let pool = DoorPool()
  /// The memory budget of all doors for arriving requests and unread answers.
  private let room = GatheringRoom()

  init(_ settings: Settings<GatewaySettings>, _ host: ServiceHost) throws {
    self.settings = settings
    self.host = host
    catalogue = try Catalogue.builtIn()
    news = RevocationNews(clock: host.clock)
    tokens = TokenCredentials(news, clock: host.clock)
    accountKeys = AccountKeys(news)
    // Gateways that share their key open each other's addresses of files, and admit each other's browsers.
    let secret = try settings[\.keyFile].map { try KeyFile.read($0).secretKey }
    let isHTTP = settings[\.httpListen] != nil
    passes =
      isHTTP
      ? BrowserPasses(secret: secret?.derived(for: "browsers") ?? host.randomness.bytes(32), clock: host.clock) : nil
    web = try isHTTP ? Self.web(in: settings[\.webFolder], evidenceKeys: try Self.keys(settings)) : nil
    var verifiers: [any CredentialVerifier] = [tokens, accountKeys]
    if let passes { verifiers.append(passes) }
    if let path = settings[\.apiKeyList] {
      let ring = try APIKeyRing(following: path, clock: host.clock) { [log = host.log] news in
        switch news {
        case .reloaded(let count): log.info("API keys read", ["keys": count])
        case .reloadFailed(let why): log.error("API keys not read; the former list stays in force", ["reason": why])
        }
      }
      verifiers.append(ring)
    }
    let rates = Gatekeeper.Rates(perCredential: settings[\.keyRate], perAddress: settings[\.addressRate])
    gatekeeper = Gatekeeper(verifiers, news: news, closed: closed, rates: rates, clock: host.clock)
    downloads =
      isHTTP
      ? Downloads(
        secret: secret?.derived(for: "downloads") ?? host.randomness.bytes(32), catalogue, gatekeeper,
        clock: host.clock) : nil
  }

  /// The pages of a folder or, where none is named, those that were built or installed beside the programs.
  private static func web(in named: String?, evidenceKeys: [String]) throws -> WebFiles? {
    guard let folder = named ?? OwnProgram.companion("../web") ?? OwnProgram.companion("web") else { return nil }
    let web = try WebFiles(in: folder, evidenceKeys: evidenceKeys)
    if web.hasPages { return web }
    guard named == nil else {
      throw ConfigurationError("web-folder is \(folder), which has no pages; scripts/build-web makes them")
    }
    return nil
  }

  /// The public keys of evidence: the page verifies, so it says what is wrong with them, but a typing error is found
  /// here.
  private static func keys(_ settings: Settings<GatewaySettings>) throws -> [String] {
    guard let path = settings[\.evidencePublicKey] else { return [] }
    let keys = String(decoding: try Files.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !keys.isEmpty, keys.allSatisfy({ Hex.decode($0)?.count == 32 || $0.contains("+") }) else {
      throw ConfigurationError("evidence-public-key is \(path), which has no keys of 64 hexadecimal digits")
    }
    return keys
  }

  /// Makes calls for callers of the gateway's own methods.
  func callMaker(on server: BusServer) -> CallMaker {
    CallMaker(
      server.channel(), catalogue, gatekeeper, downloads: downloads, passes: passes, clock: host.clock, pool: pool)
  }

  /// Opens the doors.
  func open(on server: BusServer) async throws {
    // Revocations are followed for keys of the bus as well, since these too end with their tenant or device.
    guard settings[\.httpListen] != nil || settings[\.grpcListen] != nil || settings[\.keyFile] != nil else { return }
    host.metrics.gauge(
      "assent_gathered_bytes", "Bytes of requests over HTTP and gRPC that are arriving, or wait for a service."
    ) { [room] in Double(room.taken) }
    host.metrics.gauge(
      "assent_unread_bytes", "Bytes of answers over HTTP and gRPC that their callers have not read."
    ) { [room] in Double(room.unread) }
    let credentials = CredentialFollower(server.channel(), tokens, accountKeys, news, closed, clock: host.clock) {
      server.close($0)
    }
    let following = Task { await credentials.run() }
    await host.lifecycle.onStop("credentials") { following.cancel() }
    try await openDoor(on: server)
  }

  /// Opens one door at both addresses.
  private func openDoor(on server: BusServer) async throws {
    let wanted = [settings[\.httpListen], settings[\.grpcListen]].compactMap(\.self)
    guard !wanted.isEmpty else { return }
    var limits = DoorLimits()
    limits.connections = settings[\.connections]
    limits.handshakes = Handshakes.rate(aSecond: settings[\.addressHandshakes])
    limits.bodyTime = settings[\.httpBodyTime]
    limits.times = try settings.callTimes()
    let tls: TLSServer? =
      if case (let certificate?, let key?) = try tlsFiles() { try TLSServer(certificate: certificate, key: key) } else {
        nil
      }
    let crossOrigin = CrossOrigin(settings[\.httpOrigins])
    let sharesAddresses = settings[\.shareAddresses]
    let journal = DoorJournal(host, writesCalls: settings[\.accessLog])
    let opened = Mutex<[Endpoint]>([])
    try await server.attach { [limits, catalogue, gatekeeper, downloads, passes, web, room, pool] port in
      let door = try Door(
        wanted, sharesAddresses: sharesAddresses, tls: tls, port: port, catalogue: catalogue, gatekeeper: gatekeeper,
        limits: limits,
        crossOrigin: crossOrigin, downloads: downloads, passes: passes, web: web, room: room,
        pool: pool
      ) { journal.take($0) }
      opened.withLock { $0 = door.endpoints }
      return door
    }
    let scheme = tls == nil ? "http" : "https"
    for (endpoint, name) in zip(opened.withLock { $0 }, names) {
      host.announce(name == "http" ? "\(scheme)://\(endpoint.settingText)" : "grpc \(endpoint.settingText)")
    }
  }

  /// What the addresses are for, as they are announced.
  private var names: [String] {
    [settings[\.httpListen].map { _ in "http" }, settings[\.grpcListen].map { _ in "grpc" }].compactMap(\.self)
  }

  private func tlsFiles() throws -> (certificate: [UInt8]?, key: [UInt8]?) {
    switch (settings[\.tlsCertificate], settings[\.tlsKey]) {
    case (nil, nil): return (nil, nil)
    case (let certificate?, let key?): return (try Files.read(certificate), try Files.readPrivate(key))
    default: throw ConfigurationError("tls-certificate and tls-key belong together: one of them is missing")
    }
  }
}

/// Settings that contradict each other.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
