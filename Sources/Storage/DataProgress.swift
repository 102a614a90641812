/// Reports the progress of work on a whole database: a count, and what it counts, such as 300 and "rows are written".
/// It is called for each row or key, so it has to be quick.
public typealias DataProgress = @Sendable (_ count: Int, _ what: String) -> Void
