internal import AccountContract
internal import ConsentContract
internal import SignatureContract
internal import Wire

/// A type of message that sync carries in a field of bytes: how it is read and written where it is carried as JSON.
struct JSONForm: Sendable {
  let binary: @Sendable (String) throws(CodecError) -> [UInt8]
  let json: @Sendable ([UInt8]) throws(CodecError) -> String

  init<Body: Message>(of _: Body.Type) {
    binary = { json throws(CodecError) in try Body(json: json).encoded() }
    json = { bytes throws(CodecError) in
      String(decoding: try Body(decoding: bytes).json(.standard), as: UTF8.self)
    }
  }
}

extension QueueItem {
  /// The item with its request in binary, as it is judged, stored and carried out; as it came if its JSON is no request
  /// of its method.
  var inBinary: QueueItem {
    guard !requestJSON.isEmpty, request.isEmpty, let method = UploadableMethod.named(method) else { return self }
    guard let bytes = try? method.request.binary(requestJSON) else { return self }
    var item = self
    (item.request, item.requestJSON) = (bytes, "")
    return item
  }

  /// Why the item's JSON could not be read; nil if there is none.
  var faultOfJSON: String? {
    guard !requestJSON.isEmpty else { return nil }
    guard request.isEmpty else { return "request and request_json are both set" }
    do {
      _ = try UploadableMethod.named(method)?.request.binary(requestJSON)
      return nil
    } catch {
      return "request_json is no request of \(method): \(error)"
    }
  }

  fileprivate var inJSON: QueueItem {
    guard !request.isEmpty, let json = try? UploadableMethod.named(method)?.request.json(request) else { return self }
    var item = self
    (item.requestJSON, item.request) = (json, [])
    return item
  }
}

extension ItemOutcome {
  /// The outcome for a device that speaks JSON. What cannot be read stays as it is.
  var inJSON: ItemOutcome {
    var outcome = self
    if !response.isEmpty, let json = try? UploadableMethod.named(method)?.response.json(response) {
      (outcome.responseJSON, outcome.response) = (json, [])
    }
    outcome.item = item?.inJSON
    return outcome
  }
}

extension ChangeBody {
  /// The types of all bodies, by their names.
  private static let forms: [String: JSONForm] = [
    ConsentRecord.messageName: JSONForm(of: ConsentRecord.self),
    SessionView.messageName: JSONForm(of: SessionView.self),
    OfflineBundle.messageName: JSONForm(of: OfflineBundle.self),
    SigningTask.messageName: JSONForm(of: SigningTask.self),
    FieldView.messageName: JSONForm(of: FieldView.self),
    PersonProfile.messageName: JSONForm(of: PersonProfile.self),
    AccountEntry.messageName: JSONForm(of: AccountEntry.self),
  ]

  /// The body for a device that speaks JSON.
  func inJSON() throws -> ChangeBody {
    if type == ItemOutcome.messageName {
      let outcome = try ItemOutcome(decoding: value).inJSON
      return ChangeBody(type: type, json: String(decoding: try outcome.json(.standard), as: UTF8.self))
    }
    guard let form = Self.forms[type] else { return self }
    return ChangeBody(type: type, json: try form.json(value))
  }
}
