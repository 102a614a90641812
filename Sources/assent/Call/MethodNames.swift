internal import Face
internal import RPC
internal import ServiceKit
internal import Wire

/// Finds methods by the names that people use: the whole path, or as much of its end as names one method only.
struct MethodNames {
  let methods: [Catalogue.Method]

  init(_ catalogue: Catalogue) {
    methods = catalogue.allMethods
  }

  /// `assent.signature.v1.RenderService/Render`, for every method.
  static var all: [String] {
    ((try? Catalogue.builtIn())?.allMethods ?? []).map { String($0.descriptor.path.dropFirst()) }
  }

  /// As few of the last words of each method as name it alone, `Render` for example, and their full names.
  static var toComplete: [String] {
    let paths = all.map(parts)
    let short = paths.map { path in
      (1...path.count).lazy.map { path.suffix($0) }.first { end in
        paths.count { $0.suffix(end.count) == end } == 1
      }?.joined(separator: "/") ?? ""
    }
    return short.filter { !$0.isEmpty } + all
  }

  /// The method that is called `word`: `Render`, `RenderService/Render`, `RenderService.Render` or with the package.
  func method(_ word: String) throws(CallError) -> Catalogue.Method {
    let wanted = Self.parts(word)
    let found = methods.filter { Self.parts($0.descriptor.path).suffix(wanted.count) == wanted[...] }
    if found.count == 1 { return found[0] }
    if found.isEmpty { throw unknown(word, wanted) }
    let names = found.map { "\n  \($0.descriptor.path.dropFirst())" }.joined()
    throw CallError("'\(word)' is the name of several methods; say which:\(names)")
  }

  private func unknown(_ word: String, _ wanted: [Substring]) -> CallError {
    // Methods are compared by as many of their last words as the caller wrote.
    let names = methods.map { method in
      (short: Self.parts(method.descriptor.path).suffix(wanted.count).joined(separator: "/"), method: method)
    }
    let nearest = nearestName(to: wanted.joined(separator: "/"), among: names.map(\.short))
    guard let meant = names.first(where: { $0.short == nearest })?.method else {
      return CallError("there is no method '\(word)'; assent call --list shows them all")
    }
    return CallError("there is no method '\(word)'; did you mean '\(meant.descriptor.path.dropFirst())'?")
  }

  /// Refuses scopes of a key that include no method of this version, since they are most likely misspelled.
  static func check(scopes: [String]) throws(CallError) {
    let methods = all
    let services = Set(methods.map { "\($0.prefix { $0 != "/" })/*" })
    for scope in scopes where !services.contains(scope) && !methods.contains(scope) {
      let nearest = nearestName(to: scope, among: methods + services.sorted())
      let advice = nearest.map { "did you mean '\($0)'?" } ?? "assent call --list shows all methods"
      throw CallError("--scopes has '\(scope)', which is no method and no service of this version; \(advice)")
    }
  }

  private static func parts(_ name: String) -> [Substring] { name.split { $0 == "/" || $0 == "." } }
}

/// A call cannot be made, or did not end well.
struct CallError: ExitStatus, CustomStringConvertible {
  let description: String
  let exitCode: Int32

  /// What is wrong with a command line.
  init(_ description: String) {
    self.description = description
    exitCode = 2
  }

  /// No gateway answers.
  init(unreachable description: String) {
    self.description = description
    exitCode = 4
  }

  /// A call that has failed.
  init(_ description: String, _ code: StatusCode) {
    self.description = description
    exitCode =
      switch code {
      case .unavailable, .deadlineExceeded: 4
      case .internal, .unknown, .dataLoss: 5
      default: 3
      }
  }
}
