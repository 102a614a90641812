internal import Base
internal import Bus
internal import ServiceKit

/// The settings of a gateway.
struct GatewaySettings: SettingGroup {
  let folder = BusSettings(.services).folder
  let servicesDoor = Setting<[BusEndpoint]>(
    "services-door", default: [],
    "where services connect, such as tcp://0.0.0.0:5571; the bus folder when no door is named")
  let clientsDoor = Setting<[BusEndpoint]>(
    "clients-door", default: [], "where clients connect, such as tcp://0.0.0.0:5570")
  let keyFile = Setting<String?>(
    "bus-key-file", default: nil, shown: "FILE", "the file with the gateways' keys, needed for doors on TCP")
  let keyList = Setting<String?>(
    "bus-key-list", default: nil, shown: "FILE", "the file with the list of accepted keys, needed for doors on TCP")
  let memoryLimit = Setting(
    "memory-limit", default: ByteCount.mebibytes(2048),
    "resident memory above which the gateway ends in order, to be started again")
}

extension ServiceHost {
  /// TCP addresses are announced in full; sockets on this machine only as `ipc`.
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
    configuration.keys = try self[\.keyFile].map { try KeyFile.read($0) }
    configuration.keyListPath = self[\.keyList]
    configuration.version = Version.current
    return configuration
  }

  /// The doors that were configured; without any, both in the private folder of this machine's bus.
  func listeners() throws -> [GatewayListener] {
    let services = self[\.servicesDoor].map { GatewayListener(.services, $0) }
    let clients = self[\.clientsDoor].map { GatewayListener(.clients, $0) }
    if !services.isEmpty || !clients.isEmpty { return services + clients }
    // The code that opens a socket in the folder creates or checks the folder itself.
    if let above = self[\.folder].lastIndex(of: "/"), above > self[\.folder].startIndex {
      try Files.makeFolder(String(self[\.folder][..<above]), mode: 0o700)
    }
    return [
      GatewayListener(.services, try BusSettings.socket(.services, in: self[\.folder])),
      GatewayListener(.clients, try BusSettings.socket(.clients, in: self[\.folder])),
    ]
  }
}
