package io.ringside.streams.topology;

import io.ringside.streams.examine.ObservationMode;
import java.time.Duration;

/// How often jobs are judged, and how long data is kept.
///
/// @param judging time between two judgements of a job that changes
/// @param idle silence after which an open window is judged as it is
/// @param forget silence after which a job's state is dropped; its findings and runs stay
/// @param results how long findings and runs stay after the job's state was dropped
/// @param runs most runs of a job in the ledger; the newest stay
/// @param atOnce thread time that a job may save for judgements that its records trigger
/// @param samples how far back a process that is found late gets GPU samples
/// @param callsPerSecond most calls of a rank on a communicator that are examined; the rest is left
///   out
/// @param mode whether jobs are watched live or were recorded
public record ServicePace(
    Duration judging,
    Duration idle,
    Duration forget,
    Duration results,
    int runs,
    Duration atOnce,
    Duration samples,
    int callsPerSecond,
    ObservationMode mode) {
  public static final ServicePace FLEET =
      new ServicePace(
          Duration.ofMillis(250),
          Duration.ofSeconds(10),
          Duration.ofHours(24),
          Duration.ofDays(30),
          50,
          JudgingShare.MOST,
          Duration.ofMinutes(2),
          500,
          ObservationMode.LIVE);

  /// For recordings, which end by themselves.
  public static final ServicePace RECORDING =
      new ServicePace(
          Duration.ofMillis(500),
          Duration.ofHours(1),
          Duration.ofHours(24),
          Duration.ofDays(30),
          Integer.MAX_VALUE,
          JudgingShare.MOST,
          Duration.ofMinutes(30),
          Integer.MAX_VALUE,
          ObservationMode.RECORDED);

  /// The same with retention times and call limit from the configuration.
  public ServicePace keeping(Duration state, Duration ofResults, Duration ofSamples, int calls) {
    return new ServicePace(judging, idle, state, ofResults, runs, atOnce, ofSamples, calls, mode);
  }

  /// The same with another limit for judgements that records trigger.
  ServicePace saving(Duration forAtOnce) {
    return new ServicePace(
        judging, idle, forget, results, runs, forAtOnce, samples, callsPerSecond, mode);
  }
}
