// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled the same way: Swift 6, strict memory safety, and a warning is an error.
let house: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The code of the command line itself calls the libraries below it, which are optimised, and waits: to optimise it too
/// would take eight seconds of a core in each build.
let unoptimised: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-assert-config", "Release"], .when(configuration: .release))
]

/// What works on files and pictures byte by byte is optimised in debug builds, too: tests do so much of it that this
/// saves several times what it takes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func library(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house + settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: house + settings)
}

func testSupport(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: house)
}

func fuzz(_ name: String, _ dependencies: [Target.Dependency], in folder: String) -> Target {
  .target(name: name, dependencies: dependencies, path: "Fuzz/\(folder)", swiftSettings: house)
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency], in folder: String) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Fuzz/\(folder)", swiftSettings: house)
}

func tests(
  of name: String, _ dependencies: [Target.Dependency], in folder: String? = nil, _ settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(folder ?? "\(name)Tests")",
    swiftSettings: house + settings)
}

/// One proto package: protoc-c's structs, and on them the messages, clients and servers in Swift.
func contract(_ name: String, on below: [String] = []) -> [Target] {
  let (contracts, wires) = (below.map { "\($0)Contract" }, below.map { "C\($0)Wire" })
  return [
    .target(
      name: "C\(name)Wire", dependencies: ["CWire", "CProtobufC"] + wires.map { .init(stringLiteral: $0) },
      path: "Sources/CWire/\(name)"),
    .target(
      name: "\(name)Contract",
      dependencies: ["Wire", "RPC", "CProtobufC"] + (contracts + ["C\(name)Wire"]).map { .init(stringLiteral: $0) },
      path: "Sources/Contracts/\(name)", swiftSettings: house),
  ]
}

let contracts =
  ["Account", "Common", "Gateway", "Health", "Reflection"].flatMap { contract($0) }
  + ["Consent", "Signature"].flatMap { contract($0, on: ["Common"]) }

