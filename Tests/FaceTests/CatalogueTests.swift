import ConsentContract
import Face
import InteropContract
import RPC
import Testing
import Wire

@Suite struct CatalogueTests {
  private let catalogue: Catalogue

  init() throws {
    catalogue = try Catalogue.builtIn()
  }

  @Test("it states each method as the generated code does", arguments: [InteropServiceMethods.service])
  func sameMethods(service: ServiceDescriptor) throws {
    for method in service.methods {
      let found = try #require(catalogue.method(method.path)?.descriptor)
      #expect(found == method)
    }
  }

  @Test(
    "an unknown method is named with the nearest one",
    arguments: [
      ("/assent.interop.v1.InteropService/EmptyCal", "did you mean 'EmptyCall'?"),
      ("/assent.interop.v1.InteropServise/EmptyCall", "did you mean 'assent.interop.v1.InteropService'?"),
      ("/assent.interop.v1.InteropService", "is no path of a method"),
      ("/x/y", "there is no service 'x'"),
    ])
  func unknown(path: String, words: String) {
    let status = catalogue.unknownMethod(path)
    #expect(status.code == .unimplemented)
    #expect(status.message.contains(words), "\(status.message)")
  }

  @Test("JSON becomes the bytes that the generated type encodes, and back")
  func transcoding() throws {
    let type = try #require(catalogue.type("assent.interop.v1.MixedMessage"))
    for message in [MixedMessage(), Self.full] {
      let json = try message.json()
      let bytes = try type.binary(fromJSON: json.span)
      #expect(try MixedMessage(decoding: bytes) == message)
      let encoded = try message.encoded()
      let again = try type.json(fromBinary: encoded.span)
      #expect(again == json)
    }
  }

  /// Something in every field.
  private static var full: MixedMessage {
    var message = MixedMessage()
    message.id = "a"
    message.title = "Ä \"quoted\" \u{1F58B}"
    message.digest = [0, 1, 254, 255]
    message.kind = MixedKind(number: 2)
    message.revision = .min
    message.pages = .max
    message.offset = -5
    message.session = .max
    message.share = 0.1
    message.active = true
    message.createdAt = Timestamp(seconds: 1_700_000_000, nanos: 5_000_000)
    message.validity = ProtobufDuration(seconds: -3, nanos: -500_000_000)
    message.roles = ["", "nurse"]
    message.marks = [-1, 0, 1]
    message.values = (0..<100).map { Double($0) / 3 }
    var item = MixedMessage.Item()
    item.title = "inner"
    item.position = MixedMessage.Point(x: 1.5, y: -2, timeMs: -7)
    message.items = [item, MixedMessage.Item()]
    message.cover = item
    message.notes = ["de": "ja", "en": ""]
    message.owner = .group(7)
    return message
  }

  @Test("a mistake in JSON is named with its position")
  func mistakes() throws {
    let type = try #require(catalogue.type("assent.interop.v1.UnaryCallRequest"))
    let text = Array("{\n  \"responseSize\": 3,\n  \"colour\": 1 }".utf8)
    do throws(CodecError) {
      _ = try type.binary(fromJSON: text.span)
      Issue.record("an unknown field was accepted")
    } catch {
      #expect(error.code == .unknownName)
      #expect("\(error)".contains("line 3"))
      #expect("\(error)".contains("'colour'"))
    }
  }

  @Test("every type of the contract can be transcoded")
  func everyType() throws {
    for method in catalogue.allMethods {
      for type in [method.input, method.output] {
        // Times and durations have a form of their own, and no method takes one bare.
        let nothing = Array("{}".utf8)
        let bytes = try type.binary(fromJSON: nothing.span)
        #expect(bytes.isEmpty, "\(type.name)")
        let json = try type.json(fromBinary: bytes.span)
        #expect(json == nothing, "\(type.name)")
      }
    }
  }
}
