/// An environment variable that belongs to no setting but nearly has the name of one, which was most likely meant.
struct MisspeltVariable: Equatable {
  let name: String
  let meant: String

  /// How many letters may be wrong. Other programs also have variables that begin with `ASSENT_`, but none so similar.
  private static let reach = 2

  static func all(in environment: [String: String], known: [SettingDescription]) -> [MisspeltVariable] {
    let variables = Set(
      known.flatMap { $0.isSecret ? [$0.variable, $0.fileVariable] : [$0.variable] }
        + [SettingsReader.config.description.variable])
    let unknown = environment.keys.filter { $0.hasPrefix("ASSENT_") && !variables.contains($0) }
    return unknown.sorted().compactMap { name in
      guard let nearest = nearestName(to: name, among: variables.sorted()) else { return nil }
      return editDistance(from: name, to: nearest) <= reach ? MisspeltVariable(name: name, meant: nearest) : nil
    }
  }
}
