import Base
import Generator
import TestSupport
import Testing

/// Which fields of proto/ are secrets, so that no service keeps them with the answer or the request of a call.
@Suite("Secrets in the contract") struct SecretFieldTests {
  /// Last words of fields that are called like a secret.
  private static let words: Set<String> = [
    "assertion", "code", "grant", "grants", "jwt", "key", "passcode", "password", "proof", "secret", "token",
  ]

  /// Names that are never a secret's, whatever the message.
  private static let plain: Set<String> = [
    "page_token", "next_page_token", "public_key", "verifier_key", "idempotency_key", "purpose_code",
  ]

  /// Fields that are called like a secret and are none, or that no call with a kept answer has.
  private static let exempt = [
    "assent.account.v1.AccountViewText.key": "names a text",
    "assent.account.v1.AuthenticateDeviceRequest.secret": "in a oneof, and nothing of the call is kept",
    "assent.account.v1.PushQueueRequest.grants": "a list, and nothing of the call is kept",
    "assent.account.v1.ReauthenticateResponse.assertion": "good for one challenge, and nothing of the call is kept",
    "assent.account.v1.StartOnboardingRequest.invitation_code": "used up by the call itself",
    "assent.account.v1.StartOnboardingRequest.link_code": "used up by the call itself",
    "assent.consent.v1.CatalogText.key": "names a text",
    "assent.consent.v1.ConsentPurpose.code": "names a purpose",
    "assent.consent.v1.Reauthentication.assertion": "good for one signature, which the call makes",
    "assent.consent.v1.RevokeInvitationRequest.code": "the call ends it",
    "assent.consent.v1.StartSessionRequest.invitation_code": "staff of the study lists it at any time",
    "assent.consent.v1.StudyInvitation.code": "staff of the study lists it at any time",
    "assent.consent.v1.TextOverride.key": "names a text",
    "assent.signature.v1.AttestDocumentResponse.token": "a time stamp",
  ]

  /// Methods whose answers have secrets, and that repeat or refuse otherwise than all others.
  private static let apart = [
    "assent.account.v1.DeviceService.AuthenticateDevice": "keeps nothing: a repeat proves the device anew",
    "assent.account.v1.SignInService.SignIn": "keeps nothing: a repeat proves the passcode anew",
    "assent.account.v1.SignInService.SignInWithIdentity": "keeps nothing: a repeat shows the ID token anew",
    "assent.account.v1.SignInService.StartIdentitySignIn": "keeps nothing: a repeat begins another attempt",
    "assent.account.v1.SignInService.FinishIdentitySignIn": "keeps nothing: a repeat is refused, whatever its key",
    "assent.account.v1.SignInService.RefreshTokens": "kept for whoever shows the refresh token again",
    "assent.account.v1.SignInService.RecoverPasscode": "kept for whoever shows the recovery code again",
    "assent.gateway.v1.GatewayService.CreateBrowserToken": "keeps nothing: a repeat makes another token",
    "assent.gateway.v1.GatewayService.CreateFieldLink": "keeps nothing: a repeat makes another link",
    "assent.gateway.v1.GatewayService.OpenFieldLink": "keeps nothing: a repeat makes another token",
    "assent.account.v1.ViewService.GetAccountView": "changes nothing, and shows what the caller gave",
    "assent.account.v1.ViewService.GetOfflineViews": "changes nothing, and shows what the caller gave",
  ]

  private func files() throws -> [FileDescriptor] {
    let set = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    return set.files.filter { $0.package.hasPrefix("assent.") && $0.package != "assent.bus.v1" }
  }

  private func all(_ messages: [MessageType]) -> [MessageType] {
    messages.filter { !$0.isMapEntry }.flatMap { [$0] + all($0.messages) }
  }

  @Test("every field that is called like a secret is marked as one, or says here why not")
  func fields() throws {
    var left = Self.exempt
    var marked = 0
    for message in all(try files().flatMap(\.messages)) {
      for field in message.fields where field.kind == .string || field.kind == .bytes {
        let name = "\(message.fullName).\(field.name)"
        if field.isSecret { marked += 1 }
        guard let word = field.name.split(separator: "_").last, Self.words.contains(String(word)) else { continue }
        if field.isSecret || Self.plain.contains(field.name) { continue }
        #expect(left.removeValue(forKey: name) != nil, "\(name) is called like a secret: mark it by (assent.secret)")
      }
    }
    #expect(marked >= 25)
    #expect(left.isEmpty, "there is no such field any more: \(left.keys.sorted())")
  }

  @Test("every method that answers with a secret states what a repeat gets")
  func methods() throws {
    let files = try files()
    let messages = Dictionary(uniqueKeysWithValues: all(files.flatMap(\.messages)).map { ($0.fullName, $0) })
    func bearsSecrets(_ name: String) -> Bool {
      messages[name]?.fields.contains { $0.isSecret || $0.kind == .message && bearsSecrets($0.typeName) } ?? false
    }
    var left = Self.apart
    for service in files.flatMap(\.services) {
      for method in service.methods where bearsSecrets(method.outputType) {
        let name = "\(service.fullName).\(method.name)"
        if left.removeValue(forKey: name) != nil { continue }
        let isStated = method.errors.contains { $0.code == 6 && $0.detail == method.outputType }
        #expect(isStated, "\(name) states no ALREADY_EXISTS with its response as detail")
      }
    }
    #expect(left.isEmpty, "these answer with no secret any more: \(left.keys.sorted())")
  }
}
