internal import PDF

/// How often a file's objects refer to each other.
struct Mentions {
  private let all: [Int: Int]
  /// Those by which forms, pages and the structure refer to fields.
  private let ofFields: [Int: Int]

  init(_ file: PDFFile) throws(PDFReadError) {
    var counter = Counter(file)
    counter.count(.dictionary(file.trailer))
    for number in file.numbers where !file.hasReferences(number) { counter.count(try file.object(number), number) }
    while let number = counter.next() { counter.count(try file.object(number), number) }
    (all, ofFields) = (counter.all, counter.ofFields)
  }

  func contains(_ number: Int) -> Bool { all[number] != nil }

  /// Whether only one object refers to this one, and once. A change that is harmless in one place might otherwise be
  /// shown in another.
  func isAlone(_ number: Int) -> Bool { all[number] == 1 }

  /// Whether an object is referred to as fields are, and in no other way, in which it could be shown as something else.
  func isField(_ number: Int) -> Bool { all[number] == ofFields[number] }
}

private struct Counter {
  private(set) var all: [Int: Int] = [:]
  private var named: [Int: Int] = [:]
  /// What the lists that are objects of their own refer to.
  private var lists: [Int: [Int]] = [:]
  /// Cross-reference streams are skipped, since the trailer says what counts of them. An older one is read only if
  /// something else refers to it, which might show it.
  private var unmentioned: Set<Int>
  private var mentioned: [Int] = []

  private let root: PDFReference?

  private static let namesOfFields: Set = ["Annots", "CO", "Fields", "Kids", "Obj", "Parent"]

  init(_ file: PDFFile) {
    root = file.trailer["Root"]?.reference
    unmentioned = Set(file.numbers.filter { file.hasReferences($0) })
  }

  /// A stream of cross-references that has to be read after all.
  mutating func next() -> Int? { mentioned.popLast() }

  mutating func count(_ first: PDFObject, _ number: Int? = nil) {
    if let number, let values = first.array { lists[number] = values.compactMap(\.reference?.number) }
    var waiting = [(object: first, isNamed: false)]
    while let (object, isNamed) = waiting.popLast() {
      switch object {
      case .reference(let reference):
        all[reference.number, default: 0] += 1
        if isNamed { named[reference.number, default: 0] += 1 }
        if unmentioned.remove(reference.number) != nil { mentioned.append(reference.number) }
      case .array(let values): for value in values { waiting.append((value, isNamed)) }
      default:
        guard let dictionary = object.dictionary else { continue }
        // A signature that locks fields says that it does so in the whole document.
        let isLock = dictionary["TransformMethod"] != nil
        for entry in dictionary.entries {
          if isLock, entry.name == "Data", let root, entry.value.reference == root { continue }
          waiting.append((entry.value, Self.namesOfFields.contains(entry.name)))
        }
      }
    }
  }

  /// A list of its own that has such a name refers to fields as if it stood there.
  var ofFields: [Int: Int] {
    var found = named
    for (list, numbers) in lists where named[list] == all[list] {
      for number in numbers { found[number, default: 0] += 1 }
    }
    return found
  }
}
