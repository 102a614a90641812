public import RPC
public import Storage

/// Methods that are open by the kind of caller alone: to operators, services, everybody. Such callers belong to no
/// tenant, so whose data a call is about follows from its request.
extension ServiceDatabase {
  /// Reads one consistent moment of a tenant's data.
  public func readByKind<Answer: Sendable>(
    _ context: CallContext, in tenant: Tenant, _ body: @escaping @Sendable (Snapshot) throws -> Answer
  ) async throws -> Answer {
    try context.admittedByKind()
    return try await database.scope(tenant).read(within: context.patience, body)
  }

  /// Changes rows of a tenant each time that it is called.
  public func changeByKind<Answer: Sendable>(
    _ context: CallContext, in tenant: Tenant, _ body: @escaping @Sendable (Transaction) throws -> Answer
  ) async throws -> Answer {
    try context.admittedByKind()
    return try await database.scope(tenant).write(within: context.patience, body)
  }
}
