internal import Base
internal import Bus
internal import Face
internal import RPC
internal import ServiceKit

/// The settings of a gateway.
struct GatewaySettings: SettingGroup {
  let folder = BusSettings(.services).folder
  let servicesDoor = Setting<[BusEndpoint]>(
    "services-door", default: [],
    "where services connect, such as tcp://0.0.0.0:5571; a socket in the bus folder when none is named")
  let clientsDoor = Setting<[BusEndpoint]>(
    "clients-door", default: [],
    "where clients connect, such as tcp://0.0.0.0:5570; a socket in the bus folder when none is named")
  let keyFile = Setting<String?>(
    "bus-key-file", default: nil, shown: "FILE", "the file with the gateways' keys, needed for doors on TCP")
  let keyList = Setting<String?>(
    "bus-key-list", default: nil, shown: "FILE", "the file with the list of accepted keys, needed for doors on TCP")
  let keyHandshakes = Setting(
    "key-handshakes", default: 20, in: 1...10_000,
    "how often a key may connect to the bus in a second; a hundred times as often at once")
  let httpListen = Setting<Endpoint?>(
    "http-listen", default: nil,
    "the address at which gRPC, gRPC-Web, Connect, files and pages are served, over HTTP/1.1 and HTTP/2; "
      + "port 0 takes a free one")
  let grpcListen = Setting<Endpoint?>(
    "grpc-listen", default: nil, "a second address of the same door; port 0 takes a free one")
  let shareAddresses = Setting(
    "share-addresses", default: false,
    "lets other gateways of this user listen at the same addresses; the system spreads connections over them")
  let leaveTime = Setting(
    "leave-time", default: Duration.seconds(5), in: .zero ... .seconds(600),
    "how long a gateway that is asked to end still takes calls while it sends its clients elsewhere; half of "
      + "--drain-limit at most")
  let connections = Setting(
    "http-connections", default: 24_000, in: 16...100_000, "the most connections over HTTP at a time")
  let httpBodyTime = Setting(
    "http-body-time", default: Duration.seconds(60), in: .seconds(10) ... .seconds(3600),
    "how long the body of a request may take to arrive over HTTP/1.1")
  let httpOrigins = Setting<[String]>(
    "http-origins", default: [], shown: "ORIGIN,…",
    "origins of web pages that may call over HTTP, such as https://app.example.org; * for all")
  let webFolder = Setting<String?>(
    "web-folder", default: nil, shown: "FOLDER",
    "the folder with the pages that are served over HTTP, as scripts/build-web makes it; without it, the one beside the "
      + "programs, if there is one")
  let evidencePublicKey = Setting<String?>(
    "evidence-public-key", default: nil, shown: "FILE",
    "the file with the public keys of evidence, one a line, that the page for signed documents verifies bundles with")
  let tlsCertificate = Setting<String?>(
    "tls-certificate", default: nil, shown: "FILE",
    "the certificate chain, as PEM, with which HTTP and gRPC are spoken over TLS")
  let tlsKey = Setting<String?>("tls-key", default: nil, shown: "FILE", "the certificate's private key, as PEM")
  let apiKeyList = Setting<String?>(
    "api-key-list", default: nil, shown: "FILE", "the file with the list of API keys; without it, none is accepted")
  let keyRate = Setting(
    "key-rate", default: 2000, in: 0...1_000_000,
    "the most calls in a second with one API key at this gateway, so N times as many at N gateways; 0 for any number")
  let addressRate = Setting(
    "address-rate", default: 100, in: 0...1_000_000,
    "the most calls in a second from one address without a valid key at this gateway; 0 for any number")
  let addressHandshakes = Setting(
    "address-handshakes", default: Handshakes.usual, in: 1...100_000,
    "how many connections over TLS an address may open in a second at each door; five times as many at once")
  let callTime = Setting(
    "call-time", default: CallTimes().single, in: .seconds(1) ... .seconds(3600),
    "how long a call over HTTP or gRPC may take whose caller states no time, its request's body included")
  let streamTime = Setting(
    "stream-time", default: CallTimes().stream, in: .seconds(1) ... .seconds(86_400),
    "how long a call with a stream may take over HTTP or gRPC whose caller states no time")
  let longestCallTime = Setting(
    "longest-call-time", default: CallTimes().longest, in: .seconds(60) ... .seconds(86_400),
    "how long any call may take, whatever its caller states, streams too")
  let otlpEndpoint = Setting<String?>(
    "otlp-endpoint", default: nil, shown: "URL",
    "where spans of traced calls are sent by OTLP over HTTP, such as http://127.0.0.1:4318")
  let tracePercentage = Setting(
    "trace-percentage", default: 100, in: 0...100,
    "the percentage of calls without a trace for which the gateway begins one, if --otlp-endpoint is given")
  let accessLog = Setting("access-log", default: false, "logs every call over HTTP and gRPC")
  let memoryLimit = Setting(
    "memory-limit", default: ByteCount.mebibytes(2048),
    "the resident memory above which the gateway shuts down in order, so that its supervisor starts it again")
}

