internal import Bus
internal import ServiceKit

/// The settings of `assent keys`.
struct KeysSettings: SettingGroup {
  let keyList = Setting(
    "bus-key-list", default: "data/bus-keys", shown: "FILE", "the file with the list of keys that the gateways let in")
  let key = Setting<CurvePublicKey?>("key", default: nil, "the public key to allow; quote it")
  let keyFile = Setting<String?>(
    "key-file", default: nil, shown: "FILE", "the key file whose public key to allow, in place of --key")
  let role = Setting("role", default: RoleName.client, "the role of the key's holder")
  let tenant = Setting<String?>("tenant", default: nil, shown: "TENANT", "the tenant of a client")
  let access = Setting("access", default: AccessName.device, "how much a client may do; each includes those before it")
  let grants = Setting<[String]>(
    "grants", default: [], shown: "GRANT,…", "the roles of a client in studies: role@study, role@study/site or role@*")
}

/// A role, as typed on the command line.
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

/// A client's access level, as typed on the command line.
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
