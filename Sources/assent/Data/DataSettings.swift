internal import ServiceKit

/// What `assent data` can be told.
struct DataSettings: SettingGroup {
  let database = Setting<String>(required: "database", "sqlite:PATH or a PostgreSQL URL")
  let schema = Setting(
    "schema", default: "consent", "the service whose database it is, which names its PostgreSQL schema")
  let masterKey = Setting<Secret?>(
    "master-key", default: nil, "the master keys, current one first: without them what is sealed is not checked")
}
