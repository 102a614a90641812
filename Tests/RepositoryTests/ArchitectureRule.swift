import Testing

/// A rule for the sources, and how a violation is found.
struct ArchitectureRule: Sendable, CustomTestStringConvertible {
  let name: String
  /// The violations in a file; empty when there are none.
  let violations: @Sendable (SourceFile) -> [String]
  /// A file that breaks the rule, to prove that the rule catches it.
  let planted: (path: String, text: String)

  var testDescription: String { name }
}

/// What the rules know of the layout.
enum Layout {
  static let programs: Set = [
    "gateway", "ConsentService", "SignatureService", "AccountService", "InteropService", "assent", "assent_generate",
  ]

  /// Folders with code that depends on nothing but its arguments, outside of their Native folders. So does each folder
  /// that is called Domain.
  static let pureFolders = [
    "AccountService/Views", "Base/Fairness", "Base/JSON", "Bus/Client", "Bus/Endpoints", "Bus/Envelope", "Bus/Flow",
    "Bus/Keys", "Bus/Router", "Bus/Worker", "BusSimulator", "ConsentDomain", "Contracts", "Documents",
    "Generator/Contract", "Generator/Descriptors", "Generator/Documentation", "Generator/Output", "Generator/Rules",
    "HTTP1", "HTTP2", "HTTPFace/Messages", "Ink", "InkSamples", "OpenID", "PDF", "Pictures", "RPC", "Refusals",
    "Sealing", "ServiceKit/Settings", "Storage/Statements", "TextFolding", "Tokens", "Wire", "assent/Prepare/Store",
  ]

  /// Folders whose code acts by what it is given or by its Native folder: it asks servers, runs statements, hands calls
  /// to the bus, writes lines, counts. The words that pure code may not have are not in it.
  static let actingFolders: Set = [
    "Authorities", "Bus/Hosting/Port", "HTTPFace/Connections", "Outgoing", "ServiceKit/Logging", "ServiceKit/Metrics",
    "Storage/Coverage", "Storage/Events", "Storage/Idempotency", "Storage/Jobs", "Storage/Schema",
  ]

  static func isPure(_ file: SourceFile) -> Bool {
    if file.isNative { return false }
    return file.components.contains("Domain") || pureFolders.contains { file.path.hasPrefix("Sources/\($0)/") }
  }

  /// Pure targets that are about calls; the others know none.
  static let pureTargetsWithCalls: Set = ["Bus", "BusSimulator", "Contracts", "RPC", "Tokens"]

  /// protoc-c's output, one module for each proto package.
  static func isContractInC(_ module: String) -> Bool { module.hasPrefix("C") && module.hasSuffix("Wire") }

  static func isCLibrary(_ module: String) -> Bool {
    if ["Glibc", "Musl", "Darwin", "SwiftShims"].contains(module) { return true }
    return module.count > 1 && module.hasPrefix("C") && module.dropFirst().first?.isUppercase == true
  }
}

extension ArchitectureRule {
  static let all: [ArchitectureRule] = [
    cOnlyInNative, safeOutsideNative, noFoundation, servicesApart, librariesBelow, wireKeepsItsStructs,
    ownContractsOnly, sqlOnlyInStores, storesKnowNoCalls, pureFoldersArePure, shortEntries, smallFiles,
    inlinableIsPublic, tasksOutsideLocks, oneBase64, oneJSONEscape, quotesAreShortened, statusesHaveRules,
    handlersAskPolicy,
  ]

  static let cOnlyInNative = ArchitectureRule(name: "C is imported only inside a target's Native folder") { file in
    file.isNative ? [] : file.imports.filter(Layout.isCLibrary)
  } planted: {
    ("Sources/Storage/Row.swift", "internal import CSQLite\n")
  }

  static let safeOutsideNative = ArchitectureRule(name: "outside Native nothing is unsafe or unchecked") { file in
    file.isNative ? [] : file.lines(containing: ["unsafe", "@unchecked", "@unsafe", "@safe"])
  } planted: {
    ("Sources/Ink/Raster.swift", "struct A { nonisolated(unsafe) static var shared = 1 }\n")
  }

  static let inlinableIsPublic = ArchitectureRule(
    name: "what is inlinable is public: the compiler copies nothing less into other modules"
  ) { file in
    let words = file.code.split { $0 == " " || $0 == "\n" }
    return words.indices.compactMap { place in
      guard words[place] == "@inlinable" else { return nil }
      let declaration = words[place...].first { !$0.hasPrefix("@") }
      return declaration == "package" ? words[place...].prefix(6).joined(separator: " ") : nil
    }
  } planted: {
    ("Sources/Wire/Native/Codec/Fast.swift", "enum Fast {\n  @inlinable package static func copy() {}\n}\n")
  }

  /// To resume a task, or to cancel it, takes its lock. A cancellation handler runs while that is held and takes locks
  /// of ours: with one inside the other, both threads would wait for ever.
  static let tasksOutsideLocks = ArchitectureRule(name: "no task is resumed, cancelled or yielded to under a lock") {
    file in
    let touching = [".resume(", ".yield(", ".finish()", ".cancel()"]
    return file.codeUnderLocks.filter { code in touching.contains { code.contains($0) } }
  } planted: {
    ("Sources/gateway/Board.swift", "func tell() {\n  state.withLock { state in\n    watcher.yield(1)\n  }\n}\n")
  }

