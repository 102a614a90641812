public import RPC
public import Storage

/// For methods that admit callers by their kind alone: operators, services or everybody. Such callers need not belong
/// to a tenant, so the handler takes the tenant from the request.
extension ServiceDatabase {
  /// Reads a tenant's data from one snapshot.
  public func readByKind<Answer: Sendable>(
    _ context: CallContext, in tenant: Tenant, _ body: @escaping @Sendable (Snapshot) throws -> Answer
  ) async throws -> Answer {
    try context.admittedByKind()
    return try await database.scope(tenant).read(within: context.patience, body)
  }

  /// Changes a tenant's rows. A repeated call makes the change again.
  public func changeByKind<Answer: Sendable>(
    _ context: CallContext, in tenant: Tenant, _ body: @escaping @Sendable (Transaction) throws -> Answer
  ) async throws -> Answer {
    try context.admittedByKind()
    return try await database.scope(tenant).write(within: context.patience, body)
  }
}
