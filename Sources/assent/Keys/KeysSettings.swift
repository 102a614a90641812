internal import Bus
internal import ServiceKit

/// What `assent keys` can be told.
struct KeysSettings: SettingGroup {
  let keyList = Setting(
    "bus-key-list", default: "data/bus-keys", shown: "FILE", "the file that lists whose keys the gateways let in")
  let key = Setting<CurvePublicKey?>("key", default: nil, "the public key to allow; quote it")
  let keyFile = Setting<String?>(
    "key-file", default: nil, shown: "FILE", "the key file whose public key to allow, in place of --key")
  let role = Setting("role", default: RoleName.client, "what the key's holder is")
  let tenant = Setting<String?>("tenant", default: nil, shown: "TENANT", "whose data a client's calls are about")
  let access = Setting("access", default: AccessName.device, "how much a client may do; each includes those before it")
  let grants = Setting<[String]>(
    "grants", default: [], shown: "GRANT,…", "what a client is at which study: role@study, role@study/site or role@*")
}

/// A role, as people write it.
enum RoleName: String, CaseIterable, SettingValue {
  case gateway, service, client

  var role: KeyEntry.Role {
    switch self {
    case .gateway: .gateway
    case .service: .service
    case .client: .client
    }
  }
}

/// How much a client may do, as people write it.
enum AccessName: String, CaseIterable, SettingValue {
  case device, user, admin

  var level: MethodDescriptor.Access {
    switch self {
    case .device: .device
    case .user: .user
    case .admin: .admin
    }
  }
}
