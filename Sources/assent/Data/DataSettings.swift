internal import ServiceKit
internal import ServiceStorage

/// The settings of `assent data`: the location of a service's database, by the names that the service itself uses.
struct DataSettings: SettingGroup {
  let service = Setting(
    "schema", default: "consent", shown: "SERVICE", "the service whose database it is: consent, signature or account")
  let database = DatabaseSettings()
  let head = Setting<String?>(
    "head", default: nil, shown: "FILE", "signed heads that were kept elsewhere, which check compares the log with")
  let publicKey = Setting<String?>(
    "evidence-public-key", default: nil, shown: "FILE",
    "the public keys that signed heads must bear, for check and renew-log-keys; "
      + "evidence.pub in the data's folder, if it is there, unless given")
}
