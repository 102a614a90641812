internal import Synchronization

/// The tenants that an operator has disabled: nobody calls for them, with whatever credential.
package final class ClosedTenants: Sendable {
  private let tenants = Mutex<Set<String>>([])

  package init() {}

  package var all: Set<String> { tenants.withLock { $0 } }

  package func contain(_ tenant: String) -> Bool { tenants.withLock { $0.contains(tenant) } }

  /// False when it was so already.
  package func set(_ isClosed: Bool, _ tenant: String) -> Bool {
    tenants.withLock { isClosed ? $0.insert(tenant).inserted : $0.remove(tenant) != nil }
  }

  /// Opens all but these; false when nothing changes.
  package func keep(only closed: Set<String>) -> Bool {
    tenants.withLock { tenants in
      defer { tenants.formIntersection(closed) }
      return !tenants.isSubset(of: closed)
    }
  }
}
