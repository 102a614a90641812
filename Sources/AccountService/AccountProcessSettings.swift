internal import Base
internal import OpenID
internal import Outgoing
internal import ServiceKit
internal import ServiceStorage

/// The settings of AccountService.
struct AccountProcessSettings: SettingGroup {
  let database = DatabaseSettings()
  let tokenSecret = Setting<Secret?>(
    "token-secret", default: nil,
    "the secret from which the keys that sign access tokens are derived, 64 hexadecimal digits; itself derived from "
      + "the master key unless given")
  let accessLifetime = Setting(
    "access-token-lifetime", default: Duration.seconds(300), in: .seconds(10) ... .seconds(3600),
    "how long an access token is valid")
  let refreshLifetime = Setting(
    "refresh-token-lifetime", default: Duration.seconds(30 * 86_400), in: .seconds(60) ... .seconds(365 * 86_400),
    "how long a session without any use can still be refreshed")
  let passcodeThreads = Setting(
    "passcode-threads", default: 2, in: 1...64, "how many passcodes are checked at a time")
  let passcodeMemory = Setting(
    "passcode-memory", default: ByteCount.mebibytes(64), in: ByteCount(8192)...ByteCount.gibibytes(1),
    "how much memory Argon2id uses to check one passcode")
  let passcodePasses = Setting(
    "passcode-passes", default: 3, in: 1...16, "how many passes Argon2id makes over the memory of --passcode-memory")
  let identityAllow = Setting(
    "identity-allow", default: [NetworkSetting](),
    "private networks in which tenants' OpenID providers may be, besides the public internet, such as 10.1.0.0/16")
  let identityCertificates = Setting<String?>(
    "identity-certificates", default: nil, shown: "FILE",
    "the root certificates in PEM that are trusted for OpenID providers, instead of the system's")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
  let housekeeping = HousekeepingSettings()
}

extension Settings<AccountProcessSettings> {
  func passcodePool() -> PasscodePool {
    PasscodePool(
      threads: self[\.passcodeThreads],
      cost: Argon2Cost(passes: self[\.passcodePasses], memory: self[\.passcodeMemory].bytes))
  }

  func issuers(clock: Clock) -> IssuerSource {
    let reach = OutgoingPolicy.Reach.publicAddresses(and: self[\.identityAllow].map(\.range))
    let policy = OutgoingPolicy(reach, certificates: self[\.identityCertificates])
    return IssuerSource(policy, clock: clock)
  }

  func lifetimes() -> TokenLifetimes {
    TokenLifetimes(access: self[\.accessLifetime], refresh: self[\.refreshLifetime])
  }

  func tokenSecret() throws -> [UInt8] {
    guard let text = self[\.tokenSecret] else {
      let masterKeys = try settings(of: \.database).masterKeyText()
      return Digest(of: Array("assent-token-secret-1\n\(masterKeys.reveal())".utf8)).bytes
    }
    let digits = text.reveal().filter { !$0.isWhitespace }
    guard let secret = Hex.decode(digits), secret.count == 32 else {
      throw AccountSetupError(description: "token-secret must be 64 hexadecimal digits")
    }
    return secret
  }
}

/// Why the service cannot start, in one line.
struct AccountSetupError: Error, CustomStringConvertible {
  let description: String
}
