internal import RPC
internal import ServiceKit

/// The settings of `assent call`.
struct CallSettings: SettingGroup {
  let list = Setting("list", default: false, "shows the methods; those that contain METHOD, if it is given")
  let describe = Setting("describe", default: false, "shows what METHOD takes and answers, and calls nothing")
  let deadline = Setting("deadline", default: Duration.seconds(30), "how long to wait for the outcome")
  let metadata = Setting<[MetadataEntry]>("metadata", default: [], "metadata to send with the call")
  let key = Setting<String?>(
    "idempotency-key", default: nil, shown: "KEY", "names the change, so that a repeat of this call takes effect once")
  let indent = Setting("indent", default: false, "shows each answer over several lines, instead of one line each")
  let http = Setting<String?>(
    "http", default: nil, shown: "URL", "calls over HTTP at this address of a gateway instead of over the bus")
  let keyFile = Setting<String?>(
    "key-file", default: nil, shown: "FILE", "the file with the API key or token for calls over HTTP")
  let certificates = Setting<String?>(
    "certificates", default: nil, shown: "FILE",
    "the certificates to trust for calls over HTTP, as PEM, instead of the system's")
  let caller = CallerSettings()
  let door = DoorSettings()
}

/// The caller in whose name a call is made. Gateways trust this statement on this machine's own sockets.
struct CallerSettings: SettingGroup {
  let tenant = Setting("tenant", default: "", "calls for somebody of this tenant")
  let kind = Setting("kind", default: KindName.person, "what the caller is, for calls for a tenant or an operator")
  let subject = Setting("subject", default: "", shown: "NAME", "the caller's name, for calls for a tenant")
  let device = Setting("device", default: "", shown: "NAME", "the caller's device, for calls for a tenant")
  let roles = Setting<[String]>(
    "roles", default: [], shown: "ROLE@STUDY,…", "the caller's roles, for calls for a tenant")
}

extension Settings<CallerSettings> {
  /// The caller that the settings name; nil for this process itself.
  var identity: CallerIdentity? {
    // Operators belong to no tenant.
    if self[\.tenant].isEmpty, self[\.kind] != .operator { return nil }
    return CallerIdentity(
      kind: self[\.kind].kind, tenant: self[\.tenant], subject: self[\.subject], device: self[\.device],
      grants: self[\.roles])
  }
}

/// One entry of metadata: `key=value`.
struct MetadataEntry: SettingValue {
  static var placeholder: String { "KEY=VALUE" }

  let key: String
  let value: String

  init(setting text: String) throws(SettingValueError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else { throw SettingValueError("must be KEY=VALUE") }
    (key, value) = (parts[0], parts[1])
  }

  var settingText: String { "\(key)=\(value)" }
}
