// Filled by the issue that owns this target.
