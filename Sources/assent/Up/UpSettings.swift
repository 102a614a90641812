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
    "grpc-listen", default: Endpoint(host: "127.0.0.1", port: 50051), "where the first gateway answers gRPC")
  let httpListen = Setting<Endpoint?>(
    "http-listen", default: Endpoint(host: "127.0.0.1", port: 8080),
    "where the first gateway speaks HTTP/1.1; further gateways take the ports after it, and port 0 takes free ones")
  let gateways = Setting("gateways", default: 1, in: 1...16, "gateway processes")
  let consent = Setting("consent", default: 1, in: 0...16, "processes of the consent service")
  let signature = Setting("signature", default: 2, in: 0...64, "processes of the signature service")
  let account = Setting("account", default: 1, in: 0...16, "processes of the account service")
  let webhooks = WebhookSettings()
}
