internal import Bus
internal import RPC
internal import ServiceKit

/// The settings of `assent keys`.
struct KeysSettings: SettingGroup {
  let data = Setting(
    "data", default: "data", shown: "FOLDER", "the folder that 'assent up' was given, in which the lists of keys are")
  let keyList = Setting<String?>(
    "bus-key-list", default: nil, shown: "FILE",
    "the file with the list of keys that the gateways let in; unless given, 'bus-keys' in the data folder")
  let key = Setting<CurvePublicKey?>("key", default: nil, "the public key to allow; quote it")
  let keyFile = Setting<String?>(
    "key-file", default: nil, shown: "FILE", "the key file whose public key to allow, in place of --key")
  let role = Setting("role", default: RoleName.client, "the role of the key's holder")
  let tenant = Setting<String?>(
    "tenant", default: nil, shown: "TENANT", "the tenant of a client, or of a key for sealing")
  let kind = Setting("kind", default: KindName.device, "what a client is; an operator is above all tenants")
  let apiKeyList = Setting<String?>(
    "api-key-list", default: nil, shown: "FILE",
    "the file with the list of API keys that gateways accept; unless given, 'api-keys' in the data folder")
  let scopes = Setting<[String]>(
    "scopes", default: [], shown: "SCOPE,…",
    "the only methods an API key is good for: package.Service/Method or package.Service/*")
  let expires = Setting<String?>(
    "expires", default: nil, shown: "TIME", "when an API key ends, such as 2027-01-01T00:00:00Z")
  let sealName = Setting("seal-name", default: "Assent seal", "whom a self-signed certificate for seals names")
  let grants = Setting<[String]>(
    "grants", default: [], shown: "GRANT,…", "the roles of a client in studies: role@study, role@study/site or role@*")
  let serves = Setting<[String]>(
    "serves", default: [], shown: "SERVICE,…", "the services, by their full names, that a service's key may serve")
  let vouches = Setting(
    "vouches", default: VouchingName.nobody,
    "for whom a service's key may speak; callers: to read, for those whose calls it works on; tenants: as a service")
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

/// A kind of client, as typed on the command line.
enum KindName: String, CaseIterable, SettingValue {
  case device, person, `operator`

  var kind: CallerKind {
    switch self {
    case .device: .device
    case .person: .person
    case .operator: .operator
    }
  }
}

/// For whom a service may speak, as typed on the command line.
enum VouchingName: String, CaseIterable, SettingValue {
  case nobody, callers, tenants, anybody

  var vouching: KeyRights.Vouching {
    switch self {
    case .nobody: .nobody
    case .callers: .callers
    case .tenants: .tenants
    case .anybody: .anybody
    }
  }
}

extension Settings<KeysSettings> {
  var keyListPath: String { self[\.keyList] ?? "\(self[\.data])/bus-keys" }
  var apiKeyListPath: String { self[\.apiKeyList] ?? "\(self[\.data])/api-keys" }
}
