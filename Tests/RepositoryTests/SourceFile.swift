import Base
import TestSupport

/// A Swift file as the rules see it: its path, its imports, its code without comments, its string literals, and the
/// code of what these quote.
struct SourceFile {
  let path: String
  let text: String
  let code: String
  let literals: [String]
  let quotations: [String]
  let imports: [String]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    var scanner = SourceScanner(text)
    scanner.scan()
    code = scanner.code
    literals = scanner.literals
    quotations = scanner.quotations
    imports = code.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
      guard words[..<position].allSatisfy({ Self.wordsBeforeImport.contains(String($0)) }) else { return nil }
      // `import struct Glibc.timespec` names its module before the dot.
      let named = words[(position + 1)...].first { !Self.kindsOfImport.contains(String($0)) }
      return named.map { String($0.prefix { $0 != "." }) }
    }
  }

  private static let wordsBeforeImport: Set = [
    "public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency", "@_exported",
    "@_implementationOnly",
  ]
  private static let kindsOfImport: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]

  /// `Sources/Wire/Native/Codec/Arena.swift` belongs to `Wire`.
  var target: String { components.count > 1 ? components[1] : "" }

  var isNative: Bool { components.contains("Native") }
  var isGenerated: Bool { components.contains("Generated") }
  var name: String { components.last ?? "" }
  var components: [String] { path.split(separator: "/").map(String.init) }

  /// The lines of code that contain one of `words` as a whole word.
  func lines(containing words: [String]) -> [String] {
    code.split(separator: "\n").filter { line in words.contains { line.containsWord($0) } }.map { String(trimming($0)) }
  }

  /// The beginnings of statuses that are made without a rule.
  var statusesWithoutRule: [String] {
    code.ranges(of: "Status(").compactMap { call in
      if call.lowerBound > code.startIndex, code[code.index(before: call.lowerBound)].isNamePart { return nil }
      var depth = 0
      let arguments = code[call.upperBound...]
      let first = arguments.prefix { letter in
        depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
        return depth >= 0 && !(depth == 0 && letter == ",")
      }
      let second = arguments[first.endIndex...].dropFirst().drop { $0.isWhitespace }
      return second.hasPrefix("rule:") ? nil : "Status(\(first)"
    }
  }

  /// The bodies of all closures that run under a lock.
  var codeUnderLocks: [String] {
    code.ranges(of: "withLock").compactMap { name in
      let rest = code[name.upperBound...].prefix { $0 != "\n" }
      guard let start = rest.firstIndex(of: "{") else { return nil }
      var depth = 0
      let end = code[start...].firstIndex { letter in
        depth += letter == "{" ? 1 : letter == "}" ? -1 : 0
        return depth == 0
      }
      return String(code[start..<(end ?? code.endIndex)])
    }
  }
}

extension Substring {
  /// Whether `word` occurs with nothing that could belong to a name on either side.
  func containsWord(_ word: String) -> Bool {
    ranges(of: word).contains { range in
      let before = range.lowerBound > startIndex ? self[index(before: range.lowerBound)] : " "
      let after = range.upperBound < endIndex ? self[range.upperBound] : " "
      return !(before.isNamePart && word.first?.isNamePart == true)
        && !(after.isNamePart && word.last?.isNamePart == true)
    }
  }
}

extension Character {
  fileprivate var isNamePart: Bool { isLetter || isNumber || self == "_" }
}

func trimming(_ text: Substring) -> Substring {
  let start = text.drop { $0.isWhitespace }
  return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
}

/// The repository's files.
enum SourceTree {
  static func files(below folder: String, suffix: String = ".swift") -> [SourceFile] {
    paths(below: folder).filter { $0.hasSuffix(suffix) }.map { SourceFile(path: $0, text: text(of: $0)) }
  }

  static func text(of path: String) -> String {
    (try? Files.read(Repository.path(path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  static let folders = [
    "Benchmarks", "Fuzz", "Sources", "Tests", "clients", "compose", "docs", "proto", "release", "samples", "scripts",
    "web",
  ]

  /// All files of the repository's folders, except packages that other tools install among them.
  static var ownPaths: [String] {
    folders.flatMap { paths(below: $0) }.filter { !$0.contains("/node_modules/") }
  }

  static func paths(below folder: String) -> [String] {
    guard let names = try? Files.names(in: Repository.path(folder)) else { return [] }
    return names.filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      let inside = paths(below: "\(folder)/\(name)")
      return inside.isEmpty ? ["\(folder)/\(name)"] : inside
    }
  }
}
