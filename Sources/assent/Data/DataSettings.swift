internal import ServiceKit
internal import ServiceStorage

/// The settings of `assent data`: the location of a service's database, by the names that the service itself uses.
struct DataSettings: SettingGroup {
  let service = Setting(
    "schema", default: "consent", shown: "SERVICE", "the service whose database it is: consent, signature")
  let database = DatabaseSettings()
}
