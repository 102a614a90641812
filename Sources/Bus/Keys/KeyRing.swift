internal import RPC
internal import Synchronization

/// The keys that are accepted now, shared by the thread that admits connections and the one that reads messages.
///
/// libzmq asks about a key once, at the handshake. A key that is removed later must be refused too, so each key has a
/// number that libzmq attaches to every message of its connections, and `Admitted` checks it for each message.
package final class KeyRing: Sendable {
  /// Clients that are refused although their keys are listed, because services have said so.
  package struct Closures: Hashable, Sendable {
    package struct Device: Hashable, Sendable {
      package let tenant: String
      package let name: String

      package init(tenant: String, name: String) {
        self.tenant = tenant
        self.name = name
      }
    }

    /// Tenants that are disabled.
    package var tenants: Set<String> = []
    /// Devices that were wiped.
    package var devices: Set<Device> = []

    package init() {}

    fileprivate func concern(_ entry: KeyEntry) -> Bool {
      guard let grant = entry.grant, !grant.tenant.isEmpty else { return false }
      return tenants.contains(grant.tenant)
        || grant.kind == .device && devices.contains(Device(tenant: grant.tenant, name: entry.name))
    }
  }

  fileprivate struct State {
    var list = KeyList()
    var closures = Closures()
    var numbers: [CurvePublicKey: UInt32] = [:]
    var byKey: [CurvePublicKey: KeyEntry] = [:]
    var admitted = Admitted()
  }

  /// The credentials of the admitted keys, by the keys' numbers: a value, of which a reader takes a copy for many
  /// messages.
  package struct Admitted: Sendable {
    fileprivate var byNumber: [UInt32: PeerCredentials] = [:]

    package init() {}

    /// The credentials of the key's holder; nil when the key has been removed.
    package subscript(number: UInt32) -> PeerCredentials? { byNumber[number] }
  }

  private let state: Mutex<State>

  package init(_ list: KeyList = KeyList()) {
    state = Mutex(State())
    replace(with: list)
  }

  /// Accepts the keys of `list` from now on, and no others.
  package func replace(with list: KeyList) {
    state.withLock { state in
      state.list = list
      state.admit()
    }
  }

  /// Refuses from now on the clients that these closures name, and admits again those that only earlier closures named.
  package func close(_ closures: Closures) {
    state.withLock { state in
      state.closures = closures
      state.admit()
    }
  }

  package var admitted: Admitted { state.withLock { $0.admitted } }

  /// The number of a key that may connect at a door for `roles`; nil refuses it.
  func number(of key: CurvePublicKey, for roles: Set<KeyEntry.Role>) -> UInt32? {
    state.withLock { state in
      guard let entry = state.byKey[key], roles.contains(entry.role) else { return nil }
      return state.numbers[key]
    }
  }
}

extension KeyRing.State {
  fileprivate mutating func admit() {
    byKey = [:]
    admitted = KeyRing.Admitted()
    for entry in list.entries where !closures.concern(entry) {
      // A key keeps its number for ever, so that a message never passes as another key's.
      let number = numbers[entry.publicKey] ?? UInt32(numbers.count + 1)
      numbers[entry.publicKey] = number
      byKey[entry.publicKey] = entry
      admitted.byNumber[number] = .proved(by: entry, as: number)
    }
  }
}

extension PeerCredentials {
  /// The credentials that a listed key proves.
  static func proved(by entry: KeyEntry, as number: UInt32) -> PeerCredentials {
    guard let grant = entry.grant else {
      return .service(named: entry.name, rights: entry.rights ?? .none, keyNumber: number)
    }
    return .client(
      CallerIdentity(
        kind: grant.kind, tenant: grant.tenant, subject: entry.name,
        device: grant.kind == .device ? entry.name : "", grants: grant.roles),
      keyNumber: number)
  }
}
