import Storage

/// One way to alter a bundle, and the kind of problem that both verifiers must see.
struct BundleAlteration: Sendable {
  let name: String
  let kind: EvidenceProblem.Kind
  let change: @Sendable (String) -> String

  private init(_ name: String, _ kind: EvidenceProblem.Kind, _ change: @escaping @Sendable (String) -> String) {
    (self.name, self.kind, self.change) = (name, kind, change)
  }

  /// Exchanges the first letter after a marker, in its `occurrence`-th place, for another one.
  private static func flip(_ marker: String, _ occurrence: Int = 0) -> @Sendable (String) -> String {
    { json in
      var rest = json[...]
      for _ in 0..<occurrence { rest = rest.range(of: marker).map { rest[$0.upperBound...] } ?? rest }
      guard let place = rest.range(of: marker)?.upperBound else { return json }
      return json.replacingCharacters(at: place, with: json[place] == "0" ? "1" : "0")
    }
  }

  private static func swap(_ old: String, _ new: String) -> @Sendable (String) -> String {
    { json in json.range(of: old).map { json.replacingSubrange($0, with: new) } ?? json }
  }

  /// Takes the first element of a list away: `"name":[{…},…`.
  private static func dropping(_ name: String) -> @Sendable (String) -> String {
    { json in
      guard let list = json.range(of: "\"\(name)\":[{"), let end = json[list.upperBound...].range(of: "},{") else {
        return json
      }
      return String(json[..<list.upperBound]) + String(json[end.upperBound...])
    }
  }

  private static func doubling(_ name: String) -> @Sendable (String) -> String {
    { json in
      guard let list = json.range(of: "\"\(name)\":[{"), let end = json[list.upperBound...].range(of: "},{") else {
        return json
      }
      let first = json[list.upperBound..<end.lowerBound]
      return String(json[..<list.upperBound]) + first + "},{" + json[list.upperBound...]
    }
  }

  /// Empties the first value after a marker up to a closing letter.
  private static func cut(_ marker: String, _ end: String, _ new: String) -> @Sendable (String) -> String {
    { json in
      guard let start = json.range(of: marker), let stop = json[start.upperBound...].range(of: end) else { return json }
      return String(json[..<start.upperBound]) + new + json[stop.lowerBound...]
    }
  }

  /// Adds a member that means nothing.
  private static func more(_ value: String) -> @Sendable (String) -> String {
    swap("{\"format\"", "{\"more\":{\"x\":\(value)},\"format\"")
  }

  private static let unopened: @Sendable (String) -> String = { json in
    cut("\"salt\":", "}", "null,\"value\":null")(json)
  }

  static let list: [BundleAlteration] = heads + events + contents + forms

  private static let heads = [
    BundleAlteration("another log's head", .origin, flip("\"origin\":\"")),
    BundleAlteration(
      "a name that writes a verdict", .origin, cut("\"origin\":\"", "\"", "\\u001b[2K\\r✓ valid\\n✓ valid")),
    BundleAlteration("a name that looks the same", .origin) { json in
      guard let name = json.range(of: "\"origin\":\"") else { return json }
      return String(json[..<name.upperBound]) + "\\u212A" + json[name.upperBound...]
    },
    BundleAlteration("another tenant", .origin, swap("\"tenant\":\"a\"", "\"tenant\":\"b\"")),
    BundleAlteration("the head's root", .signature, flip("/a\\n17\\n")),
    BundleAlteration("the head's size", .signature, swap("\\n17\\n", "\\n16\\n")),
    BundleAlteration("the head's size with a zero", .checkpoint, swap("\\n17\\n", "\\n017\\n")),
    BundleAlteration("the head unsigned", .checkpoint, cut("\\n\\n", "\"", "")),
    BundleAlteration("no head", .checkpoint, cut("\"checkpoint\":\"", "\"", "")),
    BundleAlteration("the signature's key", .signature, swap("\\n\\n— test/", "\\n\\n— best/")),
    BundleAlteration("a second signature that does not hold", .signature) { json in
      guard let start = json.range(of: "\\n\\n"), let end = json[start.upperBound...].range(of: "\\n\"")
      else {
        return json
      }
      let line = String(json[start.upperBound..<end.lowerBound])
      let spoilt = line.replacingCharacters(at: line.index(line.endIndex, offsetBy: -8), with: "A")
        .replacingCharacters(at: line.index(line.endIndex, offsetBy: -12), with: "B")
      return String(json[..<end.lowerBound]) + "\\n" + spoilt + json[end.lowerBound...]
    },
    BundleAlteration("the statement's hash", .signature, flip("#shown\\n17\\n")),
    BundleAlteration("the statement's name", .origin, swap("#shown\\n17\\n", "#rows\\n17\\n")),
    BundleAlteration("the statement's time", .incomplete, flip("\"shown_at_ms\":1")),
    BundleAlteration("no statement", .checkpoint, cut("\"shown\":\"", "\"", "")),
    BundleAlteration("the earlier head", .signature, flip("/a\\n10\\n")),
    BundleAlteration("the earlier head's proof", .consistency) { json in
      json.range(of: "\"earlier\":[").map { start in
        String(json[..<start.upperBound]) + flip("\"proof\":[\"")(String(json[start.upperBound...]))
      } ?? json
    },
    BundleAlteration("the earlier head without proof", .consistency, cut("\"proof\":[", "]", "")),
  ]

