/// The modules that a proto package becomes: Swift values and calls, and protoc-c's structs under them.
///
/// Each package has modules of its own, so that a change in one service's contract recompiles that service and no
/// other.
package struct ContractModule: Equatable {
  /// Such as `ConsentContract`.
  package let name: String
  /// Such as `CConsentWire`.
  package let cName: String
  /// The folder of the Swift sources, such as `Sources/Contracts/Consent`.
  package let folder: String
  /// The folder of protoc-c's sources, such as `Sources/CWire/Consent`.
  package let cFolder: String

  /// Protobuf's own types, which every contract may use.
  static let wire = ContractModule(ofPackage: "google.protobuf")

  /// `assent.consent.v1` → `ConsentContract`.
  package init(ofPackage package: String) {
    if package == "google.protobuf" {
      (name, cName, folder, cFolder) = ("Wire", "CWire", "Sources/Wire", "Sources/CWire/Google")
      return
    }
    let words = package.split(separator: ".")
    let word = words.dropLast().last ?? words.last ?? ""
    let title = word.prefix(1).uppercased() + word.dropFirst()
    name = "\(title)Contract"
    cName = "C\(title)Wire"
    folder = "Sources/Contracts/\(title)"
    cFolder = "Sources/CWire/\(title)"
  }
}

extension Contract {
  /// The modules, besides Wire and the file's own, whose types a proto file names.
  func modules(usedBy file: FileDescriptor) -> [ContractModule] {
    let own = ContractModule(ofPackage: file.package)
    let packages = Set(files.filter { file.dependencies.contains($0.name) }.map(\.package))
    return packages.sorted().map { ContractModule(ofPackage: $0) }.filter { $0 != own && $0 != .wire }
  }
}
