/** What the element of accounts says besides what the server does, in English. */
export const en = {
  wrongPasscode: "That passcode does not open this account.",
  wrongRecovery: "That is not the recovery code of this account.",
  wrongCode: "That code is wrong, was used, or has expired.",
  locked: "This account is locked. An administrator can unlock it.",
  mustChange: "Choose a passcode of your own.",
  changed: "Your passcode was changed. Sign in with it.",
  passcodeShort: "Choose a longer passcode.",
  passcodeDigits: "Choose a passcode of digits only.",
  passcodeLacks: "Choose a passcode with more kinds of characters: small letters, capitals, digits, symbols.",
  passcodeGuessed: "That passcode is easily guessed. Choose another.",
  passcodeSame: "That is your passcode until now. Choose another.",
  noInvitation: "Nobody joins here without a code. An administrator can give you one.",
  sayName: "Say also how you want to be shown.",
  alreadyListed: "You are on this device’s list already.",
  oneOnly: "This device is for one person.",
  notAdded: "Nobody was added.",
  connectionNeeded: "Sign in once with a connection, before you can sign in here without one.",
  wiped: "An administrator has wiped this device. It needs a new code.",
  away: "The server cannot be reached. What you entered is still here.",
  failed: "That did not work. Try again.",
  tryAgain: "Try Again",
  goOn: "Continue",
  found: "{count} found",
}

export type AccountWords = { [key in keyof typeof en]: string }