  static let noFoundation = ArchitectureRule(name: "Foundation is imported nowhere") { file in
    file.imports.filter { $0.hasPrefix("Foundation") }
  } planted: {
    ("Sources/Ink/Export.swift", "internal import FoundationEssentials\n")
  }

  static let servicesApart = ArchitectureRule(name: "nothing imports a program") { file in
    file.imports.filter(Layout.programs.contains)
  } planted: {
    ("Sources/ConsentService/Render.swift", "internal import SignatureService\n")
  }

  static let librariesBelow = ArchitectureRule(
    name: "libraries know only what is below them: contracts no bus, Ink and PDF no calls and no database"
  ) { file in
    let forbidden: Set<String> =
      switch file.target {
      case "HTTP1", "HTTP2", "Outgoing", "Pictures": ["Wire", "RPC", "Bus", "ServiceKit", "Storage", "ServicePolicy"]
      case "Tokens", "OpenID", "Authorities": ["Wire", "Bus", "ServiceKit", "Storage", "ServicePolicy"]
      case "Face": ["Storage", "ServicePolicy", "ServiceStorage", "HTTPFace"]
      case "HTTPFace": ["Storage", "ServicePolicy", "ServiceStorage"]
      case "Webhooks": ["Bus", "Face", "ServiceStorage", "Ink", "Documents"]
      case "Base": ["Wire", "RPC", "Bus", "ServiceKit", "Storage", "Ink", "Documents", "Generator"]
      case "Ink", "Typesetting", "PDF", "Documents", "Sealing":
        ["Wire", "RPC", "Bus", "ServiceKit", "Storage", "CZMQ", "CProtobufC", "CWire", "CSQLite", "CPostgres"]
      case "Wire": ["RPC", "Bus", "ServiceKit", "Storage", "ServiceStorage", "Ink", "Documents"]
      case "RPC": ["Bus", "ServiceKit", "Storage", "ServiceStorage", "Ink", "Documents"]
      case "Bus": ["ServiceKit", "Storage", "ServiceStorage", "Ink", "Documents"]
      case "Storage": ["Wire", "RPC", "Bus", "ServiceKit", "ServiceStorage", "Ink", "Documents"]
      case "Contracts": ["Bus", "ServiceKit", "Storage", "ServiceStorage", "Ink", "Documents"]
      case "ServicePolicy": ["Bus", "ServiceKit", "ServiceStorage", "Ink", "Documents"]
      case "ConsentDomain":
        ["RPC", "Bus", "ServiceKit", "Storage", "ServicePolicy", "ServiceStorage", "Ink", "Documents"]
      case "Refusals":
        ["RPC", "Bus", "ServiceKit", "Storage", "ServicePolicy", "ServiceStorage", "Ink", "Documents"]
      case "ServiceKit": ["Storage", "ServicePolicy", "ServiceStorage", "Ink", "Documents"]
      default: []
      }
    return file.imports.filter(forbidden.contains)
  } planted: {
    ("Sources/Ink/Native/Store.swift", "internal import CPostgres\n")
  }

  static let wireKeepsItsStructs = ArchitectureRule(
    name: "protobuf-c's structs never leave the Native folders of Wire, Bus and the contracts"
  ) { file in
    let isHome = file.isNative && ["Wire", "Bus", "Contracts"].contains(file.target)
    return isHome ? [] : file.imports.filter { $0 == "CProtobufC" || Layout.isContractInC($0) }
  } planted: {
    ("Sources/ServiceKit/Native/Peek.swift", "internal import CConsentWire\n")
  }

  static let ownContractsOnly = ArchitectureRule(
    name: "what every process is made of knows no service's contract"
  ) { file in
    let shared = ["Base", "Wire", "RPC", "Bus", "Storage", "ServiceKit", "ServiceStorage", "ServicePolicy"]
    guard shared.contains(file.target) else { return [] }
    return file.imports.filter { $0.hasSuffix("Contract") && $0 != "CommonContract" }
  } planted: {
    ("Sources/ServiceKit/Shortcut.swift", "internal import ConsentContract\n")
  }

