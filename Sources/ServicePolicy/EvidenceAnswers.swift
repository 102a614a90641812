public import RPC
public import Storage

// Answers about the signed heads of event logs and about what the check found, the same in every service.

extension ServiceDatabase {
  /// A page of the signed heads of the caller's tenant, and the log size to pass as `size` for the next page; 0 after
  /// an empty page.
  public func signedHeads(
    after size: Int64, limit: Int32, _ context: CallContext
  ) async throws -> (heads: [String], nextAfter: Int64) {
    let page = try PageRequest(size: limit)
    return try await read(context, of: .tenant) { snapshot, _, _ in
      let heads = try snapshot.signedHeads(after: max(size, 0), limit: page.limit)
      return (heads.map(\.note), heads.last?.checkpoint.size ?? 0)
    }
  }

  /// What the check that the service runs by itself has found wrong with the data of the caller's tenant.
  public func findings(_ context: CallContext) async throws -> [String] {
    try await read(context, of: .tenant) { snapshot, _, _ in snapshot.findings }
  }
}

extension EvidenceSigner {
  /// How many earlier heads a request may contain.
  private static let mostHeads = 16

  /// Reads the signed heads that a caller has kept. Heads of other logs are left out; a head of this service's log of
  /// the tenant is refused if this service did not sign it.
  public func kept(_ notes: [String], of tenant: Tenant) throws -> [SignedCheckpoint] {
    guard notes.count <= Self.mostHeads else {
      let message = "earlier_heads has \(notes.count) entries; it must have at most \(Self.mostHeads)"
      throw Refusal(.invalid, "too_many", field: "earlier_heads", message)
    }
    var heads: [SignedCheckpoint] = []
    for (index, note) in notes.enumerated() {
      let head: SignedCheckpoint
      do throws(EvidenceProblem) {
        head = try SignedCheckpoint(note: note)
      } catch {
        let message = "earlier_heads[\(index)] is no signed note: \(error.detail)"
        throw Refusal(.invalid, "bad_head", field: "earlier_heads", message)
      }
      guard head.checkpoint.origin == origin(of: tenant) else { continue }
      guard head.isSigned(byOneOf: [verifyingKey]) else {
        let message = "earlier_heads[\(index)] was not signed by this service"
        throw Refusal(.invalid, "bad_head", field: "earlier_heads", message)
      }
      heads.append(head)
    }
    return heads
  }
}

extension EvidenceSigner? {
  /// The signer. Throws a refusal in an installation that has no evidence key.
  public func required() throws(Refusal) -> EvidenceSigner {
    guard let signer = self else {
      throw Refusal(
        .precondition, "no_evidence_key", "this installation has no key that signs heads; its operator can give it one")
    }
    return signer
  }
}
