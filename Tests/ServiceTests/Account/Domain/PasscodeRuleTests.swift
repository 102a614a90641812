import AccountContract
import AccountService
import Base
import ServicePolicy
import Testing

@Suite("Rules of passcodes") struct PasscodeRuleTests {
  private func refusal(_ passcode: String, _ policy: PasscodePolicy? = nil) -> String? {
    do throws(Refusal) {
      try PasscodeRules(policy).check(passcode, "passcode")
      return nil
    } catch {
      #expect(passcode.isEmpty || !error.message.contains(passcode))
      return error.rule
    }
  }

  @Test(
    "a policy's table",
    arguments: [
      ("short7!", nil, "passcode_too_short"), ("long enough", nil, nil), ("пароль42!", nil, nil), ("👩‍⚕️👩‍⚕️👩‍⚕️a", nil, nil),
      ("password", nil, "passcode_denied"), ("PassWord", nil, "passcode_denied"), ("23456789", nil, "passcode_denied"),
      ("hgfedcba", nil, "passcode_denied"), ("aaaaaaaa", nil, "passcode_denied"), ("abababab", nil, "passcode_denied"),
      ("4711", PasscodePolicy(shortest: 4, digitsOnly: true), nil),
      ("1234", PasscodePolicy(shortest: 4, digitsOnly: true), "passcode_denied"),
      ("47a1", PasscodePolicy(shortest: 4, digitsOnly: true), "passcode_not_digits"),
      ("٤٧١١", PasscodePolicy(shortest: 4, digitsOnly: true), "passcode_not_digits"),
      ("4711", PasscodePolicy(shortest: 4, digitsOnly: true, needsUpper: true), nil),
      ("lower case", PasscodePolicy(needsUpper: true), "passcode_lacks_upper"),
      ("Ärger und so", PasscodePolicy(needsUpper: true), nil),
      ("UPPER CASE", PasscodePolicy(needsLower: true), "passcode_lacks_lower"),
      ("no digits", PasscodePolicy(needsDigit: true), "passcode_lacks_digit"),
      ("one ٣ here", PasscodePolicy(needsDigit: true), nil),
      ("nosymbol1", PasscodePolicy(needsSymbol: true), "passcode_lacks_symbol"),
      ("a symbol€", PasscodePolicy(needsSymbol: true), nil),
      ("letmein-acme", PasscodePolicy(denied: ["LetMeIn-Acme"]), "passcode_denied"),
    ] as [(String, PasscodePolicy?, String?)])
  func policy(passcode: String, policy: PasscodePolicy?, rule: String?) {
    #expect(refusal(passcode, policy) == rule)
  }

  @Test("a passcode of 129 characters is too long")
  func longest() {
    #expect(refusal(String(repeating: "abc", count: 43)) == "passcode_too_long")
    #expect(refusal(String(repeating: "abcd", count: 32)) == nil)
  }

  @Test("delays grow, are bounded, and end", arguments: GuessRules.allCases)
  func delays(rules: GuessRules) {
    var attempts = Guesses()
    var now = Instant(millisecondsSince1970: 1_000_000)
    var spent = Duration.zero
    var last = Duration.zero
    for number in 1...200 {
      let wait = rules.wait(attempts, at: now)
      #expect(wait >= last && wait <= rules.longestDelay)
      #expect((number <= Int(rules.free)) == (wait == .zero), "attempt \(number)")
      last = wait
      spent += wait
      now = now + wait
      #expect(rules.wait(attempts, at: now) == .zero)
      attempts = rules.attempted(attempts, at: now)
    }
    #expect(last == rules.longestDelay && spent > rules.longestDelay * 100)
    // A clock that is set back for years makes nobody wait for years.
    #expect(rules.wait(attempts, at: Instant(millisecondsSince1970: 0)) <= rules.longestDelay)
  }

  @Test("codes are read as people type them")
  func codes() {
    #expect(Codes.normal("abcd-efgh jk") == "ABCDEFGHJK")
    #expect(Codes.normal("ABC") == nil && Codes.normal("ABCDEFGHI0") == nil && Codes.normal("") == nil)
    // What is too long for a code is not looked through.
    let long = "ABCDEFGHJK" + String(repeating: "-", count: 118)
    #expect(Codes.normal(long) == "ABCDEFGHJK" && Codes.normal(long + "-") == nil)
    #expect(Codes.make(10, from: Array(0...9)).count == 10)
  }

  @Test(
    "roles are granted by words that grant something",
    arguments: [
      ("coordinator@heart", true), ("investigator@heart/berlin", true), ("admin@*", true), ("inspector@*", true),
      ("participant@heart", false), ("guardian@heart", false), ("king@heart", false), ("coordinator", false),
      ("@heart", false),
      ("coordinator@", false), ("coordinator@a/b/c", false), ("coordinator@*/x", false), ("coordinator@a b", false),
      ("coordinator@a@b", false), ("", false),
    ])
  func roles(text: String, isGood: Bool) {
    #expect(((try? RoleText(text)) != nil) == isGood, "\(text)")
  }
}
