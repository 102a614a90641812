import Base
import Generator
import TestSupport
import Testing

/// docs/api/examples against the contract. SystemTests check whether the answers are as written.
@Suite("The examples of docs/api") struct ExampleTests {
  private static let folder = Repository.path("docs/api/examples")

  @Test("every method has one")
  func completeness() throws {
    let examples = try Examples.read(Self.folder)
    let named = Set(examples.filter(\.variant.isEmpty).map { "\($0.service)/\($0.method)" })
    let set = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    for service in set.files.flatMap(\.services) {
      for method in service.methods {
        let name = "\(service.fullName)/\(method.name)"
        let hasExample = named.contains(name)
        #expect(hasExample, "docs/api/examples/\(name).json is missing")
      }
    }
  }

  @Test("each is called once, in the recorded order")
  func order() throws {
    let called = try Examples.order(in: Self.folder)
    #expect(called.sorted() == (try Examples.read(Self.folder).map(\.path).sorted()))
  }
}