/// What runs in production, and all that it is made of.
let shipped: [Target] = [
  // C libraries, from Debian's packages (scripts/lib/packages names them).
  .systemLibrary(name: "CSystem"),
  .systemLibrary(name: "CSodium"),
  .systemLibrary(name: "CProtobufC"),
  .systemLibrary(name: "CZMQ"),
  .systemLibrary(name: "CSQLite"),
  .systemLibrary(name: "CPostgres", pkgConfig: "libpq"),
  .systemLibrary(name: "CDeflate"),
  .systemLibrary(name: "CExpat"),
  .systemLibrary(name: "CGumbo"),
  .systemLibrary(name: "CHarfBuzz"),
  .systemLibrary(name: "CMark"),
  .systemLibrary(name: "CSockets"),
  .systemLibrary(name: "CHTTP2"),
  .systemLibrary(name: "CCurl"),
  .systemLibrary(name: "COpenSSL"),
  .systemLibrary(name: "CText"),
  .systemLibrary(name: "CPKI"),
  .systemLibrary(name: "CTurboJPEG"),
  .systemLibrary(name: "CWebP"),
  // protoc-c's output for proto/, checked in, never edited.
  .target(name: "CWire", dependencies: ["CProtobufC"], path: "Sources/CWire/Google"),
  .target(name: "CBusWire", dependencies: ["CProtobufC"], path: "Sources/CWire/Bus"),
  // The descriptor set of proto/, in the program.
  .target(name: "CDescriptors", path: "Sources/CDescriptors"),

  // HTTP/1.1 as a machine without sockets.
  library("HTTP1", []),

  // Every program has it, and so every program is linked by lld, which comes with Swift: gold, which Swift calls
  // otherwise, takes two to four times as long.
  .target(
    name: "Base", dependencies: ["CSystem", "CSodium"], swiftSettings: house,
    linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  // Messages as Swift values, in binary and JSON.
  library("Wire", ["Base", "CWire", "CProtobufC"]),
  // Calls as handlers and callers see them, whichever transport carries them.
  library("RPC", ["Base", "Wire"]),
  // The bus: ZeroMQ's messages, the machines of clients, gateways and workers, and what hosts them.
  library("Bus", ["Base", "Wire", "RPC", "CBusWire", "CProtobufC", "CZMQ"]),
  library("ServiceKit", ["Base", "RPC", "Bus", "HTTP1", "CSystem"]),
  library("Storage", ["Base", "CSQLite", "CPostgres", "CSodium"]),
  // Why calls are refused, and the names that calls may carry, as code says it that knows no calls and no database.
  library("Refusals", ["Base", "Wire"]),
  // What all services' handlers have in common: callers, idempotent changes, pages, events, errors.
  library("ServicePolicy", ["Wire", "RPC", "Refusals", "CommonContract", "Storage"]),
  // Which services are there, as the gateways' health service tells.
  library("Presence", ["RPC", "Bus", "HealthContract"]),
  // What every service with a database can be told, by the same names.
  library("ServiceStorage", ["ServiceKit", "Storage"]),
  // Events, sent to servers of a tenant's own.
  library("Webhooks", ["Base", "Outgoing", "ServiceKit", "ServicePolicy", "Storage"]),
  // Access tokens: made by AccountService, verified at every door.
  library("Tokens", ["Base", "RPC"]),
  // ID tokens of outside issuers, verified.
  library("OpenID", ["Base", "Tokens", "Outgoing", "CPKI"]),
  // Files of pixels: JPEG and WebP, read whole and written.
  library("Pictures", ["CTurboJPEG", "CWebP"], optimised),
  library("Ink", ["Base", "Pictures", "CDeflate", "CExpat"], optimised),
  // Names as letters.
  library("Typesetting", ["Base", "Ink", "CHarfBuzz"]),
  // Text as it is compared: without case and accents, in every script.
  library("TextFolding", ["CHarfBuzz"]),

  // Files that are archived, read aloud and sealed: PDF/A and PDF/UA.
  library("PDF", ["Base", "CDeflate", "CText"], optimised),

  // Consent documents as laid-out pages.
  library("Documents", ["Base", "PDF", "CText"], optimised),

  // Signatures in files: made, extended, verified.
  library("Sealing", ["Base", "PDF", "CPKI", "CExpat"], optimised),

  // What the doors of all protocols besides the bus's own have in common: methods, callers, limits.
  library(
    "Face",
    [
      "Base", "Wire", "RPC", "Bus", "AccountContract", "Tokens", "ServiceKit", "CDescriptors", "CDeflate", "CSockets",
      "CSodium", "CSystem",
    ]),

  // HTTP/2 as a machine without sockets.
  library("HTTP2", ["Base", "CHTTP2"]),

  // The one way out: requests to servers of others, under a policy of where they may go.
  library("Outgoing", ["Base", "CCurl"]),

  // Time stamps and revocations from those who publish them, over HTTP.
  library("Authorities", ["Base", "Outgoing", "Sealing"]),

  // The door of HTTP/1.1 and HTTP/2, with gRPC, gRPC-Web, Connect, files and pages.
  library(
    "HTTPFace",
    ["Base", "Wire", "RPC", "Bus", "Face", "HTTP1", "HTTP2", "ServiceKit", "CSystem", "COpenSSL"]),

  program(
    "gateway",
    [
      "Base", "Wire", "RPC", "Bus", "Face", "HTTPFace", "GatewayContract", "HealthContract",
      "ReflectionContract", "Outgoing", "ServiceKit",
    ]),
  // Consent as values: documents, flows, records and exports, without a bus, a database or a clock.
  library(
    "ConsentDomain",
    [
      "Base", "Wire", "CommonContract", "ConsentContract", "Refusals", "PDF", "Pictures", "TextFolding", "CGumbo",
      "CMark",
    ]),
  program(
    "ConsentService",
    [
      "Base", "Wire", "RPC", "Bus", "AccountContract", "ConsentContract", "ConsentDomain", "SignatureContract",
      "ServiceKit", "ServicePolicy", "Storage", "ServiceStorage", "Sealing", "PDF", "Webhooks", "Presence",
    ]),
  program(
    "SignatureService",
    [
      "Base", "Wire", "RPC", "Bus", "SignatureContract", "ServiceKit", "ServicePolicy", "Storage", "ServiceStorage",
      "Ink", "Typesetting", "Pictures", "PDF", "Documents", "Sealing", "Authorities", "Outgoing",
    ]),
  program(
    "AccountService",
    [
      "Base", "Wire", "RPC", "Bus", "Tokens", "OpenID", "Outgoing", "AccountContract", "CommonContract",
      "ConsentContract", "SignatureContract", "ServiceKit", "ServicePolicy", "Storage", "ServiceStorage",
      "TextFolding", "CSodium",
    ]),
  program(
    "assent",
    [
      "Base", "Wire", "RPC", "Bus", "Face", "Tokens", "Outgoing", "AccountContract", "ConsentContract",
      "SignatureContract", "GatewayContract", "ServiceKit", "Storage", "ServiceStorage", "Ink", "Typesetting",
      "Documents", "Sealing", "Webhooks",
    ], unoptimised),
]

/// What developers need besides: the generator, the simulator, fuzzers, tests.
let development: [Target] = [
  .systemLibrary(name: "CFuzzer"),
  // The bus in virtual time, for tests and long searches.
  library("BusSimulator", ["Base", "RPC", "Bus"]),
  // Signatures made up from fixed numbers, for tests, figures and pictures.
  library("InkSamples", ["Base", "Ink"], optimised),
  library("Generator", ["Base"]),
  program("assent-generate", ["Generator", "Base"]),

  // The targets of libFuzzer: scripts/fuzz.
  fuzz("FuzzKit", ["Base"], in: "Kit"),
  fuzz(
    "CodecFuzzTargets", ["Wire", "RPC", "Bus", "ConsentContract", "InteropContract", "SignatureContract", "FuzzKit"],
    in: "CodecTargets"),
  fuzz("InkFuzzTargets", ["Ink", "InkSamples", "FuzzKit"], in: "InkTargets"),
  fuzz("HTTPFuzzTargets", ["Base", "RPC", "Bus", "Face", "HTTPFace", "FuzzKit"], in: "HTTPTargets"),
  fuzz("PDFFuzzTargets", ["PDF", "Sealing", "Base", "FuzzKit"], in: "PDFTargets"),
  fuzz("MarkupFuzzTargets", ["ConsentDomain", "FuzzKit"], in: "MarkupTargets"),
  fuzzer("markup-fuzz", ["MarkupFuzzTargets", "FuzzKit", "CFuzzer"], in: "MarkupRunner"),
  fuzz("TokenFuzzTargets", ["Tokens", "OpenID", "Base", "FuzzKit"], in: "TokenTargets"),
  fuzzer("token-fuzz", ["TokenFuzzTargets", "FuzzKit", "CFuzzer"], in: "TokenRunner"),
  fuzz("PictureFuzzTargets", ["Ink", "PDF", "Pictures", "FuzzKit"], in: "PictureTargets"),
  fuzzer("picture-fuzz", ["PictureFuzzTargets", "FuzzKit", "CFuzzer"], in: "PictureRunner"),
  fuzzer("pdf-fuzz", ["PDFFuzzTargets", "FuzzKit", "CFuzzer"], in: "PDFRunner"),
  fuzz("HTTP2FuzzTargets", ["Base", "RPC", "Bus", "Face", "HTTPFace", "FuzzKit"], in: "HTTP2Targets"),
  fuzzer("http2-fuzz", ["HTTP2FuzzTargets", "FuzzKit", "CFuzzer"], in: "HTTP2Runner"),
  fuzzer("http-fuzz", ["HTTPFuzzTargets", "FuzzKit", "CFuzzer"], in: "HTTPRunner"),
  fuzzer("codec-fuzz", ["CodecFuzzTargets", "FuzzKit", "CFuzzer"], in: "CodecRunner"),
  fuzzer("ink-fuzz", ["InkFuzzTargets", "FuzzKit", "CFuzzer"], in: "InkRunner"),

  // What tests of several targets share.
  testSupport("TestSupport", ["Base", "Outgoing"]),
  // The rules of files that are archived and read aloud.
  testSupport("ArchiveKit", ["PDF"]),
  tests(of: "Base", ["Base"]),
  // What tests of both doors say in AccountService's place.
  testSupport("FaceTestKit", ["Face"]),
  // Who may do what, as tests read it from the contract.
  testSupport("AuthorityKit", ["RPC", "Generator", "Base", "TestSupport"]),
  // gRPC's interoperability cases, for tests over every transport.
  testSupport("InteropCases", ["Wire", "RPC", "InteropContract"]),
  tests(
    of: "Wire",
    [
      "Wire", "Base", "ConsentContract", "GatewayContract", "HealthContract", "InteropContract", "SignatureContract",
      "TestSupport", "CodecFuzzTargets",
    ]),
  tests(
    of: "Bus",
    [
      "Bus", "RPC", "Wire", "Base", "HealthContract", "InteropContract", "Interop", "InteropCases", "BusSimulator",
      "TestSupport",
    ]),
  tests(
    of: "Face",
    [
      "Face", "HTTPFace", "AccountContract", "Tokens", "Wire", "RPC", "Bus", "Base", "ConsentContract",
      "GatewayContract", "HealthContract", "InteropContract", "Interop", "ServiceKit", "SignatureContract",
      "HTTPFuzzTargets", "FaceTestKit", "TestSupport",
    ]),
  tests(
    of: "HTTPFace",
    [
      "HTTPFace", "HTTP1", "HTTP2", "CHTTP2", "COpenSSL", "HTTP2FuzzTargets", "Face", "Wire", "RPC", "Bus", "Base",
      "Interop",
      "InteropContract", "ServiceKit", "FaceTestKit", "TestSupport",
    ]),
  tests(of: "Outgoing", ["Outgoing", "Base", "TestSupport"]),
  tests(of: "gateway", ["gateway", "ServiceKit", "Face", "Bus", "Base", "GatewayContract", "RPC", "Wire"]),
  tests(of: "ServiceKit", ["ServiceKit", "RPC", "Bus", "Base", "Interop", "InteropContract", "TestSupport"]),
  // Databases for tests, on both engines.
  .target(
    name: "StorageTestKit", dependencies: ["Storage", "Base"], path: "Tests/StorageTestKit", swiftSettings: house),
  // Writes until it is killed, for tests that count what is left.
  .executableTarget(
    name: "StorageHammer", dependencies: ["Storage", "StorageTestKit", "Base"], path: "Tests/StorageHammer",
    swiftSettings: house),
  tests(
    of: "Storage",
    ["Storage", "StorageTestKit", "StorageHammer", "ServiceKit", "ServiceStorage", "TestSupport", "Base"]),
  tests(of: "Pictures", ["Pictures", "PictureFuzzTargets", "Base", "TestSupport"]),
  tests(
    of: "Ink",
    ["Ink", "InkSamples", "InkFuzzTargets", "Pictures", "Typesetting", "Base", "TestSupport", "CDeflate"], optimised),
  tests(of: "Typesetting", ["Typesetting", "Ink", "Base"]),
  tests(of: "PDF", ["PDF", "Pictures", "Base", "TestSupport"]),
  tests(of: "Documents", ["Documents", "PDF", "Ink", "InkSamples", "Base", "ArchiveKit", "TestSupport"]),
  tests(of: "Sealing", ["Sealing", "Documents", "PDF", "Base", "ArchiveKit", "TestSupport", "PDFFuzzTargets"]),
  tests(
    of: "Authorities", ["Authorities", "Sealing", "Outgoing", "Documents", "PDF", "Base", "TestSupport"]),
  tests(of: "Generator", ["Generator", "Base", "TestSupport"]),
  tests(
    of: "ServicePolicy",
    [
      "ServicePolicy", "CommonContract", "InteropContract", "Storage", "StorageTestKit", "Wire", "RPC", "Bus", "Base",
      "TestSupport",
    ], in: "ServiceTests/Policy"),
  tests(
    of: "ConsentService",
    [
      "ConsentService", "ConsentDomain", "SignatureService", "AccountContract", "CommonContract", "ConsentContract",
      "SignatureContract", "ServiceKit", "ServicePolicy", "Storage", "StorageTestKit", "Typesetting", "Pictures",
      "Documents", "Sealing", "Wire", "RPC", "Bus", "Base", "ArchiveKit", "AuthorityKit", "TestSupport", "Webhooks",
      "Outgoing", "Authorities", "Face", "FaceTestKit", "HTTPFace", "Tokens", "GatewayContract", "PDF",
      "MarkupFuzzTargets",
    ], in: "ServiceTests/Consent"),
  tests(
    of: "SignatureService",
    [
      "SignatureService", "CommonContract", "SignatureContract", "ServiceKit", "ServicePolicy", "Storage",
      "StorageTestKit", "Ink", "InkSamples", "Pictures", "Typesetting", "Documents", "Sealing", "Wire", "RPC", "Bus",
      "Base", "AuthorityKit", "TestSupport",
    ], in: "ServiceTests/Signature"),
  tests(of: "Tokens", ["Tokens", "RPC", "Base"]),
  tests(of: "OpenID", ["OpenID", "Outgoing", "Base", "TestSupport", "TokenFuzzTargets"]),
  tests(
    of: "AccountService",
    [
      "AccountService", "AccountContract", "CommonContract", "ConsentContract", "SignatureContract", "ServicePolicy",
      "Storage", "StorageTestKit", "Tokens", "OpenID", "Outgoing", "Face", "Wire", "RPC", "Bus", "Base", "TestSupport",
      "TextFolding",
    ], in: "ServiceTests/Account"),
  // Real processes, started by the tests.
  tests(
    of: "System",
    [
      "ServiceKit", "Presence", "Storage", "StorageTestKit", "Wire", "RPC", "Bus", "AccountContract", "ConsentContract",
      "GatewayContract", "HealthContract", "InteropContract", "SignatureContract", "Sealing", "Base", "Interop",
      "InteropCases", "TestSupport",
    ]),
  // Rules about the sources themselves: layout, imports, freshness of what is generated.
  tests(of: "Repository", ["Generator", "Base", "TestSupport"]),
]

/// gRPC's interoperability cases, which no program that ships serves: for tests, and to try clients with.
let interop: [Target] =
  contract("Interop") + [
    library("Interop", ["Base", "Wire", "RPC", "InteropContract"]),
    program("InteropService", ["Base", "RPC", "Bus", "ServiceKit", "Interop"]),
  ]

let shippedProducts: [Product] = [
  .library(name: "Base", targets: ["Base"]),
  .library(name: "Wire", targets: ["Wire"]),
  .library(name: "RPC", targets: ["RPC"]),
  .library(name: "Bus", targets: ["Bus"]),
  .library(name: "AccountContract", targets: ["AccountContract"]),
  .library(name: "ConsentContract", targets: ["ConsentContract"]),
  .library(name: "HealthContract", targets: ["HealthContract"]),
  .library(name: "SignatureContract", targets: ["SignatureContract"]),
  .library(name: "ServiceKit", targets: ["ServiceKit"]),
  .library(name: "Storage", targets: ["Storage"]),
  .library(name: "Ink", targets: ["Ink"]),
  .executable(name: "gateway", targets: ["gateway"]),
  .executable(name: "ConsentService", targets: ["ConsentService"]),
  .executable(name: "SignatureService", targets: ["SignatureService"]),
  .executable(name: "AccountService", targets: ["AccountService"]),
  .executable(name: "assent", targets: ["assent"]),
]

let interopProducts: [Product] = [
  .library(name: "InteropContract", targets: ["InteropContract"]),
  .executable(name: "InteropService", targets: ["InteropService"]),
]

let developmentProducts: [Product] = [
  .library(name: "BusSimulator", targets: ["BusSimulator"]),
  .library(name: "InkSamples", targets: ["InkSamples"]),
  .library(name: "PDF", targets: ["PDF"]),
  .library(name: "Documents", targets: ["Documents"]),
  .library(name: "Sealing", targets: ["Sealing"]),
  .library(name: "Tokens", targets: ["Tokens"]),
  .executable(name: "assent-generate", targets: ["assent-generate"]),
]

/// scripts/run and images build what they start, and nothing else: what ships or, for `developer`, InteropService too.
let build = Context.environment["ASSENT_BUILD"]
let hasInterop = build != "shipped"
let hasDevelopment = hasInterop && build != "developer"

let package = Package(
  name: "assent",
  products: shippedProducts + (hasInterop ? interopProducts : []) + (hasDevelopment ? developmentProducts : []),
  targets: contracts + shipped + (hasInterop ? interop : []) + (hasDevelopment ? development : []),
  swiftLanguageModes: [.v6]
)
