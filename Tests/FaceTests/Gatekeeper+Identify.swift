import Face
import HealthContract
import RPC

extension Gatekeeper {
  /// The caller whom a credential names: a public method admits everybody with a good one.
  func identify(_ credential: PresentedCredential) throws(Status) -> VerifiedCaller {
    try admit(credential, from: "192.0.2.7", to: HealthMethods.check).caller
  }
}
