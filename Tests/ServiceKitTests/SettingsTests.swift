import Base
import Testing

@testable import ServiceKit

/// Settings of every kind.
struct SampleSettings: SettingGroup {
  let slots = Setting("slots", default: 2, in: 1...64, "handlers that run at the same time")
  let cacheLimit = Setting("cache-limit", default: ByteCount.mebibytes(64), "what the cache may hold")
  let verbose = Setting("verbose", default: false, "says more")
  let masterKey = Setting<Secret?>("master-key", default: nil, "wraps the keys of all tenants")
  let gateways = Setting<[Endpoint]>("gateways", default: [], "where gateways listen")
  let inner = InnerSettings()
}

struct InnerSettings: SettingGroup {
  let wait = Setting("wait", default: Duration.milliseconds(250), "how long to wait")
}

struct Reading {
  var environment: [String: String] = [:]
  var files: [String: String] = [:]

  struct NoSuchFile: Error, CustomStringConvertible {
    let description = "no such file"
  }

  func read(_ words: [String] = []) throws -> Settings<SampleSettings> {
    guard case .run(let settings) = try request(words) else { throw SettingsError("nothing was read") }
    return settings
  }

  func request(_ words: [String]) throws -> SettingsRequest<SampleSettings> {
    let read = { (path: String) throws -> String in
      guard let text = files[path] else { throw NoSuchFile() }
      return text
    }
    let reader = SettingsReader(
      program: "sample", section: "sample", environment: environment, readFile: read, readSecret: read)
    return try reader.read(SampleSettings(), words)
  }

