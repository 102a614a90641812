internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of TenantService. An operator belongs to no tenant, so only the kind of the caller is checked. Each
/// change is recorded in the log of the tenant concerned.
struct TenantHandlers: TenantServiceProtocol {
  let parts: AccountParts

  func createTenant(_ request: CreateTenantRequest, context: CallContext) async throws -> CreateTenantResponse {
    try context.admittedByKind()
    let tenant = try Self.checked(request.tenantID)
    try ProfileRules.checkText(request.title, atMost: 200, "title", isRequired: true)
    let operatorName = context.operatorName
    return try await parts.data.changeByKind(context, in: tenant) { transaction in
      var made = try TenantStore.tenant(transaction)
      if made.createdAt == nil {
        (made.title, made.createdAt) = (request.title, Timestamp(transaction.now))
        try TenantStore.save(made, transaction)
        try transaction.note(.tenantCreated, by: operatorName, note: tenant.id)
      }
      guard made.title == request.title else {
        let message = "there is a tenant '\(tenant.id)' already, with another title"
        throw Refusal(.alreadyExists, "tenant_exists", field: "tenant_id", message)
      }
      return CreateTenantResponse(tenant: made)
    }
  }

  func listTenants(_ request: ListTenantsRequest, context: CallContext) async throws -> ListTenantsResponse {
    try context.admittedByKind()
    let wanted = try PageRequest(size: request.pageSize, token: request.pageToken)
    // Every tenant for which anything was done has an event.
    let all = try await parts.data.database.eventHeads().map(\.tenant).sorted { $0.id < $1.id }
    let page = try wanted.page(of: all) { $0.id }
    var tenants: [AccountTenant] = []
    for tenant in page.things {
      tenants.append(try await parts.data.readByKind(context, in: tenant) { try TenantStore.tenant($0) })
    }
    return ListTenantsResponse(tenants: tenants, nextPageToken: page.nextToken)
  }

  func setTenantDisabled(
    _ request: SetTenantDisabledRequest, context: CallContext
  ) async throws -> SetTenantDisabledResponse {
    try context.admittedByKind()
    let tenant = try Self.checked(request.tenantID)
    try ProfileRules.checkText(request.reason, atMost: 500, "reason", isRequired: request.disabled)
    let operatorName = context.operatorName
    return try await parts.data.changeByKind(context, in: tenant) { transaction in
      guard try transaction.lastEvent() > 0 else {
        throw Refusal.notFound("tenant", tenant.id)
      }
      var changed = try TenantStore.tenant(transaction)
      if changed.disabled != request.disabled {
        (changed.disabled, changed.reason) = (request.disabled, request.reason)
        try TenantStore.save(changed, transaction)
        let what = request.disabled ? "disabled" : "enabled"
        let why = request.reason.isEmpty ? "" : ": \(request.reason)"
        try transaction.note(.tenantChanged, by: operatorName, note: what + why)
      }
      return SetTenantDisabledResponse(tenant: changed)
    }
  }

  private static func checked(_ id: String) throws(Refusal) -> Tenant {
    guard let tenant = Tenant(id) else {
      let message =
        "tenant_id is '\(id.shortened)'; it must be 1 to 64 letters, digits, dots, hyphens and underscores"
      throw Refusal(.invalid, "bad_name", field: "tenant_id", message)
    }
    return tenant
  }
}

extension CallContext {
  /// The name under which the operator's changes are recorded.
  fileprivate var operatorName: String { identity.subject.isEmpty ? "operator" : identity.subject }
}
