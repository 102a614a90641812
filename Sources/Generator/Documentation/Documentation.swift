/// The generated pages of docs/ as text: in api/ an index, a page for each service, and one for each package whose
/// services share types; besides, the table of permissions.
package struct Documentation {
  package let files: [Generation.File]

  package init(_ set: DescriptorSet, examples: [Example]) throws(GeneratorError) {
    let violations = ContractRules.violations(in: set)
    guard violations.isEmpty else {
      throw GeneratorError("proto/ breaks its rules:\n  \(violations.joined(separator: "\n  "))")
    }
    let contract = try Contract(set)
    let places = try TypePlaces(contract)
    let codes = StatusCodes(set)
    try Self.check(examples, against: contract)
    let words = PermissionWords(set)
    let page = ServicePage(contract: contract, places: places, codes: codes, words: words, examples: examples)
    let index = IndexPage(contract: contract, places: places, codes: codes)
    var pages = [TypePlaces.index: try index.text()]
    for file in contract.files {
      for service in file.services { pages[TypePlaces.page(of: service)] = try page.text(of: service, from: file) }
    }
    for name in places.sections.keys where pages[name] == nil {
      pages[name] = try Self.shared(name, contract, places)
    }
    let authorization = AuthorizationPage(contract: contract, words: words)
    files =
      pages.sorted { $0.key < $1.key }.map { Generation.File(path: "docs/api/\($0.key)", text: $0.value) }
      + [Generation.File(path: AuthorizationPage.path, text: try authorization.text())]
  }

  /// The page of types that several services use.
  private static func shared(
    _ page: String, _ contract: Contract, _ places: TypePlaces
  ) throws(GeneratorError) -> String {
    let package = page.dropLast(3)
    var out = MarkdownText()
    out.generatedHeader(from: "the files of \(package) in proto/")
    out.heading(1, "Types of \(package)")
    out.paragraph("Messages and enums that several services use.")
    try TypeSections(contract: contract, places: places, page: page).write(to: &out)
    return out.text
  }

  private static func check(_ examples: [Example], against contract: Contract) throws(GeneratorError) {
    let services = contract.files.flatMap(\.services)
    for example in examples {
      let service = services.first { $0.fullName == example.service }
      guard service?.methods.contains(where: { $0.name == example.method }) == true else {
        throw GeneratorError(
          "docs/api/examples/\(example.path).json: the contract has no such method")
      }
    }
  }
}
