package import Base
package import RPC

/// What the address of a file contains: the call that answers the file, on whose behalf, and until when.
package struct DownloadGrant: Hashable, Sendable {
  /// On whose behalf the method is called.
  package enum Holder: Hashable, Sendable {
    /// Whoever this credential belongs to at the time of the download.
    case credential(PresentedCredential)
    /// A caller of the bus's own door, who presented no credential that could be checked again.
    case identity(CallerIdentity)
  }

  package var method: String
  /// In binary form.
  package var request: [UInt8]
  package var holder: Holder
  package var fileName = ""
  package var isAttachment = false
  package var expiry: Instant

  package init(method: String, request: [UInt8], holder: Holder, expiry: Instant) {
    self.method = method
    self.request = request
    self.holder = holder
    self.expiry = expiry
  }

  // MARK: - As bytes

  /// The fields in this order, each preceded by its length; nil when one of them is too long for that.
  var bytes: [UInt8]? {
    var fields: [[UInt8]] = [
      Array(method.utf8), request, Array(fileName.utf8), [isAttachment ? 1 : 0],
      Array(String(expiry.millisecondsSince1970).utf8),
    ]
    switch holder {
    case .credential(let credential):
      fields += [Array(credential.token.utf8), [credential.isCookie ? 1 : 0], Array(credential.origin.utf8)]
    case .identity(let caller):
      let texts = [caller.kind.word, caller.tenant, caller.subject, caller.device] + caller.grants
      fields += texts.map { Array($0.utf8) }
    }
    guard fields.allSatisfy({ $0.count <= 0xFFFF }) else { return nil }
    return fields.flatMap { field in [UInt8(field.count >> 8), UInt8(field.count & 0xFF)] + field }
  }

  /// nil unless these are the bytes of a grant.
  init?(bytes: [UInt8]) {
    var fields: [[UInt8]] = []
    var rest = bytes[...]
    while let high = rest.popFirst() {
      guard let low = rest.popFirst(), case let count = Int(high) << 8 | Int(low), rest.count >= count else {
        return nil
      }
      fields.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    guard fields.count >= 8, let expiry = Int64(texts[4]) else { return nil }
    if fields.count == 8 {
      holder = .credential(PresentedCredential(token: texts[5], isCookie: fields[6] == [1], origin: texts[7]))
    } else {
      guard let kind = CallerKind(word: texts[5]) else { return nil }
      holder = .identity(
        CallerIdentity(
          kind: kind, tenant: texts[6], subject: texts[7], device: texts[8], grants: Array(texts[9...])))
    }
    method = texts[0]
    request = fields[1]
    fileName = texts[2]
    isAttachment = fields[3] == [1]
    self.expiry = Instant(millisecondsSince1970: expiry)
  }
}
