// swift-tools-version: 6.2
import PackageDescription

/// The compiler settings of the package that is measured, so that its rules hold here too.
let house: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A part that `scripts/bench` can run: its folder is `Sources/<Name>Bench`.
///
/// - Parameter others: targets of this package that it uses besides BenchKit.
func part(_ name: String, _ products: [String], _ others: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: "\(name)Bench",
    dependencies: ["BenchKit"] + others + products.map { .product(name: $0, package: "assent") },
    swiftSettings: house)
}

let package = Package(
  name: "assent-benchmarks",
  dependencies: [.package(name: "assent", path: "..")],
  targets: [
    .target(name: "BenchKit", dependencies: [.product(name: "Base", package: "assent")], swiftSettings: house),
    part("Codec", ["Base", "Wire", "RPC", "Bus", "HealthContract", "InteropContract"]),
    part("Build", ["Base"]),
    part("Bus", ["Base", "Wire", "RPC", "Bus", "InteropContract"]),
    part("Http", ["Base", "Wire", "InteropContract"]),
    part("Storage", ["Base", "Storage"]),
    // What several parts have in common: a ConsentService and people who walk a flow.
    .target(
      name: "ConsentLoad",
      dependencies: ["BenchKit"]
        + ["Base", "Wire", "RPC", "Bus", "ConsentContract", "InteropContract"].map {
          .product(name: $0, package: "assent")
        },
      swiftSettings: house),
    // Traces of a service's statements, and the bare loops' data that are made from them.
    .target(name: "Replay", dependencies: [.product(name: "Base", package: "assent")], swiftSettings: house),
    part("Consent", ["Base", "Wire", "RPC", "Bus", "ConsentContract", "InteropContract"], ["ConsentLoad", "Replay"]),
    part(
      "Sync",
      [
        "Base", "Wire", "RPC", "Bus", "AccountContract", "ConsentContract", "InteropContract", "SignatureContract",
        "Tokens",
      ],
      ["ConsentLoad"]),
    part(
      "Calls",
      ["Base", "Wire", "RPC", "Bus", "ConsentContract", "SignatureContract", "Ink", "InkSamples"],
      ["ConsentLoad", "Replay"]),
    part("Sim", ["Base", "BusSimulator"]),
    .testTarget(
      name: "BenchKitTests", dependencies: ["BenchKit", .product(name: "Base", package: "assent")], swiftSettings: house
    ),
    .testTarget(name: "ReplayTests", dependencies: ["Replay"], swiftSettings: house),
    part("Ink", ["Base", "Ink", "InkSamples"]),
    part(
      "Pdf",
      ["Base", "Wire", "RPC", "Bus", "Ink", "InkSamples", "PDF", "Documents", "Sealing", "SignatureContract"]),
    part("Web", ["Base"]),
    part("Scale", ["Base", "Ink", "InkSamples", "Wire", "RPC", "Bus", "SignatureContract"]),
  ],
  swiftLanguageModes: [.v6]
)
