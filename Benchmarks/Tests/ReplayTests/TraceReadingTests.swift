import Replay
import Testing

@Suite("Traces of statements") struct TraceReadingTests {
  @Test("SQLite's statements are read with their values, by connection") func sqlite() throws {
    let trace = """
      a\u{1f}BEGIN IMMEDIATE\u{1f}BEGIN IMMEDIATE
      b\u{1f}BEGIN\u{1f}BEGIN
      a\u{1f}UPDATE t SET x = ?2, y = ?3 WHERE id = ?1 OR z = '?'\u{1f}UPDATE t SET x = x'00ff', y = NULL WHERE id = 'it''s' OR z = '?'
      a\u{1f}SELECT ?1\u{1f}SELECT zeroblob(2)
      b\u{1f}SELECT ?1, ?2, ?3\u{1f}SELECT -7, 0.5, 1.0e+20
      b\u{1f}ROLLBACK\u{1f}ROLLBACK
      b\u{1f}BEGIN IMMEDIATE\u{1f}BEGIN IMMEDIATE
      b\u{1f}DELETE FROM t\u{1f}DELETE FROM t
      b\u{1f}ROLLBACK\u{1f}ROLLBACK
      a\u{1f}COMMIT\u{1f}COMMIT

      """
    #expect(
      try SQLiteTrace.transactions(in: Array(trace.utf8)) == [
        [TracedStatement("SELECT ?1, ?2, ?3", [.number(-7), .real("0.5"), .real("1.0e+20")])],
        [
          TracedStatement(
            "UPDATE t SET x = ?2, y = ?3 WHERE id = ?1 OR z = '?'", [.text("it's"), .bytes([0, 255]), .null]),
          TracedStatement("SELECT ?1", [.bytes([0, 0])]),
        ],
      ])
  }

  @Test(
    "a line of SQLite's trace that does not fit its statement is refused",
    arguments: [
      "a\u{1f}SELECT ?1", "a\u{1f}SELECT ?1\u{1f}SELECT", "a\u{1f}SELECT ?1\u{1f}SELECT 'x",
      "a\u{1f}SELECT ?2\u{1f}SELECT 1", "a\u{1f}SELECT ?1\u{1f}DELETE 1", "a\u{1f}SELECT ?1\u{1f}SELECT x'0'",
      "a\u{1f}SELECT ?1\u{1f}SELECT zeroblob(-1)", "a\u{1f}SELECT ?1\u{1f}SELECT zeroblob(1",
    ])
  func damaged(_ line: String) {
    #expect(throws: TraceError.self) { try SQLiteTrace.transactions(in: Array(line.utf8)) }
  }

  @Test("PostgreSQL's statements are read with their values, by connection") func postgres() throws {
    let log = """
      1|LOG:  execute <unnamed>: BEGIN ISOLATION LEVEL READ COMMITTED
      2|LOG:  statement: BEGIN ISOLATION LEVEL READ COMMITTED
      1|LOG:  execute s1: SELECT body FROM t
      \tWHERE id = $1 AND n = $2 AND b = $3 AND x = $4
      2|LOG:  statement: SELECT 1
      1|DETAIL:  parameters: $1 = 'it''s, $2 = ''x''', $2 = '-5', $3 = '\\x00ff', $4 = NULL
      2|LOG:  statement: ROLLBACK
      3|LOG:  checkpoint starting: time
      1|LOG:  execute s2: SELECT now()
      1|LOG:  statement: COMMIT

      """
    #expect(
      try PostgresTrace.transactions(in: Array(log.utf8)) == [
        [
          TracedStatement(
            "SELECT body FROM t\nWHERE id = $1 AND n = $2 AND b = $3 AND x = $4",
            [.text("it's, $2 = 'x'"), .number(-5), .bytes([0, 255]), .null]),
          TracedStatement("SELECT now()", []),
        ]
      ])
  }

  @Test("what only looks like a number or like bytes stays text", arguments: ["007", "\\x0", "1.5", ""])
  func lookalikes(_ content: String) throws {
    let log = "1|LOG:  x: BEGIN\n1|LOG:  x: SELECT $1\n1|DETAIL:  parameters: $1 = '\(content)'\n1|LOG:  x: COMMIT\n"
    #expect(try PostgresTrace.transactions(in: Array(log.utf8)) == [[TracedStatement("SELECT $1", [.text(content)])]])
  }
}
