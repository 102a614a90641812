internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of ApiKeyService. Gateways learn of changes from the stream of revocations.
struct APIKeyHandlers: ApiKeyServiceProtocol {
  let parts: AccountParts
  private static let mostUses = 1000

  func createApiKey(_ request: CreateApiKeyRequest, context: CallContext) async throws -> CreateApiKeyResponse {
    let id = APIKeyText.makeID(parts.randomness)
    let text = APIKeyText.make(id, parts.randomness)
    return try await parts.data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let wanted = try APIKeyRules.checked(request.apiKey, at: transaction.now)
      // Keys are made one after the other, so that two cannot take the same name or exceed the limit together.
      try SettingsStore.lock(.keys, transaction)
      guard try !APIKeyStore.isNameInUse(wanted.name, transaction) else {
        let message = "a key in use is called '\(wanted.name)'; revoke it first, or choose another name"
        throw Refusal(.alreadyExists, "name_in_use", field: "api_key.name", message)
      }
      guard try APIKeyStore.countInUse(transaction) < APIKeyRules.mostKeys else {
        let message = "the tenant has \(APIKeyRules.mostKeys) keys in use; revoke those that nobody uses any more"
        throw Refusal(.precondition, "too_many_keys", field: "api_key", message)
      }
      var key = wanted
      key.apiKeyID = id
      key.createdBy = caller.actor
      key.createdAt = Timestamp(transaction.now)
      try APIKeyStore.insert(StoredAPIKey(key, hash: APIKeyText.hash(of: text)), transaction)
      try transaction.note(.apiKeyCreated, of: key, by: caller.actor)
      return CreateApiKeyResponse(apiKey: key, key: text)
    }
  }

  func listApiKeys(_ request: ListApiKeysRequest, context: CallContext) async throws -> ListApiKeysResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    return try await parts.data.read(context, of: .wholeTenant) { snapshot, _, _ in
      let (keys, next) = try APIKeyStore.list(page, snapshot)
      return ListApiKeysResponse(apiKeys: keys, nextPageToken: next)
    }
  }

  func rotateApiKey(_ request: RotateApiKeyRequest, context: CallContext) async throws -> RotateApiKeyResponse {
    let text = APIKeyText.make(request.apiKeyID, parts.randomness)
    return try await parts.data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let overlap = try APIKeyRules.overlap(request.overlap)
      var stored = try APIKeyStore.locked(request.apiKeyID, transaction)
      guard stored.key.revokedAt == nil else { throw Refusal.notFound("api key", request.apiKeyID) }
      stored.previousHash = overlap > .zero ? stored.hash : []
      stored.hash = APIKeyText.hash(of: text).bytes
      stored.key.rotatedAt = Timestamp(transaction.now)
      stored.key.overlapEndsAt = overlap > .zero ? Timestamp(transaction.now + overlap) : nil
      try APIKeyStore.update(stored, transaction)
      try transaction.note(.apiKeyRotated, of: stored.key, by: caller.actor)
      return RotateApiKeyResponse(apiKey: stored.key, key: text)
    }
  }

  func revokeApiKey(_ request: RevokeApiKeyRequest, context: CallContext) async throws -> RevokeApiKeyResponse {
    try await parts.data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      var stored = try APIKeyStore.locked(request.apiKeyID, transaction)
      try Self.revoke(&stored, by: caller.actor, transaction)
      return RevokeApiKeyResponse(apiKey: stored.key)
    }
  }

  /// Revokes a key, unless that was done before.
  static func revoke(_ stored: inout StoredAPIKey, by actor: String, _ transaction: Transaction) throws {
    guard stored.key.revokedAt == nil else { return }
    stored.key.revokedAt = Timestamp(transaction.now)
    stored.key.overlapEndsAt = nil
    try APIKeyStore.revoke(stored, transaction)
    try TakenBack.key(id: stored.key.apiKeyID).note(by: actor, transaction)
    // The key's own event comes last: the last event of a transaction commits to the key's row.
    try transaction.note(.apiKeyRevoked, of: stored.key, by: actor)
  }

  func reportApiKeyUses(
    _ request: ReportApiKeyUsesRequest, context: CallContext
  ) async throws -> ReportApiKeyUsesResponse {
    try context.admittedByKind()
    guard request.uses.count <= Self.mostUses else {
      let message = "uses has \(request.uses.count) entries; it may have \(Self.mostUses)"
      throw Refusal(.invalid, "too_many", field: "uses", message)
    }
    for (name, uses) in Dictionary(grouping: request.uses, by: \.tenant) {
      guard let tenant = Tenant(name) else { continue }
      try await parts.data.changeByKind(context, in: tenant) { transaction in
        for use in uses { try APIKeyStore.note(use, transaction) }
      }
    }
    return ReportApiKeyUsesResponse()
  }
}

extension Transaction {
  /// Records an event about a key.
  fileprivate func note(_ kind: AccountEventKind, of key: ApiKey, by actor: String) throws {
    let event = AccountEvent(
      at: Timestamp(now), kind: kind, actor: actor, note: key.name, apiKeyID: key.apiKeyID)
    try append(.account, event, to: StoredAPIKey.stream(key.apiKeyID))
  }
}
