internal import Base

/// The examples of docs/api/examples.
package enum Examples {
  /// Reads every example of a folder that has a folder for each service, in the order in which they are called.
  package static func read(_ folder: String) throws -> [Example] {
    var examples: [Example] = []
    for service in try Files.names(in: folder) where service.contains(".") {
      for name in try Files.names(in: "\(folder)/\(service)") {
        let text = String(decoding: try Files.read("\(folder)/\(service)/\(name)"), as: UTF8.self)
        examples.append(try Example(path: "\(service)/\(name)", text: text))
      }
    }
    let order = Dictionary(try self.order(in: folder).enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    return examples.sorted { left, right in
      (order[left.path] ?? .max, left.path) < (order[right.path] ?? .max, right.path)
    }
  }

  /// The paths of the examples, without their suffix, in the order in which they are called.
  package static func order(in folder: String) throws -> [String] {
    let lines = String(decoding: try Files.read("\(folder)/order"), as: UTF8.self).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.map(String.init)
  }
}
