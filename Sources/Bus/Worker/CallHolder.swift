internal import RPC

/// A caller as a worker counts what it holds there: in any role, and at any device.
///
/// Most calls hold nothing but their slot, so they are not looked up.
struct CallHolder: Hashable, Sendable {
  let kind: CallerKind
  let tenant: String
  let subject: String

  init(_ identity: CallerIdentity) {
    kind = identity.kind
    tenant = identity.tenant
    subject = identity.subject
  }
}
