package import AccountContract
package import Refusals

/// The rules that a passcode must meet. Lengths and classes count Unicode scalars.
package struct PasscodeRules: Sendable {
  package static let usualShortest: Int32 = 8
  package static let longest = 128
  /// Passcodes that an attacker tries first; compared without case.
  static let usualDenied: Set<String> = [
    "12345678", "123456789", "1234567890", "87654321", "11111111", "00000000", "password", "passw0rd", "password1",
    "qwertyui", "qwertzui", "qwerty123", "iloveyou", "abcd1234", "1q2w3e4r", "letmein1", "welcome1", "changeme",
    "admin123", "passcode", "1234", "0000", "1111", "4321", "123456", "654321", "000000", "111111", "121212",
  ]

  private let policy: PasscodePolicy
  private let denied: Set<String>

  package init(_ policy: PasscodePolicy?) {
    self.policy = policy ?? PasscodePolicy()
    denied = Set(self.policy.denied.map { $0.lowercased() })
  }

  package var shortest: Int { Int(policy.shortest == 0 ? Self.usualShortest : policy.shortest) }

  /// Refuses a passcode; the message names the rule and never the passcode.
  package func check(_ passcode: String, _ field: String) throws(Refusal) {
    func refuse(_ rule: String, _ words: String) throws(Refusal) -> Never {
      throw Refusal(.invalid, rule, field: field, "\(field) \(words)")
    }
    let scalars = passcode.unicodeScalars
    guard scalars.count >= shortest else {
      try refuse("passcode_too_short", "must have at least \(shortest) characters")
    }
    guard scalars.count <= Self.longest else {
      try refuse("passcode_too_long", "must have at most \(Self.longest) characters")
    }
    if policy.digitsOnly {
      guard scalars.allSatisfy({ "0"..."9" ~= $0 }) else { try refuse("passcode_not_digits", "must be digits only") }
    } else {
      for rule in Self.classes where rule.isWanted(policy) && !scalars.contains(where: rule.isMember) {
        try refuse("passcode_lacks_\(rule.name)", "must have \(rule.words)")
      }
    }
    let folded = passcode.lowercased()
    if denied.contains(folded) || Self.usualDenied.contains(folded) || Set(scalars).count < 3 || Self.isRun(scalars) {
      try refuse("passcode_denied", "is one that is easily guessed")
    }
  }

  /// Refuses a policy that no passcode or any passcode could meet.
  package static func check(_ policy: PasscodePolicy) throws(Refusal) {
    let field = "settings.passcode_policy"
    guard policy.shortest == 0 || (4...64).contains(policy.shortest) else {
      let message = "\(field).shortest is \(policy.shortest); it must be 4 to 64, or 0 for \(usualShortest)"
      throw Refusal(.invalid, "out_of_bounds", field: "\(field).shortest", message)
    }
    guard policy.denied.count <= 1000, policy.denied.allSatisfy({ $0.utf8.count <= 512 }) else {
      let message = "\(field).denied has more than 1000 entries, or one of more than 512 bytes"
      throw Refusal(.invalid, "out_of_bounds", field: "\(field).denied", message)
    }
  }

  /// A part of the policy, as a screen shows it.
  struct Part: Sendable {
    /// By which a passcode that does not meet it is refused.
    let rule: String
    let words: AccountTextKey
    var count = 0
    /// What a passcode that meets it matches, in ECMAScript with the flags u and s; empty: only the server can tell.
    var pattern = ""
  }

  /// The whole policy.
  var parts: [Part] {
    var parts = [
      Part(
        rule: "passcode_too_short", words: .ruleShortest, count: shortest, pattern: "^.{\(shortest),\(Self.longest)}$")
    ]
    if policy.digitsOnly {
      parts.append(Part(rule: "passcode_not_digits", words: .ruleDigits, pattern: "^[0-9]*$"))
    } else {
      parts += Self.classes.filter { $0.isWanted(policy) }.map { wanted in
        Part(rule: "passcode_lacks_\(wanted.name)", words: wanted.key, pattern: wanted.pattern)
      }
    }
    return parts + [Part(rule: "passcode_denied", words: .ruleGuess)]
  }

  private struct Class: Sendable {
    let name: String
    let key: AccountTextKey
    /// `isMember` for screens.
    let pattern: String
    let words: String
    let isWanted: @Sendable (PasscodePolicy) -> Bool
    let isMember: @Sendable (Unicode.Scalar) -> Bool
  }

  private static let classes = [
    Class(
      name: "upper", key: .ruleUpper, pattern: #"\p{Uppercase}"#, words: "an upper-case letter",
      isWanted: { $0.needsUpper }, isMember: { $0.properties.isUppercase }
    ),
    Class(
      name: "lower", key: .ruleLower, pattern: #"\p{Lowercase}"#, words: "a lower-case letter",
      isWanted: { $0.needsLower }, isMember: { $0.properties.isLowercase }),
    Class(
      name: "digit", key: .ruleDigit, pattern: #"\p{Nd}"#, words: "a digit", isWanted: { $0.needsDigit },
      isMember: { $0.properties.generalCategory == .decimalNumber }),
    Class(
      name: "symbol", key: .ruleSymbol, pattern: #"[^\p{Alphabetic}\p{N}\s]"#, words: "a symbol",
      isWanted: { $0.needsSymbol },
      isMember: { !$0.properties.isAlphabetic && $0.properties.numericType == nil && !$0.properties.isWhitespace }),
  ]

  /// True for 34567890 and hgfedcba: each character is the one after, or before, its neighbour.
  private static func isRun(_ scalars: String.UnicodeScalarView) -> Bool {
    let steps = Set(zip(scalars, scalars.dropFirst()).map { Int($1.value) - Int($0.value) })
    return steps == [1] || steps == [-1]
  }
}
