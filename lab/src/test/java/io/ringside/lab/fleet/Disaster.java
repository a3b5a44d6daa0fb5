package io.ringside.lab.fleet;

/// What can happen to an instance, or to the broker of all.
enum Disaster {
  /// SIGKILL, and another one in its place, on a machine that has nothing of it.
  KILLED,
  /// SIGTERM: it leaves in order, and is back later.
  STOPPED,
  /// SIGSTOP: it goes on later as if it had not been given up meanwhile.
  STANDS_STILL,
  /// Nothing comes from the broker or goes there.
  CUT_OFF,
  /// The broker's disk is full, and it ends; then there is room again.
  DISK_FULL,
  /// Each request takes a while.
  BROKER_SLOW
}