  func refusal(_ words: [String]) -> String? {
    do {
      _ = try read(words)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

@Suite struct SettingsTests {
  @Test("without any arguments, every setting has its default")
  func defaults() throws {
    let settings = try Reading().read()
    #expect(settings[\.slots] == 2)
    #expect(settings[\.cacheLimit] == .mebibytes(64))
    #expect(settings[\.verbose] == false)
    #expect(settings[\.masterKey] == nil)
    #expect(settings[\.inner.wait] == .milliseconds(250))
    #expect(settings.settings(of: \.inner)[\.wait] == .milliseconds(250))
  }

  @Test("a flag overrides a variable, a variable the file, the file the default")
  func precedence() throws {
    var reading = Reading(files: ["f": "slots = 3\ncache-limit = 1KiB\nwait = 9s\n"])
    reading.environment = ["ASSENT_CONFIG": "f", "ASSENT_SLOTS": "4", "ASSENT_CACHE_LIMIT": "2KiB"]
    let settings = try reading.read(["--slots", "5"])
    #expect(settings[\.slots] == 5)
    #expect(settings[\.cacheLimit] == ByteCount(2 << 10))
    #expect(settings[\.inner.wait] == .seconds(9))
    #expect(settings.file == "f")
  }

  @Test("a flag takes its value after a space or an equals sign; a switch needs none; -- ends the flags")
  func flagForms() throws {
    #expect(try Reading().read(["--slots=7", "--verbose"])[\.verbose])
    #expect(try Reading().read(["--slots=7"])[\.slots] == 7)
    #expect(try !Reading(environment: ["ASSENT_VERBOSE": "yes"]).read(["--verbose=no"])[\.verbose])
    #expect(try Reading().read(["--gateways", "127.0.0.1:1, [::1]:2"])[\.gateways].map(\.port) == [1, 2])
    var reader = SettingsReader.withoutFiles
    reader.operands = 1...2
    guard case .run(let settings) = try reader.read(SampleSettings(), ["a", "--", "--slots"]) else { return }
    #expect(settings.operands == ["a", "--slots"])
  }

  @Test("every refusal says in one line what is wrong, where, and what would be right")
  func refusals() {
    let reading = Reading(
      environment: ["ASSENT_WAIT": "soon"],
      files: [
        "unknown": "\nslotz = 3\n", "broken": "slots\n", "twice": "slots = 1\nslots = 2\n", "open": "slots = \"3",
        "behind": "slots = \"3\" 4", "section": "[gateway\n", "secret": "master-key = abc", "range": "slots = 65",
        "stranger": "[gatway]\nslots = 3\n",
      ])
    let expected: [([String], String)] = [
      (["--slotz", "3"], "--slotz is unknown; did you mean --slots?"),
      (["--quite-other", "3"], "--quite-other is unknown; --help lists what is known"),
      (["-s"], "-s is unknown: flags have long names, such as --slots"),
      (["--slots"], "--slots needs a value: --slots N"),
      (["--slots", "many"], "--slots is 'many'; it must be a whole number"),
      (["--slots", "0"], "--slots is '0'; it must be 1 to 64"),
      (["--cache-limit", "3MB"], "--cache-limit is '3MB'; it must be a size such as 512KiB, 64MiB or 2GiB"),
      (["--gateways", "host"], "--gateways is 'host'; it must be a host and a port, such as 127.0.0.1:9090"),
      (["--verbose=maybe"], "--verbose is 'maybe'; it must be yes or no"),
      (["word"], "'word' is one word too many; sample --help shows what is expected"),
      ([], "ASSENT_WAIT is 'soon'; it must be a time such as 250ms, 30s, 5m, 12h or 7d"),
      (["--config", "missing"], "--config: no such file"),
      (["--config", "unknown"], "unknown:2: slotz is unknown; did you mean slots?"),
      (["--config", "broken"], "broken:1: a line must be 'name = value'"),
      (["--config", "twice"], "twice:2: slots is set a second time, after line 1"),
      (["--config", "open"], "open:1: the closing quote is missing"),
      (["--config", "behind"], "behind:1: '4' stands after the closing quote"),
      (["--config", "section"], "section:1: '[' begins a section's name and ']' must end it"),
      (["--config", "stranger"], "stranger:1: [gatway] is the section of no program; did you mean [gateway]?"),
      (
        ["--config", "secret"],
        "secret:1: a settings file holds no secret itself; name the file that does: master-key-file"
      ),
      (["--config", "range"], "range:1: slots is '65'; it must be 1 to 64"),
    ]
    for (words, message) in expected { #expect(reading.refusal(words) == message) }
  }

  @Test("a setting that is required says so, by all its names")
  func required() {
    struct Group: SettingGroup {
      let database = Setting<String>(required: "database", "where records are kept")
    }
    let reader = SettingsReader.withoutFiles
    let error = #expect(throws: SettingsError.self) { _ = try reader.read(Group(), []) }
    #expect(error?.description == "--database is missing (or ASSENT_DATABASE): where records are kept")
  }

  @Test("a file has comments, quotes and a section for each program")
  func file() throws {
    let text = """
      # remarks stand alone
      slots = 8  # or behind a value
      [gateway]
      no-such-setting = 1
      [sample]
      gateways = "127.0.0.1:5 , 127.0.0.1:6"
      """
    let settings = try Reading(files: ["f": text]).read(["--config", "f"])
    #expect(settings[\.slots] == 8)
    #expect(settings[\.gateways].map(\.port) == [5, 6])
  }

  @Test("a program is told which lines of the file another one reads: those at the top, and those of its section")
  func linesOfOthers() throws {
    let folder = try TemporaryFolder()
    let text = "slots = 4\n[consent]\nwait = 1s\n[account]\n# wait = 2s\n"
    try Files.write(Array(text.utf8), to: folder.file("f"))
    let settings = Settings(group: SampleSettings(), values: [:], operands: [], file: folder.file("f"))
    #expect(try settings.fileNames("wait", for: "consent"))
    #expect(try !settings.fileNames("wait", for: "account"))
    #expect(try settings.fileNames("slots", for: "account"))
    #expect(try settings.section(of: "consent") == ["wait": "1s"])
    #expect(try settings.section(of: "account") == [:])
  }

  @Test("what every process knows may stand above the sections of a file that a command reads too")
  func settingsOfProcesses() throws {
    let files = ["above": "log-level = debug\nslots = 3\n", "own": "[sample]\nlog-level = debug\n"]
    let reading = Reading(files: files)
    #expect(try reading.read(["--config", "above"])[\.slots] == 3)
    #expect(reading.refusal(["--config", "own"])?.hasPrefix("own:2: log-level is unknown") == true)
  }

  @Test("a variable that is nearly a setting's is noticed; one that is like none may be another program's")
  func misspeltVariables() {
    let environment = [
      "ASSENT_SLOTZ": "3", "ASSENT_CACHE_LIMT": "1KiB", "ASSENT_MASTER_KEY_FIEL": "f", "ASSENT_CONFG": "f",
      "ASSENT_SLOTS": "3", "ASSENT_MASTER_KEY_FILE": "f", "ASSENT_HTTP_LISTEN": "x", "SLOTZ": "3",
    ]
    let found = MisspeltVariable.all(in: environment, known: SampleSettings().descriptions)
    #expect(found.map(\.name) == ["ASSENT_CACHE_LIMT", "ASSENT_CONFG", "ASSENT_MASTER_KEY_FIEL", "ASSENT_SLOTZ"])
    #expect(
      found.map(\.meant) == ["ASSENT_CACHE_LIMIT", "ASSENT_CONFIG", "ASSENT_MASTER_KEY_FILE", "ASSENT_SLOTS"])
  }

  @Test("durations and sizes are written in the largest unit that fits")
  func measuredTexts() {
    #expect(Duration.seconds(90).settingText == "90s")
    #expect(Duration.seconds(120).settingText == "2m")
    #expect(Duration.milliseconds(1500).settingText == "1500ms")
    #expect(Duration.zero.settingText == "0s")
    #expect(ByteCount(1025).settingText == "1025")
    #expect(ByteCount.gibibytes(2).settingText == "2GiB")
    #expect(throws: SettingValueError.self) { try Duration(setting: "99999999999999999d") }
    #expect(throws: SettingValueError.self) { try ByteCount(setting: "99999999999999999GiB") }
  }

  @Test("a list of commas alone is refused, since an empty list may mean that nothing is restricted")
  func commasAlone() throws {
    for text in [",", ",,"] { #expect(throws: SettingValueError.self, "\(text)") { try [String](setting: text) } }
    #expect(try [String](setting: "") == [])
    #expect(try [String](setting: "a, b,") == ["a", "b"])
  }
}

extension SettingsReader {
  /// Reads the command line alone.
  static var withoutFiles: SettingsReader {
    SettingsReader(
      program: "sample", section: "sample", environment: [:], readFile: { _ in "" }, readSecret: { _ in "" })
  }
}