  private static let events = [
    BundleAlteration("an event's number", .inclusion, swap("\"sequence\":2,", "\"sequence\":4,")),
    BundleAlteration("an event's number below one", .inclusion, swap("\"sequence\":2,", "\"sequence\":-2,")),
    BundleAlteration("an event's number beyond the head", .inclusion, swap("\"sequence\":2,", "\"sequence\":9000,")),
    BundleAlteration("an event's stream", .inclusion, flip("\"stream\":\"")),
    BundleAlteration("an event's type", .inclusion, flip("\"type\":\"")),
    BundleAlteration("an event's payload", .inclusion, flip("\"payload\":\"")),
    BundleAlteration("an event's time", .inclusion, flip("\"at_ms\":1")),
    BundleAlteration("an event's rows", .inclusion, cut("\"changes\":\"", "\"", "AAAA")),
    BundleAlteration("an event's hash", .inclusion, flip("\"chain\":\"")),
    BundleAlteration("an event's proof", .inclusion, flip("\"proof\":[\"", 1)),
    BundleAlteration("an event's proof shortened", .inclusion) { json in
      guard let events = json.range(of: "\"events\":["),
        let proof = json[events.upperBound...].range(of: "\"proof\":["),
        let comma = json[proof.upperBound...].range(of: ",")
      else { return json }
      return String(json[..<proof.upperBound]) + json[comma.upperBound...]
    },
    BundleAlteration("an event twice", .duplicate, doubling("events")),
    BundleAlteration("an event left out that a row needs", .row) { json in
      guard let start = json.range(of: "{\"sequence\":11,"), let end = json[start.upperBound...].range(of: "},{") else {
        return json
      }
      return String(json[..<start.lowerBound]) + "{" + json[end.upperBound...]
    },
    BundleAlteration("an event left out that nothing needs", .incomplete) { json in
      guard let start = json.range(of: "{\"sequence\":2,"), let end = json[start.upperBound...].range(of: "},{") else {
        return json
      }
      return String(json[..<start.lowerBound]) + "{" + json[end.upperBound...]
    },
    BundleAlteration("the erasure left out", .unopened) { json in
      guard let start = json.range(of: ",{\"sequence\":12,"), let end = json[start.upperBound...].range(of: "}") else {
        return json
      }
      return String(json[..<start.lowerBound]) + json[end.upperBound...]
    },
  ]

  private static let contents = [
    BundleAlteration("a row's value", .row, swap("[\"state\",\"withdrawn\"]", "[\"state\",\"given\"]")),
    BundleAlteration("a row's column", .row, swap("[\"state\",", "[\"stale\",")),
    BundleAlteration("a row's real number", .row, flip("\"real\":\"")),
    BundleAlteration("a row's bytes", .row, flip("[\"picture\",{\"bytes\":\"")),
    BundleAlteration("a row's key", .row, swap("[\"id\",\"l-3\"]", "[\"id\",\"l-2\"]")),
    BundleAlteration("a row's table", .row, swap("\"table\":\"letters\"", "\"table\":\"ladders\"")),
    BundleAlteration("a row's event", .row, swap("\"event\":11,", "\"event\":10,")),
    BundleAlteration("a row left out", .incomplete) { json in
      guard let start = json.range(of: "{\"event\":11,"), let end = json[start.upperBound...].range(of: "},{") else {
        return json
      }
      return String(json[..<start.lowerBound]) + "{" + json[end.upperBound...]
    },
    BundleAlteration("a row as null", .row, swap("[\"body\",\"body 3\"]", "[\"body\",null]")),
    BundleAlteration("a row as a number", .row, swap("[\"number\",1]", "[\"number\",2]")),
    BundleAlteration("a commitment's salt", .commitment, flip("\"salt\":\"")),
    BundleAlteration("a commitment's value", .commitment, flip("\"value\":\"")),
    BundleAlteration("a commitment's label", .commitment, flip("\"label\":\"")),
    BundleAlteration("a commitment's digest", .unlinked, flip("\"digest\":\"")),
    BundleAlteration("a commitment's opening left out", .unopened, unopened),
    BundleAlteration("an erased commitment's label", .unopened, flip("\"label\":\"", 1)),
    BundleAlteration("a row left out that says whose an erased commitment is", .unlinked) { json in
      guard let table = json.range(of: "\"table\":\"storage_vault_commitments\""),
        let last = json[table.upperBound...].range(of: "\"table\":\"storage_vault_commitments\"")
      else { return json }
      // As a row of another table it is committed to by no event, and there is one problem more.
      return json.replacingSubrange(last, with: "\"table\":\"storage_vault_holds\"")
    },
    BundleAlteration("a commitment given to another", .unopened, swap("\"subject\":\"s-2\"", "\"subject\":\"s-1\"")),
    BundleAlteration("a commitment left out", .incomplete, dropping("commitments")),
    BundleAlteration("a commitment's identifier", .incomplete, flip("\"commitments\":[{\"id\":\"")),
    BundleAlteration("an opened commitment given to another", .incomplete) { json in
      guard let list = json.range(of: "\"commitments\":["), let end = json[list.upperBound...].range(of: "\"s-1\"")
      else { return json }
      return json.replacingSubrange(end, with: "\"s-9\"")
    },
    BundleAlteration("a content left out", .incomplete) { json in
      guard let list = json.range(of: "\"contents\":[") else { return json }
      return String(json[..<list.upperBound]) + "]}]}"
    },
    BundleAlteration(
      "a content's name", .incomplete, swap("\"contents\":[{\"name\":\"shown", "\"contents\":[{\"name\":\"scan")),
    BundleAlteration("a content added whose hash is in an event", .incomplete) { json in
      guard let list = json.range(of: "\"contents\":["), let end = json.range(of: "]}]}") else { return json }
      let content = json[list.upperBound..<end.lowerBound]
      return String(json[..<end.lowerBound]) + "," + content + json[end.lowerBound...]
    },
    BundleAlteration("a content's bytes", .content, cut("\"bytes\":\"dGhl", "\"", "")),
    BundleAlteration("a content of another hash", .unlinked) { json in
      guard let start = json.range(of: "\"contents\":[{\"name\":\"shown\",\"digest\":\"") else { return json }
      return String(json[..<start.upperBound])
        + "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d\",\"bytes\":\"AA==\"}]}]}"
    },
  ]

