/// Everything that is generated from one descriptor set, as text, so that a test can look at it.
package struct Generation {
  /// A file to write.
  package struct File: Equatable {
    /// From the repository's root, such as `Sources/Contracts/Health/Generated/GrpcHealthV1Health.swift`.
    package let path: String
    package let text: String
  }

  /// Values that handlers and callers use.
  package let values: [File]
  /// Conversions that only the codec uses.
  package let conversions: [File]

  package init(_ contract: Contract) throws(GeneratorError) {
    var values: [File] = []
    var conversions: [File] = []
    for file in contract.files {
      let name = Self.swiftFileName(of: file.name)
      let folder = ContractModule(ofPackage: file.package).folder
      let value = try ValueOutput(contract: contract).source(of: file)
      values.append(File(path: "\(folder)/Generated/\(name).swift", text: value))
      if file.messages.isEmpty { continue }
      let source = try ConversionOutput(contract: contract).source(of: file)
      conversions.append(File(path: "\(folder)/Native/Generated/\(name)Conversions.swift", text: source))
    }
    self.values = values
    self.conversions = conversions
  }

  /// `assent/bus/v1/envelope.proto` → `BusV1Envelope`. File names are unique in a Swift module, so they carry the
  /// package.
  static func swiftFileName(of protoFile: String) -> String {
    let bare = protoFile.hasSuffix(".proto") ? String(protoFile.dropLast(6)) : protoFile
    let words = bare.split { $0 == "/" || $0 == "_" }.drop { $0 == "assent" }
    return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
