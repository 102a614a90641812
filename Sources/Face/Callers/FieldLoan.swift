internal import Base
internal import RPC

/// That one field is lent to another device, such as a phone, for some minutes: what its link and its token hold.
///
/// Whether it is still lent to this device SignatureService says, from the field's row, at each call.
struct FieldLoan: Hashable, Sendable {
  let tenant: String
  let field: String
  /// By the name that the field has for it: a link's, or with a slash that of a device that has come by the link.
  let device: String
  let expiry: Instant

  /// How long a link is good, and whoever has come by it.
  static let time = Duration.seconds(600)

  /// What a link is good for.
  private static let opening = ["assent.gateway.v1.GatewayService/OpenFieldLink"]
  /// What a device that has come by a link may do.
  private static let drawing = ["WatchField", "AppendStrokes", "UndoStroke", "ClearField"]
    .map { "assent.signature.v1.SignatureService/\($0)" }
  /// By which a link is passed on, and the field given back.
  private static let lending = ["assent.signature.v1.SignatureService/LendField"]

  /// A new link of a field.
  init(of field: String, in tenant: String, at now: Instant) {
    (self.tenant, self.field) = (tenant, field)
    (device, expiry) = ("link:\(Self.number())", now + Self.time)
  }

  private init(_ link: FieldLoan, device: String) {
    (tenant, field, self.device, expiry) = (link.tenant, link.field, device, link.expiry)
  }

  /// nil for what was sealed for something else.
  init?(_ fields: [String]) {
    guard fields.count == 4, let expiry = Int64(fields[3]) else { return nil }
    (tenant, field, device) = (fields[0], fields[1], fields[2])
    self.expiry = Instant(millisecondsSince1970: expiry)
  }

  var fields: [String] { [tenant, field, device, String(expiry.millisecondsSince1970)] }

  /// The same for a device that has come by this link; nil if this is no link.
  func opened() -> FieldLoan? {
    isLink ? FieldLoan(self, device: "\(device)/\(Self.number())") : nil
  }

  private var isLink: Bool { !device.contains("/") }

  private static func number() -> String { Hex.encode(Randomness.system.bytes(8)) }

  func caller(at now: Instant) throws(Status) -> VerifiedCaller {
    guard now < expiry else {
      throw Status(.unauthenticated, rule: "credential_expired", "the field's link has ended; make another one")
    }
    let identity = CallerIdentity(
      kind: .device, tenant: tenant, subject: device, device: device, grants: ["field@\(field)"])
    return VerifiedCaller(
      identity: identity, scopes: (isLink ? Self.opening : Self.drawing) + Self.lending,
      account: "\(tenant)/field:\(field)")
  }
}

extension BrowserPasses {
  /// The token of a device to which a field is lent.
  func token(for loan: FieldLoan) -> String { sealed(loan.fields) }

  /// What a token lends; nil if it is none of a field.
  func loan(in token: String) -> FieldLoan? { recognises(token) ? FieldLoan(fields(in: token)) : nil }
}
