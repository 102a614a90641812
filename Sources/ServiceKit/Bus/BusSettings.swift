internal import Base
public import Bus
internal import RPC

/// The addresses of the bus, and a process's keys for it. The same names mean the same in every program.
public struct BusSettings: SettingGroup {
  /// The gateways' two doors.
  public enum Door: String, Sendable, CaseIterable {
    case services, clients
  }

  public let folder: Setting<String>
  public let doors: Setting<[BusEndpoint]>
  public let keyFile = Setting<String?>(
    "bus-key-file", default: nil, shown: "FILE", "the file with this process's own keys, needed for doors on TCP")
  public let gatewayKey = Setting<CurvePublicKey?>(
    "gateway-key", default: nil, "the gateways' public key, needed for doors on TCP")
  private let door: Door

  /// Settings for a process that connects to this door of the gateways.
  ///
  /// - Parameter folder: the folder of the sockets unless another one is set; empty for a program that finds it by
  ///   itself, in its data folder.
  public init(_ door: Door, folder: String = "data/bus") {
    self.door = door
    self.folder = Setting(
      "bus-folder", default: folder, shown: "FOLDER",
      "the private folder of the bus's sockets on this machine, which is used where no door is named"
        + (folder.isEmpty ? "; unless given, 'bus' in the data folder" : ""))
    doors = Setting(
      "\(door.rawValue)-door", default: [], "the gateways' doors for \(door.rawValue), such as \(door.example)")
  }

  /// The folder of the sockets of an installation's gateway, counted from 1. Programs look in that of the first by
  /// default.
  public static func folder(ofGateway number: Int, in data: String) -> String {
    "\(data)/bus" + (number == 1 ? "" : "-\(number)")
  }

  /// The socket of a door in a bus folder.
  public static func socket(_ door: Door, in folder: String) throws -> BusEndpoint {
    try BusEndpoint("ipc://\(try Files.absolutePath(folder))/\(door.rawValue)")
  }

  /// - Parameter folder: where the sockets are unless a folder or doors are set.
  func endpoints(_ settings: Settings<BusSettings>, in folder: String = "") throws -> [BusEndpoint] {
    let named = settings[\.doors]
    let given = settings[\.folder]
    return named.isEmpty ? [try Self.socket(door, in: given.isEmpty ? folder : given)] : named
  }
}

extension BusSettings.Door {
  fileprivate var example: String {
    switch self {
    case .services: "tcp://gateway:5571"
    case .clients: "tcp://gateway:5570"
    }
  }
}

extension Settings<BusSettings> {
  /// The gateways' doors that the settings name.
  ///
  /// - Parameter folder: where the sockets are unless a folder or doors are set.
  public func endpoints(in folder: String) throws -> [BusEndpoint] { try group.endpoints(self, in: folder) }

  /// Begins to connect to the gateways that the settings name.
  ///
  /// - Parameters:
  ///   - folder: where the sockets are unless a folder or doors are set.
  ///   - failed: called with the reason when the connection has failed for good.
  public func connect(
    as name: String, log: Log, in folder: String = "", failed: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> BusConnection {
    let endpoints = try group.endpoints(self, in: folder)
    var configuration = BusConnection.Configuration(gateways: endpoints)
    configuration.address = name
    configuration.version = Version.current
    if let file = self[\.keyFile], let gateway = self[\.gatewayKey] {
      configuration.keys = .init(own: try KeyFile.read(file), gateway: gateway)
    } else if let open = endpoints.first(where: { !$0.isLocal }) {
      let needed = [(group.keyFile.name, self[\.keyFile] == nil), (group.gatewayKey.name, self[\.gatewayKey] == nil)]
      let missing = needed.filter(\.1).map { "--\($0.0)" }.joined(separator: " and ")
      throw SettingsError("\(open) needs \(missing): TCP is always encrypted")
    }
    log.debug("connecting to the bus", ["doors": endpoints.map(\.description).joined(separator: ",")])
    return try await BusConnection.open(configuration) { report in
      switch report {
      case .refused(let endpoint, let why):
        log.warn("gateway refused this process", ["endpoint": endpoint, "reason": why])
      case .dismissed(let endpoint, let why):
        log.warn("gateway ended the session", ["endpoint": endpoint, "reason": why])
      case .unreachable(let endpoint, let why):
        log.warn("gateway cannot be reached", ["endpoint": endpoint, "reason": why])
      case .unreadable(let endpoint, let why):
        log.warn("gateway sent an unreadable message", ["endpoint": endpoint, "reason": why])
      case .unencodable(let endpoint, let why):
        log.error("envelope cannot be written", ["endpoint": endpoint, "reason": why])
      case .failed(let why):
        log.error("connection to the bus failed", ["error": why])
        failed(why)
      }
    }
  }
}

extension BusEndpoint: SettingValue {
  public static var placeholder: String { "ENDPOINT" }

  public init(setting text: String) throws(SettingValueError) {
    do throws(BusEndpointError) {
      try self.init(text)
    } catch {
      throw SettingValueError("must be tcp://HOST:PORT or ipc:///PATH")
    }
  }

  public var settingText: String { description }
}

extension CurvePublicKey: SettingValue {
  public static var placeholder: String { "KEY" }

  public init(setting text: String) throws(SettingValueError) {
    guard let key = CurvePublicKey(text: text) else { throw SettingValueError("must be a key of 40 characters of Z85") }
    self = key
  }

  public var settingText: String { text }
}