  private static let forms = [
    BundleAlteration("another format", .format, swap("assent-evidence-1", "assent-evidence-2")),
    BundleAlteration("cut short", .format) { String($0.dropLast(3)) },
    BundleAlteration("something after the end", .format) { $0 + "x" },
    BundleAlteration("a member twice", .format, swap("{\"format\"", "{\"logs\":[],\"format\"")),
    BundleAlteration("a member missing", .format, swap("\"origin\"", "\"original\"")),
    BundleAlteration("no logs", .format) { _ in "{\"format\":\"assent-evidence-1\",\"about\":{},\"logs\":[]}" },
    BundleAlteration("a number as text", .format, swap("\"sequence\":2,", "\"sequence\":\"2\",")),
    BundleAlteration("a number with a fraction", .format, swap("\"sequence\":2,", "\"sequence\":2.0,")),
    BundleAlteration("a number too large", .format, swap("\"sequence\":2,", "\"sequence\":99999999999999999999,")),
    BundleAlteration("no base64", .format, swap("\"payload\":\"", "\"payload\":\"*")),
    BundleAlteration("base64 that could be shorter", .format, cut("\"changes\":\"", "\"", "AB==")),
    BundleAlteration("a hash of other length", .format, cut("\"chain\":\"", "\"", "AAAA")),
    BundleAlteration("a digest in capitals", .format, swap("\"digest\":\"", "\"digest\":\"A")),
    BundleAlteration("a salt without its value", .format, cut("\"value\":", "}", "null")),
    BundleAlteration("a column as an object", .format, swap("[\"number\",1]", "{\"number\":0,\"1\":0}")),
    BundleAlteration("a column of three", .format, swap("[\"number\",1]", "[\"number\",1,1]")),
    BundleAlteration("a proof as an object", .format, swap("\"proof\":[", "\"proof\":{},\"rest\":[")),
    BundleAlteration(
      "too deep where it means nothing", .format,
      more(String(repeating: "[", count: 40) + String(repeating: "]", count: 40))),
    BundleAlteration("a number too large where it means nothing", .format, more("9223372036854775808")),
    BundleAlteration("half a character where it means nothing", .format, more("\"\\ud800\"")),
    BundleAlteration("a zero with a sign", .format, more("-0")),
    BundleAlteration("a column that is a list", .format, swap("[\"number\",1]", "[\"number\",[1]]")),
    BundleAlteration("a column of an unknown kind", .format, swap("\"real\":", "\"surreal\":")),
    BundleAlteration("a tenant that is none", .format, swap("\"tenant\":\"a\"", "\"tenant\":\"a b\"")),
    BundleAlteration("no JSON", .format) { _ in "evidence" },
    BundleAlteration("nothing", .format) { _ in "" },
  ]
}

extension String {
  fileprivate func replacingCharacters(at place: Index, with letter: String) -> String {
    String(self[..<place]) + letter + self[index(after: place)...]
  }

  fileprivate func replacingSubrange(_ range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }
}

extension StringProtocol {
  /// The first place of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    firstRange(of: text)
  }
}
