package import Bus
package import RPC
internal import Synchronization
internal import Tokens

/// The callers whom doors no longer admit, whatever their credential: those of tenants that an operator has disabled,
/// and devices that were wiped.
///
/// A device is closed by its name, whether it calls with a token, with a key of the bus or with a key of a gateway's
/// list.
package final class ClosedCallers: Sendable {
  private let closures = Mutex(KeyRing.Closures())

  package init() {}

  /// The closed tenants and devices, for those who check keys of the bus.
  package var all: KeyRing.Closures { closures.withLock { $0 } }

  /// Why nobody may call as this caller; nil unless its tenant is disabled or its device wiped.
  package func objection(to caller: CallerIdentity) -> Status? {
    let tenant = caller.tenant
    guard !tenant.isEmpty else { return nil }
    let device = KeyRing.Closures.Device(tenant: tenant, name: caller.device)
    let (isDisabled, isWiped) = closures.withLock { closures in
      (closures.tenants.contains(tenant), closures.devices.contains(device))
    }
    if isDisabled { return Status(.permissionDenied, rule: "tenant_disabled", "tenant '\(tenant)' is disabled") }
    return isWiped ? Status(.unauthenticated, rule: TokenFault.wiped.rawValue, TokenFault.wiped.message) : nil
  }

  /// Closes a tenant, or opens it again; returns whether that changed anything.
  package func set(_ isClosed: Bool, _ tenant: String) -> Bool {
    closures.withLock { isClosed ? $0.tenants.insert(tenant).inserted : $0.tenants.remove(tenant) != nil }
  }

  /// Opens all tenants but these; returns whether that changed anything.
  package func keep(only closed: Set<String>) -> Bool {
    closures.withLock { closures in
      defer { closures.tenants.formIntersection(closed) }
      return !closures.tenants.isSubset(of: closed)
    }
  }

  /// Closes a device for good, since no other device is ever registered under its name. Returns false if it was closed
  /// already.
  package func wipe(_ device: String, of tenant: String) -> Bool {
    closures.withLock { $0.devices.insert(KeyRing.Closures.Device(tenant: tenant, name: device)).inserted }
  }
}
