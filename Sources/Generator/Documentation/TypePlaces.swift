/// Where docs/api describes each type: requests and responses with their methods, other types that one service uses on
/// its page, those that several use on a page of their package.
struct TypePlaces {
  /// A heading on a page.
  struct Place: Equatable {
    let page: String
    let anchor: String
  }

  /// The page of what all services have in common.
  static let index = "README.md"

  private let contract: Contract
  private var packages: [String: String] = [:]
  private var places: [String: Place] = [:]
  /// Types that have sections of their own, by page, in the order in which a reader meets them.
  private(set) var sections: [String: [String]] = [:]

  init(_ contract: Contract) throws(GeneratorError) {
    self.contract = contract
    for file in contract.files {
      for type in file.enums { packages[type.fullName] = file.package }
      for type in file.messages { learn(type, package: file.package) }
    }
    let services = contract.files.flatMap(\.services)
    for service in services {
      for method in service.methods {
        let place = Place(page: Self.page(of: service), anchor: MarkdownText.anchor(of: method.name))
        for type in [method.inputType, method.outputType] where places[type] == nil { places[type] = place }
      }
    }
    try placeSections(of: services)
  }

  static func page(of service: ServiceType) -> String { "\(service.fullName).md" }

  /// The name of a type without its package: `MixedMessage.Item`.
  func shortName(of type: String) -> String {
    packages[type].map { String(type.dropFirst($0.count + 1)) } ?? type
  }

  /// The title of a type's section.
  func heading(of type: String) throws(GeneratorError) -> String {
    switch try contract.type(named: type).declaration {
    case .message: "Message \(shortName(of: type))"
    case .enum: "Enum \(shortName(of: type))"
    }
  }

  /// A type's name with a link to its description.
  func link(to type: String, from page: String) throws(GeneratorError) -> String {
    guard let place = places[type] else { throw GeneratorError("docs/api has no place for \(type)") }
    return "[\(shortName(of: type))](\(place.page == page ? "" : place.page)#\(place.anchor))"
  }

  private mutating func learn(_ type: MessageType, package: String) {
    packages[type.fullName] = package
    for nested in type.enums { packages[nested.fullName] = package }
    for nested in type.messages { learn(nested, package: package) }
  }

  private mutating func placeSections(of services: [ServiceType]) throws(GeneratorError) {
    var order: [String] = []
    var pages: [String: Set<String>] = [:]
    for service in services {
      var walk = TypeWalk(contract: contract)
      for method in service.methods {
        for type in [method.inputType, method.outputType] + method.errors.map(\.detail) where !type.isEmpty {
          try walk.visit(type)
        }
      }
      for type in walk.found where places[type] == nil {
        if pages[type] == nil { order.append(type) }
        pages[type, default: []].insert(Self.page(of: service))
      }
    }
    for type in order {
      let package = packages[type] ?? ""
      guard package != "google.protobuf" else {
        places[type] = Place(page: Self.index, anchor: "values")
        continue
      }
      let users = pages[type] ?? []
      let page = users.count == 1 ? users.first ?? "" : "\(package).md"
      places[type] = Place(page: page, anchor: MarkdownText.anchor(of: try heading(of: type)))
      sections[page, default: []].append(type)
    }
  }
}

/// Collects a type and all types that its fields name, in the order in which a reader meets them.
private struct TypeWalk {
  let contract: Contract
  private(set) var found: [String] = []
  private var seen: Set<String> = []

  init(contract: Contract) {
    self.contract = contract
  }

  mutating func visit(_ name: String) throws(GeneratorError) {
    guard seen.insert(name).inserted else { return }
    guard case .message(let type) = try contract.type(named: name).declaration else {
      found.append(name)
      return
    }
    if !type.isMapEntry { found.append(name) }
    for field in type.fields where !field.typeName.isEmpty { try visit(field.typeName) }
  }
}
