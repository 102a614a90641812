import Base
import Testing

@testable import ServiceKit

@Suite struct SecretSettingsTests {
  private let files = ["k": "from the file\n", "other": "from another file", "empty": "\n"]

  @Test("a secret comes from a file or from the environment, and the first of these counts")
  func sources() throws {
    func secret(_ environment: [String: String], _ words: [String] = []) throws -> String? {
      try Reading(environment: environment, files: files).read(words)[\.masterKey]?.reveal()
    }
    #expect(try secret([:]) == nil)
    #expect(try secret(["ASSENT_MASTER_KEY": "itself"]) == "itself")
    #expect(try secret(["ASSENT_MASTER_KEY_FILE": "k"]) == "from the file")
    #expect(try secret([:], ["--master-key-file", "k"]) == "from the file")
    #expect(try secret(["ASSENT_MASTER_KEY": "itself"], ["--master-key-file", "k"]) == "from the file")
    #expect(try secret(["ASSENT_MASTER_KEY_FILE": "other"], ["--master-key-file", "k"]) == "from the file")
  }

  @Test("a secret on the command line is refused, and the refusal does not repeat it")
  func commandLine() {
    let refusal = Reading().refusal(["--master-key", "hunter2"])
    #expect(
      refusal
        == "--master-key would show a secret to every user of this machine; give --master-key-file or ASSENT_MASTER_KEY"
    )
  }

  @Test("an empty secret and a missing file are refused by name")
  func refusals() {
    let reading = Reading(files: files)
    #expect(reading.refusal(["--master-key-file", "empty"]) == "the secret in empty is empty")
    #expect(reading.refusal(["--master-key-file", "none"]) == "--master-key-file: no such file")
  }

  @Test("a secret is not shown by accident: not in text, not in a dump, not in the help, not in a log")
  func neverShown() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    let capture = LogCapture()
    capture.log().info("configured", ["key": secret])
    let shown = [
      "\(secret)", String(reflecting: secret), String(describing: Optional(secret)), dumped, secret.settingText,
      LogFormat.logfmt.line(capture.events[0]), LogFormat.json.line(capture.events[0]),
    ]
    for text in shown { #expect(!text.contains("hunter2")) }
    #expect(capture.events[0]["key"] == .redacted)
  }
}
