package import Base
internal import Bus
package import RPC
internal import Wire

/// Makes the addresses of files, and opens them.
///
/// An address contains all that is needed to make the call, sealed with a key that gateways share. So gateways keep
/// nothing, any of them serves any address, and nobody who sees an address learns what is in it.
package struct Downloads: Sendable {
  /// The file that a caller asks for.
  package struct Wish: Sendable {
    package var method: String
    package var request: String
    package var fileName: String
    package var isAttachment: Bool
    package var lifetime: Duration

    package init(method: String, request: String, fileName: String, isAttachment: Bool, lifetime: Duration) {
      self.method = method
      self.request = request
      self.fileName = fileName
      self.isAttachment = isAttachment
      self.lifetime = lifetime
    }
  }

  package static let prefix = "/downloads/"
  package static let longestLifetime = Duration.seconds(60)
  private static let longestRequest = 2048
  private static let longestName = 128
  /// In bytes. It leaves room for an access token of AccountService, the longest credential in an address.
  private static let longestAddress = 8192

  private let key: SealingKey
  private let catalogue: Catalogue
  private let gatekeeper: Gatekeeper
  private let clock: Clock

  /// - Parameter secret: shared by all gateways that serve each other's addresses.
  package init(secret: [UInt8], _ catalogue: Catalogue, _ gatekeeper: Gatekeeper, clock: Clock = .system) {
    key = SealingKey(secret: secret, purpose: "assent-download-1")
    self.catalogue = catalogue
    self.gatekeeper = gatekeeper
    self.clock = clock
  }

  /// The address of a file. Throws when the caller may not call the method, or the method answers no file.
  ///
  /// - Parameter admitted: what the door has learnt about the caller; nil for a caller of the bus's own door, who has
  ///   presented neither scopes nor a credential.
  package func address(
    of wish: Wish, for identity: CallerIdentity, _ admitted: AdmissionTickets.Admitted?
  ) throws(Status) -> (path: String, expiry: Instant) {
    let method = try method(wish.method)
    if let denial = (admitted?.caller.identity ?? identity).denial(of: method.descriptor) { throw denial }
    if let admitted { try gatekeeper.check(admitted.caller, for: method.descriptor) }
    guard wish.lifetime > .zero, wish.lifetime <= Self.longestLifetime else {
      throw Self.refusal("lifetime_ms must be 1 to \(Self.longestLifetime.wholeMilliseconds)")
    }
    guard wish.fileName.utf8.count <= Self.longestName,
      wish.fileName.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "/" && $0 != "\\" })
    else {
      throw Self.refusal("file_name must have at most \(Self.longestName) bytes, no control characters and no slashes")
    }
    var grant = DownloadGrant(
      method: method.descriptor.path, request: try binary(wish.request, method),
      holder: admitted?.caller.credential.map { .credential($0) } ?? .identity(identity),
      expiry: clock.now + wish.lifetime)
    grant.fileName = wish.fileName
    grant.isAttachment = wish.isAttachment
    let path = grant.bytes.map { Self.prefix + Base64URL.encode(key.seal($0)) }
    guard let path, path.utf8.count <= Self.longestAddress else { throw Self.refusal("the address would be too long") }
    return (path, grant.expiry)
  }

  private func method(_ name: String) throws(Status) -> Catalogue.Method {
    let path = name.hasPrefix("/") ? name : "/\(name)"
    guard let method = catalogue.method(path) else {
      var unknown = catalogue.unknownMethod(path)
      unknown.code = .invalidArgument
      throw unknown
    }
    guard method.download != nil else {
      let names = catalogue.allMethods.filter { $0.download != nil }.map { String($0.descriptor.path.dropFirst()) }
      throw Self.refusal("\(name) answers no file; these do: \(names.joined(separator: ", "))")
    }
    return method
  }

  private func binary(_ json: String, _ method: Catalogue.Method) throws(Status) -> [UInt8] {
    let text = Array((json.isEmpty ? "{}" : json).utf8)
    let bytes: [UInt8]
    do throws(CodecError) {
      bytes = try method.input.binary(fromJSON: text.span)
    } catch {
      throw Self.refusal("request: \(error)")
    }
    guard bytes.count <= Self.longestRequest else {
      throw Self.refusal("request has \(bytes.count) bytes in binary form; at most \(Self.longestRequest) are taken")
    }
    return bytes
  }

  private static func refusal(_ text: String) -> Status { Status(.invalidArgument, rule: "bad_download", text) }

  // MARK: - Use

  /// The call that an address stands for, and how to answer with its outcome.
  package struct Opened: Sendable {
    package let grant: DownloadGrant
    package let method: Catalogue.Method
    package let fields: DownloadFields
    package let caller: VerifiedCaller
  }

  /// Whether an address should wait a moment before it is opened, because it must be known whether its maker's
  /// credential was revoked.
  package func mustWait(for path: String) -> Bool {
    gatekeeper.mustWait {
      guard case .credential(let credential)? = grant(of: path)?.holder else { return nil }
      return credential
    }
  }

  private func grant(of path: String) -> DownloadGrant? {
    guard path.utf8.count <= Self.longestAddress, let sealed = Base64URL.decode(path.dropFirst(Self.prefix.utf8.count))
    else { return nil }
    return key.open(sealed).flatMap(DownloadGrant.init(bytes:))
  }

  /// What an address stands for. Throws when it is not an address of ours, has expired, or its maker may not make the
  /// call now.
  package func open(_ path: String, from address: String) throws(Status) -> Opened {
    guard let grant = grant(of: path), let method = catalogue.method(grant.method), let fields = method.download else {
      throw Status(.notFound, rule: "no_download", "there is no file at this address")
    }
    guard clock.now < grant.expiry else {
      throw Status(.notFound, rule: "download_over", "the address was good for a short time")
    }
    let caller: VerifiedCaller
    switch grant.holder {
    case .credential(let credential):
      caller = try gatekeeper.admit(credential, from: address, to: method.descriptor).caller
    case .identity(let identity):
      // Counted for the address that asks now, since a caller of the bus's own door has no account here.
      caller = VerifiedCaller(identity: identity, account: "")
      if let objection = gatekeeper.objection(to: caller) { throw objection }
      _ = try gatekeeper.count(caller, from: address)
    }
    return Opened(grant: grant, method: method, fields: fields, caller: caller)
  }
}
