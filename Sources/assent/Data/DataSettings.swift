internal import ServiceKit
internal import ServiceStorage

/// What `assent data` can be told: where a service's database is, as the service itself is told it.
struct DataSettings: SettingGroup {
  let service = Setting(
    "schema", default: "consent", shown: "SERVICE", "the service whose database it is: consent, signature")
  let database = DatabaseSettings()
}
