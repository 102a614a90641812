internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import SignatureContract
internal import Wire

/// Calls the other services as a person, and returns what they show to that person.
struct PersonalPeers: Sendable {
  let peers: any SyncPeers
  let identity: CallerIdentity

  func record(_ id: String) async throws -> ConsentRecord? {
    let request = GetRecordRequest(recordID: id)
    let answer: GetRecordResponse? = try await fetch(RecordServiceMethods.getRecord, request)
    return answer?.record
  }

  /// Also nil for a session that walks a draft which was changed meanwhile, since it cannot be shown any more.
  func session(_ id: String, schema: Int32) async throws -> SessionView? {
    let request = GetSessionRequest(sessionID: id, clientSchema: schema)
    let answer: GetSessionResponse? = try await fetch(SessionServiceMethods.getSession, request) {
      $0.rule == "draft_changed"
    }
    return answer?.session
  }

  /// nil if the session cannot be walked without a connection: because steps ahead depend on answers, the table would
  /// be too large, the client could not show it, or the text that was shown has changed. The session is then sent
  /// without it, and the download goes on.
  func offlineBundle(of sessionID: String, schema: Int32) async throws -> OfflineBundle? {
    let request = GetOfflineBundleRequest(sessionID: sessionID, clientSchema: schema)
    let answer: GetOfflineBundleResponse? = try await fetch(SessionServiceMethods.getOfflineBundle, request) {
      $0.code == .failedPrecondition || ["table_too_large", "text_changed"].contains($0.rule)
    }
    return answer?.bundle
  }

  func field(_ id: String) async throws -> FieldView? {
    let request = GetFieldRequest(fieldID: id)
    let answer: GetFieldResponse? = try await fetch(SignatureServiceMethods.getField, request)
    return answer?.view
  }

  /// Empty if the person may not list tasks.
  func tasks(_ request: ListSigningTasksRequest) async throws -> ListSigningTasksResponse {
    let answer: ListSigningTasksResponse? = try await fetch(SessionServiceMethods.listSigningTasks, request)
    return answer ?? ListSigningTasksResponse()
  }

  /// What a service answers to the person; nil when it says that there is nothing for the person.
  ///
  /// A device deletes what it is told is gone, and does not get it again before it changes. So everything else,
  /// overload above all, ends the download, which goes on from its cursor later.
  ///
  /// - Parameter saysNothing: which other errors also mean that there is nothing for the person.
  private func fetch<Asked: Message, Got: Message>(
    _ method: MethodDescriptor, _ request: Asked, orNothingWhere saysNothing: (Status) -> Bool = { _ in false }
  ) async throws -> Got? {
    do throws(Status) {
      return try Got.received(try await peers.perform(method, try request.sent, as: identity, key: "", Metadata()))
    } catch {
      let isNothing = [.notFound, .permissionDenied].contains(error.code) || error.rule == "subject_erased"
      guard isNothing || saysNothing(error) else { throw error }
      return nil
    }
  }
}

extension Message {
  fileprivate var sent: [UInt8] {
    get throws(Status) {
      do throws(CodecError) { return try encoded() } catch {
        throw Status(.internal, rule: "internal_error", "\(error)")
      }
    }
  }

  fileprivate static func received(_ bytes: [UInt8]) throws(Status) -> Self {
    do throws(CodecError) { return try Self(decoding: bytes) } catch {
      throw Status(.internal, rule: "bad_answer", "the service's answer cannot be read: \(error)")
    }
  }
}