  static let sqlOnlyInStores = ArchitectureRule(name: "SQL stands only in Storage and in a service's Store files") {
    file in
    if file.target == "Storage" || file.path.contains("Store") { return [] }
    let statements = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "CREATE INDEX ", "UPDATE "]
    return file.literals.filter { literal in statements.contains { trimming(literal[...]).hasPrefix($0) } }
  } planted: {
    ("Sources/ConsentService/Flows/Session.swift", "let query = \"\"\"\n  SELECT name FROM person\n  \"\"\"\n")
  }

  static let storesKnowNoCalls = ArchitectureRule(
    name: "stores know no calls: no bus, no requests, no responses"
  ) { file in
    guard file.components.contains("Store") else { return [] }
    let words = Set(file.code.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    let messages = words.filter { $0.hasSuffix("Request") || $0.hasSuffix("Response") }.map(String.init)
    // `PageRequest` is a value of Assent, not a message.
    return file.imports.filter(["RPC", "Bus", "ServiceKit"].contains) + messages.filter { $0 != "PageRequest" }
  } planted: {
    ("Sources/SignatureService/Store/FieldStore.swift", "func answer() -> GetFieldResponse { GetFieldResponse() }\n")
  }

  static let pureFoldersArePure = ArchitectureRule(name: "pure code reads no clock, rolls no dice, does no I/O") {
    file in
    Layout.isPure(file) ? impurities(of: file) : []
  } planted: {
    ("Sources/Bus/Router/Router.swift", "func now() { let time = Clock.system.monotonic }\n")
  }

  /// What pure code may not have.
  static func impurities(of file: SourceFile) -> [String] {
    let impure = [
      "Clock.system", "Randomness.system", "ContinuousClock", "SuspendingClock", "Task.sleep", "Rounds",
      "Task.detached", "SystemRandomNumberGenerator", "Files", "ChildProcess", "Environment", "print", "Storage",
      "ServiceKit",
    ]
    let dice = file.code.split(separator: "\n").filter { $0.contains(".random(in:") && !$0.contains("using:") }
    let calls = Layout.pureTargetsWithCalls.contains(file.target) ? [] : file.imports.filter(["RPC", "Bus"].contains)
    return file.lines(containing: impure) + dice.map(String.init) + calls
  }

  static let oneBase64 = ArchitectureRule(name: "base64's letters stand in Base alone") { file in
    file.target == "Base" ? [] : file.literals.filter { $0.contains("XYZabc") }
  } planted: {
    ("Sources/Tokens/Base64URL.swift", "let letters = \"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\"\n")
  }

  /// Who writes escapes has the beginning `\\u00` of a control character; who reads them has their letters, or puts
  /// surrogates together.
  static let oneJSONEscape = ArchitectureRule(name: "JSON's escapes are written and resolved in Base alone") { file in
    if file.target == "Base" { return [] }
    let letters: Set = ["b", "f", "n", "r", "t", "u"]
    let readers = letters.isSubset(of: file.literals) ? ["the letters of all escapes"] : []
    let surrogates = file.code.split(separator: "\n").filter { $0.uppercased().contains("0XD800") }
    return file.literals.filter { $0.hasPrefix("u00") } + readers + surrogates.map(String.init)
  } planted: {
    ("Sources/Ink/Reader.swift", "let letters = [\"b\", \"f\", \"n\", \"r\", \"t\", \"u\"].map(meaning)\n")
  }

  /// `prefix` counts characters, and one of them may be as long as a request. Digits of a digest are digits.
  static let quotesAreShortened = ArchitectureRule(name: "what a message quotes is shortened by bytes") { file in
    file.quotations.filter { $0.contains(".prefix(") && !$0.contains(".hex.prefix(") }
  } planted: {
    ("Sources/ServicePolicy/Refusal.swift", "let message = \"there is no form '\\(id.prefix(80))'\"\n")
  }

  /// What the bus itself says of a call has none, and the client's side says what it says to its own program.
  static let statusesHaveRules = ArchitectureRule(name: "services and doors make no status without a rule") { file in
    let targets: Set = [
      "AccountService", "ConsentService", "SignatureService", "ConsentDomain", "ServicePolicy", "Webhooks", "Face",
      "HTTPFace", "gateway",
    ]
    return targets.contains(file.target) ? file.statusesWithoutRule : []
  } planted: {
    ("Sources/Face/Callers/Ring.swift", "let none = Status(isOff(1, 2) ? .ok : .notFound, \"no_key: it is unknown\")\n")
  }

  static let handlersAskPolicy = ArchitectureRule(name: "handlers open no tenant's data past ServiceDatabase") { file in
    guard file.name.contains("Handlers") else { return [] }
    return file.code.split(separator: "\n").filter { $0.contains(".scope(") }.map { String(trimming($0)) }
  } planted: {
    ("Sources/ConsentService/Service/CopyHandlers.swift", "let scope = data.database.scope(id.tenant)\n")
  }

  static let shortEntries = ArchitectureRule(name: "an entry file fits on a screen") { file in
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
    return file.path.hasPrefix("Sources/") && file.code.contains("@main") && lines > 60 ? ["\(lines) lines"] : []
  } planted: {
    ("Sources/gateway/GatewayMain.swift", "@main struct Main {}\n" + String(repeating: "\n", count: 60))
  }

  static let smallFiles = ArchitectureRule(name: "a file written by hand has at most 400 lines") { file in
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
    return !file.isGenerated && lines > 401 ? ["\(lines) lines"] : []
  } planted: {
    ("Sources/Ink/Everything.swift", String(repeating: "\n", count: 401))
  }

  private init(
    name: String, violations: @escaping @Sendable (SourceFile) -> [String], planted: () -> (path: String, text: String)
  ) {
    self.name = name
    self.violations = violations
    self.planted = planted()
  }
}
