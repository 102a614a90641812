internal import Base
internal import ServiceKit
internal import Webhooks

/// The settings of `assent up`.
struct UpSettings: SettingGroup {
  let data = Setting("data", default: "data", shown: "FOLDER", "the folder of all databases and keys")
  let masterKey = Setting<Secret?>(
    "master-key", default: nil,
    "the master keys that protect the keys of personal data, in place of the one made in the data folder")
  let evidenceKey = Setting<Secret?>(
    "evidence-key", default: nil,
    "the private key that signs the heads of the services' logs, in place of one made in the data folder; best kept "
      + "elsewhere")
  let sealKeyFile = Setting<String?>(
    "seal-key-file", default: nil, shown: "FILE",
    "the key that seals documents with its certificates, PEM or PKCS#12, in place of one made for development in the "
      + "data folder")
  let sealKeyFolder = Setting<String?>(
    "seal-key-folder", default: nil, shown: "FOLDER",
    "the folder with the keys of tenants that seal with their own: TENANT.key")
  let verificationAddress = Setting<String?>(
    "verification-address", default: nil, shown: "ADDRESS",
    "the URL that is printed before the identifier of each sealed document; unless given, the first gateway's page, "
      + "if it listens on one address")
  let grpcListen = Setting(
    "grpc-listen", default: Endpoint(host: "127.0.0.1", port: 50051), "a second address of the same door, for gRPC")
  let httpListen = Setting<Endpoint?>(
    "http-listen", default: Endpoint(host: "127.0.0.1", port: 8080),
    "where all gateways serve gRPC, gRPC-Web, Connect, files and pages; with port 0 each takes a free one")
  let gateway = Setting(
    "gateway", default: 0, in: 0...16,
    "gateway processes, which share their addresses; 0 for as many as the machine has cores beyond the first two, at "
      + "least one and at most four, and for one where the port is 0")
  let consent = Setting("consent", default: 1, in: 0...16, "processes of the consent service")
  let signature = Setting("signature", default: 2, in: 0...64, "processes of the signature service")
  let account = Setting("account", default: 1, in: 0...16, "processes of the account service")
  let interop = Setting(
    "interop", default: false, "starts InteropService too, with which clients are tried; only developers have it")
  let webhooks = WebhookSettings()
}

extension Settings<UpSettings> {
  /// How many gateways are started.
  var gatewayCount: Int {
    if self[\.gateway] > 0 { return self[\.gateway] }
    guard let port = self[\.httpListen]?.port, port > 0 else { return 1 }
    return min(max(NativeThread.cores - 2, 1), 4)
  }
}
