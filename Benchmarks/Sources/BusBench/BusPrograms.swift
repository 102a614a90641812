import Base
import BenchKit

/// The programs that are measured, built like this one.
enum BusPrograms {
  static let gateway = path("gateway")
  static let worker = path("InteropService")

  static func build() async throws {
    for product in ["gateway", "InteropService"] {
      let arguments = [
        "build", "-c", "release", "--package-path", Repository.path("Benchmarks"), "--scratch-path",
        Repository.path(".build/benchmarks"), "--product", product,
      ]
      var command = ChildCommand("swift", arguments)
      command.output = .discarded
      let exit = await (try ChildProcess.start(command)).wait()
      guard exit.isSuccess else { throw BusFailure("building \(product) \(exit)") }
    }
  }

  private static func path(_ product: String) -> String { Repository.path(".build/benchmarks/release/\(product)") }
}

/// Why there is nothing to measure.
struct BusFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
