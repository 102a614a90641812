import Base
internal import Bus
import RPC
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct BusSettingsTests {
  private func read(_ door: BusSettings.Door, _ words: [String]) throws -> Settings<BusSettings> {
    let reader = SettingsReader.withoutFiles
    guard case .run(let settings) = try reader.read(BusSettings(door), words) else { throw SettingsError("nothing") }
    return settings
  }

  @Test("without a named door, the bus is in the private folder")
  func folder() throws {
    let services = try read(.services, ["--bus-folder", "/run/assent"])
    #expect(try services.group.endpoints(services).map(\.description) == ["ipc:///run/assent/services"])
    let clients = try read(.clients, [])
    let path = try Files.absolutePath("data/bus/clients")
    #expect(try clients.group.endpoints(clients).map(\.description) == ["ipc://\(path)"])
  }

  @Test("the sockets of each gateway are where the golden vectors have them")
  func addresses() throws {
    let text = String(decoding: try Files.read(Repository.path("clients/vectors/keys.json")), as: UTF8.self)
    let vectors = JSONValue(parsing: text)["addresses"].list
    #expect(vectors.compactMap { $0["gateways"].number } == [1, 3])
    for vector in vectors {
      for door in [BusSettings.Door.clients, .services] {
        let sockets = try (1...(vector["gateways"].number ?? 1)).map { number in
          let folder = BusSettings.folder(ofGateway: number, in: vector["data"].text ?? "")
          return try BusSettings.socket(door, in: folder).description
        }
        #expect(sockets == vector[door.rawValue].list.compactMap(\.text))
      }
    }
  }

  @Test("named doors are used as given, and a process knows only the door that is meant for it")
  func named() throws {
    let settings = try read(.services, ["--services-door", "tcp://one:5571,tcp://[::1]:5571"])
    #expect(try settings.group.endpoints(settings).map(\.description) == ["tcp://one:5571", "tcp://[::1]:5571"])
    #expect(throws: SettingsError.self) { try read(.services, ["--clients-door", "tcp://one:5570"]) }
  }

  @Test("a malformed endpoint or key is refused with an example of a right one")
  func refusals() throws {
    let endpoint = #expect(throws: SettingsError.self) { try read(.clients, ["--clients-door", "gateway:5570"]) }
    #expect(
      endpoint?.description == "--clients-door is 'gateway:5570'; it must be tcp://HOST:PORT or ipc:///PATH")
    let key = #expect(throws: SettingsError.self) { try read(.clients, ["--gateway-key", "abc"]) }
    #expect(key?.description == "--gateway-key is 'abc'; it must be a key of 40 characters of Z85")
  }
}
