internal import ConsentContract
internal import RPC
internal import ServicePolicy

extension Role {
  /// The role in which somebody signs; nil when none is stated.
  init?(_ role: SignerRole) {
    switch role {
    case .participant: self = .participant
    case .guardian: self = .guardian
    case .witness: self = .witness
    case .investigator: self = .investigator
    case .unspecified, .unrecognized: return nil
    }
  }
}
