/// The texts of the screens of accounts.
package enum AccountTextKey: String, Sendable, CaseIterable {
  case signIn, passcode, forgot, switchOrAdd, nobodyCurrent, wait, back, search, add, current, others, nobodyYet
  case nobodyFound, next, cancel, save, done, welcome, welcomeText, name, subtitle, code, setPasscode
  case setPasscodeText, confirmPasscode, confirmText, differed, recoveryTitle, recoveryText, forgotTitle
  case forgotText, recoveryCode, newPasscode, changeTitle, locked, lockedText, syncTitle, uploading, downloading
  case counted, syncDone, syncDoneText, connectionTitle, connectionText, tryAgain, userErrorTitle, userErrorGrant
  case userErrorConflict, returnToSignIn, linkCodeTitle, linkCodeText, enterCodeTitle, enterCodeText, haveCode
  case affectedText, failedTitle, failedText, failedNone, more, itemConsent, itemSignature, itemWithdrawal, itemSharing
  case itemEnd, itemProfile, itemOther, reasonChanged, reasonUnknown, reasonRights, reasonRefused, takeMine
  case takeTheirs, discard, decide, syncOpen, userErrorUnlock, userErrorInvite, affectedUnlock, affectedInvite
  case ownTitle, ownGrant, ownConflict, somebody, signInWith, identityOffline, ruleShortest, ruleDigits, ruleUpper
  case ruleLower, ruleDigit, ruleSymbol, ruleGuess, wrongPasscode, wrongRecovery, personLocked, passcodeGiven
  case passcodeSame, passcodeUnmet

  /// The key as settings name it: `sign_in`.
  package var name: String {
    rawValue.reduce(into: "") { name, letter in name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)" }
  }

  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  package init?(name: String) {
    guard let key = Self.named[name] else { return nil }
    self = key
  }
}
