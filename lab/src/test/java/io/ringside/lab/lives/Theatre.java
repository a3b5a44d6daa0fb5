package io.ringside.lab.lives;

import java.time.Instant;

/// Where lives are played: under a clock of their own, or in real time.
interface Theatre {
  Instant now();

  /// Seconds that it lets pass at once.
  double tick();

  /// Lets time pass.
  Theatre pass(double seconds);
}
