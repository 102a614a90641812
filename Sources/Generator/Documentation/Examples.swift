internal import Base

/// The examples of docs/api/examples.
package enum Examples {
  /// Reads every example in a folder that has a folder for each service, each method's plain one first.
  package static func read(_ folder: String) throws -> [Example] {
    var examples: [Example] = []
    for service in try Files.names(in: folder) where service.contains(".") {
      for name in try Files.names(in: "\(folder)/\(service)") {
        let text = String(decoding: try Files.read("\(folder)/\(service)/\(name)"), as: UTF8.self)
        examples.append(try Example(path: "\(service)/\(name)", text: text))
      }
    }
    return examples.sorted { ($0.service, $0.method, $0.variant) < ($1.service, $1.method, $1.variant) }
  }
}
