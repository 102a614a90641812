/// Declares to which columns of Storage's own tables events commit.
enum OwnCoverage {
  static let tables: [TableCoverage] = [
    TableCoverage("storage_events", exempt: "its rows are the leaves of the log's tree, every column of them"),
    TableCoverage("storage_event_heads", exempt: "recomputed from the events by the check"),
    TableCoverage(
      "storage_log_keys", exempt: "wrapped again when master keys are replaced; no other key confirms the codes"),
    TableCoverage("storage_trees", exempt: "recomputed from the events by the check"),
    TableCoverage("storage_tree_nodes", exempt: "recomputed from the events by the check"),
    TableCoverage("storage_signed_heads", exempt: "signed; its size and text are compared with the tree"),
    TableCoverage(
      "storage_lists", key: ["list"], committed: ["count", "chain"],
      exempt: ["code": "made of the others with the key of the log; wrong, it confirms nothing"]),
    TableCoverage("storage_shapes", exempt: "a row's hash covers the names of its columns"),
    TableCoverage("storage_migrations", exempt: "compared with the program's own text whenever it opens the database"),
    TableCoverage("storage_outcomes", exempt: "settles a commit whose answer was lost, and is forgotten"),
    TableCoverage("storage_periodic_tasks", exempt: "says when to do next what may be done at any time"),
    TableCoverage(
      "storage_jobs", exempt: "says by a code who queued it; what a job changes is committed to when it does"),
    TableCoverage("storage_idempotency", exempt: "sealed, bound to its key; forgotten after some days"),
    TableCoverage(
      "storage_vault_tenants", key: ["version"], committed: ["created_ms"],
      exempt: ["wrapped": sealed, "master": "names what opens 'wrapped', which opens with nothing else"]),
    TableCoverage(
      "storage_vault_subjects", key: ["subject"], committed: ["created_ms", "erased_ms"],
      exempt: ["wrapped": sealed, "version": "names what opens 'wrapped', which opens with nothing else"]),
    TableCoverage("storage_vault_items", key: ["subject", "item"], committed: ["sealed", "changed_ms"]),
    TableCoverage(
      "storage_vault_commitments", key: ["id"], committed: ["subject", "label", "digest", "created_ms"],
      exempt: ["sealed": "what it opens to is compared with 'digest'; without it the check wants an erasure on record"]),
    TableCoverage(
      "storage_vault_index", key: ["label", "subject"], committed: ["sealed"],
      exempt: [
        "token": "the check computes it again from the text in 'sealed'",
        "version": "names the key of 'token', which is that of no other",
      ]),
    TableCoverage(
      "storage_vault_holds", key: ["id"], committed: ["subject", "placed_by", "placed_ms", "lifted_by", "lifted_ms"]),
    TableCoverage("storage_vault_policies", key: ["policy"], committed: ["keep_ms"]),
    TableCoverage("storage_vault_retention", key: ["subject", "policy"], committed: ["since_ms"]),
  ]

  private static let sealed = "wrapped again when keys are replaced; altered, it does not open"
}
