/// The tables, keys and defaults that migrations declare, for comparison with the engine's catalogue.
struct DeclaredTables {
  /// The names of all tables.
  private(set) var names: Set<String> = []
  /// Tables whose rows are never changed or removed.
  private(set) var appendOnly: [String] = []
  /// The default values of columns, as written in the migration.
  private(set) var defaults: [Column: SQLToken] = [:]
  /// The primary and unique keys.
  private(set) var keys: [Key] = []

  struct Column: Hashable {
    let table: String
    let name: String
  }

  struct Key: Hashable {
    let table: String
    let columns: [String]
  }

  /// - Parameter migrations: the SQL of the migrations. One that cannot be parsed declares nothing.
  init(_ migrations: some Sequence<String>) {
    for sql in migrations {
      guard let tokens = try? SQLToken.split(sql) else { continue }
      for part in tokens.split(separator: .symbol(";")) { read(Array(part)) }
    }
  }

  private mutating func read(_ tokens: [SQLToken]) {
    if let table = (try? AppendOnly.table(tokens)) ?? nil { return appendOnly.append(table) }
    guard let nodes = try? SQLNode.parse(tokens), nodes.count > 3 else { return }
    if nodes[0].isKeyword("CREATE"), nodes[1].isKeyword("TABLE"), let table = nodes[2].word {
      names.insert(table)
      let definitions = nodes[3].group ?? []
      for definition in definitions.split(where: { $0.isSymbol(",") }) { read(definition, of: table) }
    } else if nodes[0].isKeyword("CREATE"), nodes[1].isKeyword("UNIQUE"), nodes.count > 6, let table = nodes[5].word {
      addKey(nodes[6], of: table)
    } else if nodes[0].isKeyword("ALTER"), nodes.count > 5, nodes[3].isKeyword("ADD"), let table = nodes[2].word {
      read(Array(nodes[5...]), of: table)
    }
  }

  /// Reads one definition in a table: a column or a key.
  private mutating func read(_ definition: [SQLNode], of table: String) {
    if definition.first?.isKeyword(among: ["PRIMARY", "UNIQUE"]) == true {
      for node in definition { addKey(node, of: table) }
    } else if let name = definition.first?.word, let place = definition.firstIndex(where: { $0.isKeyword("DEFAULT") }),
      case .token(let value)? = definition.dropFirst(place + 1).first
    {
      defaults[Column(table: table, name: name)] = value
    }
  }

  private mutating func addKey(_ node: SQLNode, of table: String) {
    guard let columns = node.group?.compactMap(\.word) else { return }
    keys.append(Key(table: table, columns: columns))
  }
}
