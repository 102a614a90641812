internal import ServicePolicy
package import Storage

extension AccountSchema {
  /// To which columns the log of events commits, so that changes by hand are found, and why to others it does not.
  /// Profiles and the verifiers of passcodes are in the vault, whose sealed bytes Storage commits to by itself.
  package static let coverage = rights + entries + synchronized

  /// People, devices and their rights.
  private static let rights = [
    TableCoverage("settings", key: ["id"], committed: ["body"]),
    TableCoverage(
      "devices", key: ["id"],
      committed: ["public_key", "secret", "single_user", "registered_ms", "proved_ms", "wiped_ms", "places"],
      exempt: ["current_person": "whose sign-in screen is shown; signing in asks for the passcode all the same"]),
    TableCoverage(
      "people", key: ["id"],
      committed: ["locked", "merged_into", "recovery", "void_ms", "created_ms", "erased_ms"]),
    TableCoverage(
      "placements", key: ["device_id", "person_id"], committed: ["must_change", "onboarded_ms"],
      exempt: ["last_ms": "tells people when they last signed in; nothing is decided by it"]),
    TableCoverage("roles", key: ["person_id", "role"], committed: ["granted_ms"]),
    TableCoverage("revocations", key: ["kind", "id"], committed: ["before_ms"]),
    TableCoverage("api_keys", key: ["id"], committed: ["name", "body", "hash", "previous_hash", "revoked_ms"]),
    TableCoverage("api_key_uses", exempt: "tells administrators which keys are still used; nothing is decided by it"),
  ]

  /// What lets people in: onboardings, codes, attempts, sessions and offline verifiers.
  private static let entries = [
    TableCoverage(
      "onboardings", key: ["id"],
      committed: ["device_id", "person_id", "is_new", "state", "session_id", "expires_ms"]),
    TableCoverage(
      "codes", key: ["digest"],
      committed: ["person_id", "new_person_id", "device_id", "maker", "made_ms", "expires_ms", "used"]),
    GuessStore.coverage,
    TableCoverage(
      "sessions", key: ["id"],
      committed: ["person_id", "device_id", "refresh", "started_ms", "used_ms", "expires_ms", "ended_ms"]),
    TableCoverage(
      "offline_verifiers", key: ["id"], committed: ["person_id", "device_id", "expires_ms", "revoked_ms"]),
  ]

  private static let synchronized = [
    TableCoverage(
      "queue_items", key: ["device_id", "person_id", "id"],
      committed: ["state", "arrived_ms", "place", "settled_ms"]),
    TableCoverage(
      "waiting_work", exempt: "tells administrators whose work waits on which device; nothing is decided by it"),
    TableCoverage(
      "offline_sign_ins", exempt: "tells a repeated report from a new one; what was reported is in the events"),
    TableCoverage("change_heads", exempt: noted),
    TableCoverage("changes", exempt: noted),
    TableCoverage("followed", exempt: "how far another service's events were read; reading them again does no harm"),
  ]

  private static let noted = "tells devices that something changed and not what; they fetch that from where it is kept"
}
