internal import Base
internal import Bus
internal import Face
internal import GRPC
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
    if let endpoint = settings[\.httpListen] {
      let port = try await openHTTP(at: endpoint, on: server)
      let scheme = settings[\.tlsCertificate] == nil ? "http" : "https"
      host.announce("\(scheme)://\(Endpoint(host: endpoint.host, port: port).settingText)")
    }
    if let endpoint = settings[\.grpcListen] {
      host.announce("grpc \(try await openGRPC(at: endpoint, on: server).settingText)")
    }
  }

  private func openGRPC(at wanted: Endpoint, on server: BusServer) async throws -> Endpoint {
    var limits = GRPCLimits()
    limits.connections = settings[\.grpcConnections]
    limits.handshakes = Handshakes.rate(aSecond: settings[\.addressHandshakes])
    limits.times = try settings.callTimes()
    let tls: TLSServer? =
      if case (let certificate?, let key?) = try tlsFiles() { try TLSServer(certificate: certificate, key: key) } else {
        nil
      }
    let reporter = GRPCReporter(host, writesCalls: settings[\.accessLog])
    let endpoint = Mutex(wanted)
    try await server.attach { [limits, catalogue, gatekeeper, room, pool] port in
      let door = try GRPCDoor(
        wanted, tls: tls, port: port, catalogue: catalogue, gatekeeper: gatekeeper, limits: limits,
        room: room, pool: pool
      ) { reporter.take($0) }
      endpoint.withLock { $0 = door.endpoint }
      return door
    }
    return endpoint.withLock { $0 }
  }

  private func openHTTP(at endpoint: Endpoint, on server: BusServer) async throws -> UInt16 {
    var configuration = HTTPServer.Configuration(endpoint: endpoint)
    configuration.connectionLimit = settings[\.httpConnections]
    configuration.handshakes = Handshakes.rate(aSecond: settings[\.addressHandshakes])
    configuration.bodyTime = settings[\.httpBodyTime]
    var limits = HTTPLimits()
    limits.times = try settings.callTimes()
    (configuration.certificate, configuration.key) = try tlsFiles()
    let crossOrigin = CrossOrigin(settings[\.httpOrigins])
    let journal = CallJournal(host, isWritten: settings[\.accessLog])
    let refused = host.metrics.counter(
      "assent_http_connections_refused_total", "Connections at the HTTP door that were refused.")
    let connections = ConnectionLog(of: "http", log: host.log, clock: host.clock)
    let opened = AsyncStream.makeStream(of: UInt16.self)
    try await server.attach { [configuration, catalogue, gatekeeper, limits, downloads, passes, web, room, pool] port in
      let door = try HTTPDoor(
        configuration, port: port, catalogue: catalogue, gatekeeper: gatekeeper, limits: limits,
        crossOrigin: crossOrigin, downloads: downloads, passes: passes, web: web, room: room, pool: pool,
        noteRefusal: { address, why in
          refused.add()
          connections.noteRefused(address, why: why)
        }
      ) { journal.note($0) }
      opened.continuation.yield(door.boundPort)
      return door
    }
    var ports = opened.stream.makeAsyncIterator()
    return await ports.next() ?? endpoint.port
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

/// Counts and times the calls of the HTTP door, and writes its access log.
struct CallJournal: Sendable {
  private let log: Log
  private let isWritten: Bool
  private let calls: Family<Counter>
  private let seconds: Family<Histogram>
  private let bytesIn: Counter
  private let bytesOut: Counter

  init(_ host: ServiceHost, isWritten: Bool) {
    log = host.log
    self.isWritten = isWritten
    calls = host.metrics.counters(
      "assent_http_calls_total", "Calls over HTTP that ended or were refused, by protocol and code.",
      labels: ["protocol", "code"])
    seconds = host.metrics.histograms(
      "assent_http_call_seconds",
      "From the head of a call's request to the end of its response, except for streams and what the head refused.",
      labels: ["protocol"])
    let bytes = host.metrics.counters(
      "assent_http_bytes_total", "Bytes of bodies of calls, by direction.", labels: ["direction"])
    (bytesIn, bytesOut) = (bytes.with("in"), bytes.with("out"))
  }

  func note(_ record: CallRecord) {
    let name = record.form.rawValue
    calls.with(name, record.code.name).add()
    if record.isTimed { seconds.with(name).observe(record.duration) }
    bytesIn.add(UInt64(record.bytesIn))
    bytesOut.add(UInt64(record.bytesOut))
    guard isWritten else { return }
    log.info(
      "call",
      [
        "protocol": name, "method": record.path, "code": record.code.name, "status": record.httpStatus,
        "ms": record.duration.wholeMilliseconds, "bytes_in": record.bytesIn, "bytes_out": record.bytesOut,
        "address": record.address, "key": record.account, "trace": record.traceID,
      ])
  }
}
