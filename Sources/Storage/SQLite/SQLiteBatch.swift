internal import Base

/// One round of the writer: runs several changes in one transaction, from BEGIN to the acknowledgements.
///
/// Each change runs under a savepoint, so that a failed change does not undo the others. All successful ones are
/// acknowledged after the commit or, if the commit fails, none.
struct SQLiteBatch {
  let connection: SQLiteConnection
  let clock: Clock

  func run(_ writes: [SQLiteWrite]) {
    var waiting = writes
    while !waiting.isEmpty {
      waiting = withoutExpired(waiting)
      guard let earliest = waiting.map(\.deadline).min() else { return }
      connection.setDeadline(earliest)
      do throws(DatabaseError) {
        try connection.beginWriting()
      } catch {
        connection.rollBack()
        if error.code == .timedOut { continue }
        for write in waiting { write.refuse(error) }
        return
      }
      waiting = runTogether(waiting)
    }
  }

  /// Runs the changes in the open transaction and commits it. Returns the changes that must run again in another one.
  private func runTogether(_ writes: [SQLiteWrite]) -> [SQLiteWrite] {
    var done: [(write: SQLiteWrite, attempt: SQLiteWrite.Attempt)] = []
    for (index, write) in writes.enumerated() {
      connection.setDeadline(write.deadline)
      let attempt = runAlone(write, ofMany: writes.count > 1)
      if let attempt, attempt.succeeded {
        done.append((write, attempt))
        continue
      }
      let transactionSurvives = writes.count > 1 && connection.undoToSavepoint()
      attempt?.settle(nil)
      if !transactionSurvives {
        // The engine rolled the whole transaction back (a full disk, say): all others run again without this one.
        connection.rollBack()
        return done.map(\.write) + writes[(index + 1)...]
      }
    }
    commit(done.map(\.attempt))
    return []
  }

  /// Runs one change. Returns nil if its savepoint failed; then the change has been refused.
  private func runAlone(_ write: SQLiteWrite, ofMany: Bool) -> SQLiteWrite.Attempt? {
    do throws(DatabaseError) {
      if ofMany { try connection.setSavepoint() }
    } catch {
      write.refuse(error)
      return nil
    }
    let attempt = write.attempt(connection)
    guard ofMany, attempt.succeeded else { return attempt }
    do throws(DatabaseError) {
      try connection.keepSavepoint()
      return attempt
    } catch {
      write.refuse(error)
      return nil
    }
  }

  private func commit(_ attempts: [SQLiteWrite.Attempt]) {
    guard !attempts.isEmpty else { return connection.rollBack() }
    // The changes are written, so they are committed even if their deadlines have passed.
    connection.setDeadline(MonotonicTime.never)
    do throws(DatabaseError) {
      try connection.commit()
      for attempt in attempts { attempt.settle(nil) }
    } catch {
      connection.rollBack()
      let outcome = Self.outcome(of: error)
      for attempt in attempts { attempt.settle(outcome) }
    }
  }

  /// The error for the changes of a failed commit. If the disk failed, the write-ahead log may still hold the whole
  /// commit: no process sees it there now, but after a crash the next process takes it for committed.
  private static func outcome(of error: DatabaseError) -> DatabaseError {
    guard error.code == .inputOutput else { return error }
    return DatabaseError(
      .outcomeUnknown, "the change may have been made, since the disk failed during its commit: \(error.message)",
      engineCode: error.engineCode)
  }

  private func withoutExpired(_ writes: [SQLiteWrite]) -> [SQLiteWrite] {
    let now = clock.monotonic
    return writes.filter { write in
      guard write.deadline <= now else { return true }
      write.refuse(
        DatabaseError(.timedOut, "the change waited for the database until its deadline; nothing was changed"))
      return false
    }
  }
}
