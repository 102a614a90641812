/// One setting, declared once: the flag, the variable, the file's key, the check and the help all come from this.
///
/// `Setting("cache-limit", default: ByteCount.mebibytes(64), "what the cache may hold")` is `--cache-limit` on the
/// command line, `ASSENT_CACHE_LIMIT` in the environment and `cache-limit` in a file.
public struct Setting<Value: SettingValue>: Sendable {
  public let name: String
  public let help: String
  let placeholder: String
  let fallback: Value?
  let check: @Sendable (Value) -> String?

  /// An optional setting. `placeholder` replaces its value in the help, where the type alone says too little.
  public init(_ name: String, default fallback: Value, shown placeholder: String? = nil, _ help: String) {
    self.init(name: name, fallback: fallback, placeholder: placeholder, help: help) { _ in nil }
  }

  /// A setting that must be given.
  public init(required name: String, shown placeholder: String? = nil, _ help: String) {
    self.init(name: name, fallback: nil, placeholder: placeholder, help: help) { _ in nil }
  }

  /// A setting with bounds, which the help and the errors state.
  public init(
    _ name: String, default fallback: Value, in range: ClosedRange<Value>, _ help: String
  ) where Value: Comparable {
    let bounds = "\(range.lowerBound.settingText) to \(range.upperBound.settingText)"
    self.init(name: name, fallback: fallback, placeholder: nil, help: "\(help), \(bounds)") { value in
      range.contains(value) ? nil : "must be \(bounds)"
    }
  }

  private init(
    name: String, fallback: Value?, placeholder: String?, help: String, check: @escaping @Sendable (Value) -> String?
  ) {
    self.name = name
    self.help = help
    self.placeholder = placeholder ?? Value.placeholder
    self.fallback = fallback
    self.check = check
  }
}

/// Settings that belong together: a struct whose stored properties are `Setting`s and further groups.
public protocol SettingGroup: Sendable {}

/// A setting as the reader and the help see it, whatever its type.
package struct SettingDescription: Sendable {
  let name: String
  let help: String
  let placeholder: String
  let defaultText: String?
  let isSecret: Bool
  /// A flag that needs no value.
  let isSwitch: Bool
  let fallback: (any Sendable)?
  let parse: @Sendable (String) throws(SettingValueError) -> any Sendable

  /// The setting's name on the command line and in a file. There, a secret is given as the path of the file that has
  /// it.
  var givenName: String { isSecret ? "\(name)-file" : name }

  var variable: String { Self.variable(for: name) }
  var fileVariable: String { Self.variable(for: "\(name)-file") }

  package static func variable(for name: String) -> String {
    "ASSENT_" + name.uppercased().replacing("-", with: "_")
  }
}

protocol DescribedSetting {
  var description: SettingDescription { get }
}

extension Setting: DescribedSetting {
  var description: SettingDescription {
    SettingDescription(
      name: name, help: help, placeholder: placeholder, defaultText: fallback?.settingText,
      isSecret: Value.isSecret, isSwitch: Value.self is Bool.Type, fallback: fallback
    ) { [check] (text) throws(SettingValueError) in
      let value = try Value(setting: text)
      if let reason = check(value) { throw SettingValueError(reason) }
      return value
    }
  }
}

extension SettingGroup {
  /// Every setting of the group, in the order of declaration.
  var descriptions: [SettingDescription] {
    Mirror(reflecting: self).children.flatMap { child -> [SettingDescription] in
      if let setting = child.value as? any DescribedSetting { return [setting.description] }
      if let group = child.value as? any SettingGroup { return group.descriptions }
      return []
    }
  }
}
