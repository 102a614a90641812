internal import Base
internal import Generator
package import RPC
internal import TestSupport

/// The options `assent.errors` as the descriptor set has them: which codes a method says that it answers with.
package struct StatedErrors {
  /// By `Service/Method`.
  private let codes: [String: Set<Int>]

  package init() throws {
    let set = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    var codes: [String: Set<Int>] = [:]
    for service in set.files.flatMap(\.services) {
      for method in service.methods { codes["\(service.name)/\(method.name)"] = Set(method.errors.map(\.code)) }
    }
    self.codes = codes
  }

  /// How a method answered, if it may not by the contract: some codes any method may answer with, others only one that
  /// says when. nil where it may.
  package func misfit(_ status: Status, of method: String) -> String? {
    let number = Int(status.code.rawValue)
    if StatusCodes.ofEveryMethod.contains(number) || codes[method]?.contains(number) == true { return nil }
    return "\(method): \(status.code), \(status.message.prefix { $0 != ":" })"
  }
}
