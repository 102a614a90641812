internal import RPC

/// The caller to whom a worker charges what a call uses besides its slot: streams, late requests, room for large
/// messages. Roles and device do not matter, so a person has one share whatever device they use.
///
/// Most calls use only a slot, so the worker does not look their caller up.
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
