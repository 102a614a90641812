/// Where a gateway listens: `tcp://host:port` or `ipc://path`. With port 0, a listener takes a free one.
public struct BusEndpoint: Hashable, Sendable, CustomStringConvertible {
  enum Place: Hashable, Sendable {
    case tcp(host: String, port: UInt16)
    case ipc(path: String)
  }

  let place: Place

  /// Reads an endpoint; the error says what is wrong with it.
  public init(_ text: String) throws(BusEndpointError) {
    if text.hasPrefix("ipc://") {
      let path = String(text.dropFirst(6))
      guard path.hasPrefix("/"), path.utf8.count <= 107 else {
        throw BusEndpointError("“\(text)” must name an absolute path of at most 107 bytes")
      }
      place = .ipc(path: path)
      return
    }
    guard text.hasPrefix("tcp://") else { throw BusEndpointError("“\(text)” must begin with tcp:// or ipc://") }
    let address = text.dropFirst(6)
    guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...])
    else { throw BusEndpointError("“\(text)” must end with a port from 0 to 65535") }
    var host = address[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, !host.contains("/"), !host.contains(" ") else {
      throw BusEndpointError("“\(text)” must name a host before its port")
    }
    place = .tcp(host: String(host), port: port)
  }

  public var description: String {
    switch place {
    case .ipc(let path): "ipc://\(path)"
    case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
    }
  }

  /// The form that libzmq binds to. Port 0 takes a free one.
  var bindAddress: String {
    if case .tcp(let host, 0) = place { return "tcp://\(host.contains(":") ? "[\(host)]" : host):*" }
    return description
  }

  /// Whether it is a socket on this machine, which needs no keys.
  package var isLocal: Bool {
    if case .ipc = place { true } else { false }
  }

  /// Whether the endpoint needs no look-up: a path, or a numeric address.
  var isNumeric: Bool {
    switch place {
    case .ipc: true
    case .tcp(let host, _): host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
    }
  }
}

/// What is wrong with an endpoint's text.
public struct BusEndpointError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
