internal import AccountContract
internal import ServicePolicy
internal import Storage

extension EventFollower {
  /// Which fields changed, and for whom.
  static func signature(_ data: ServiceDatabase, _ peers: any SyncPeers) -> EventFollower {
    EventFollower(source: .signature, data: data) { token, tenant in
      let (fields, next) = try await peers.fieldChanges(after: token, of: tenant)
      guard next != token else { return nil }
      return News(next: next) { transaction in
        // A field does not change after its erasure, so erasures are noted last.
        for field in Set(fields).sorted(by: { !$0.isErased && $1.isErased }) {
          for name in try holders(of: field.subjectID, by: .signature, transaction) {
            try ChangeStore.note(.field, field.fieldID, of: name, isRemoved: field.isErased, transaction)
          }
        }
      }
    }
  }
}
