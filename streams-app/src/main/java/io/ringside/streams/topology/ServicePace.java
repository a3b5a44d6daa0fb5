package io.ringside.streams.topology;

import io.ringside.streams.examine.Sight;
import java.time.Duration;

/// How often jobs are judged, and what is kept how long.
///
/// @param judging time between two judgements of a job that changes
/// @param idle after this much silence a window is judged as it is
/// @param forget after this much silence a job's state is dropped; its findings and runs stay
/// @param results how long those stay of a job whose state was dropped
/// @param runs the newest of a job that the ledger holds
/// @param samples how far back a process that is placed late gets GPU samples
/// @param callsPerSecond of a rank on a communicator that are looked at; of more some are left out
/// @param sight whether jobs are watched as they go on
public record ServicePace(
    Duration judging,
    Duration idle,
    Duration forget,
    Duration results,
    int runs,
    Duration samples,
    int callsPerSecond,
    Sight sight) {
  public static final ServicePace FLEET =
      new ServicePace(
          Duration.ofMillis(250),
          Duration.ofSeconds(10),
          Duration.ofHours(24),
          Duration.ofDays(30),
          50,
          Duration.ofMinutes(2),
          500,
          Sight.LIVE);

  /// For recordings, which end by themselves.
  public static final ServicePace RECORDING =
      new ServicePace(
          Duration.ofMillis(500),
          Duration.ofHours(1),
          Duration.ofHours(24),
          Duration.ofDays(30),
          Integer.MAX_VALUE,
          Duration.ofMinutes(30),
          Integer.MAX_VALUE,
          Sight.RECORDED);

  /// The same with what is kept as the configuration says.
  public ServicePace keeping(Duration state, Duration ofResults, Duration ofSamples, int calls) {
    return new ServicePace(judging, idle, state, ofResults, runs, ofSamples, calls, sight);
  }
}