extension ServiceHost {
  /// Announces the bus's doors: TCP addresses in full, sockets on this machine only as `ipc`.
  func announce(doors: [String]) {
    let named = doors.filter { !$0.hasPrefix("ipc:") }
    let local = named.count < doors.count ? ["ipc"] : []
    announce("bus " + (local + named).joined(separator: " "))
  }
}

extension Settings<GatewaySettings> {
  func busServer(as host: ServiceHost) throws -> BusServer.Configuration {
    var configuration = BusServer.Configuration(
      name: host.settings[\.instance] ?? host.name, listeners: try listeners())
    try checkKeys(of: configuration.listeners)
    configuration.keys = try self[\.keyFile].map { try KeyFile.read($0) }
    configuration.keyListPath = self[\.keyList]
    configuration.keyHandshakes = self[\.keyHandshakes]
    configuration.version = Version.current
    configuration.router.longestDeadline = try callTimes().longest
    if self[\.otlpEndpoint] != nil { configuration.router.tracing = Tracing(percentage: self[\.tracePercentage]) }
    return configuration
  }

  func callTimes() throws(ConfigurationError) -> CallTimes {
    var times = CallTimes()
    times.single = self[\.callTime]
    times.stream = self[\.streamTime]
    times.longest = self[\.longestCallTime]
    guard times.single <= times.longest else {
      let (single, longest) = (times.single.settingText, times.longest.settingText)
      throw ConfigurationError("call-time is \(single), and longest-call-time is \(longest): no call takes longer")
    }
    return times
  }

  /// Throws what a door on TCP needs and the settings lack, even if the other door is local.
  private func checkKeys(of listeners: [GatewayListener]) throws {
    guard let open = listeners.first(where: { !$0.endpoint.isLocal }) else { return }
    let needed = [("bus-key-file", self[\.keyFile]), ("bus-key-list", self[\.keyList])]
    let missing = needed.filter { $0.1 == nil }.map { "--\($0.0)" }
    guard missing.isEmpty else {
      throw ConfigurationError("\(open.endpoint) needs \(missing.joined(separator: " and ")): TCP is never open to all")
    }
  }

  /// The doors that the settings name; for a door that they do not name, a socket in the private folder of this
  /// machine's bus.
  func listeners() throws -> [GatewayListener] {
    try listeners(.services, self[\.servicesDoor], .services) + listeners(.clients, self[\.clientsDoor], .clients)
  }

  private func listeners(
    _ door: GatewayListener.Door, _ named: [BusEndpoint], _ socket: BusSettings.Door
  ) throws -> [GatewayListener] {
    if !named.isEmpty { return named.map { GatewayListener(door, $0) } }
    // The code that opens a socket in the folder creates or checks the folder itself.
    if let above = self[\.folder].lastIndex(of: "/"), above > self[\.folder].startIndex {
      try Files.makeFolder(String(self[\.folder][..<above]), mode: 0o700)
    }
    return [GatewayListener(door, try BusSettings.socket(socket, in: self[\.folder]))]
  }
}
