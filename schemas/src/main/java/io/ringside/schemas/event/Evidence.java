package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A raw line or sample that proves a finding, with facts about it beyond its text.
///
/// @param time when it was written, null if neither the line nor its carrier has a time
/// @param file path on the node, or `nvidia-smi` for a sample
/// @param offset byte offset in the file, -1 for a sample
/// @param rank global rank that wrote it; null if the line does not name it. This and all following
///     fields are null in records before 0.2
/// @param host host of the process that wrote it, as NCCL's header names it; null if unknown
/// @param after for a straggler's late call: how long after another rank's call it came; else null
/// @param line number of the line in the file, from 1 on; null if not counted
/// @param part the file that holds the line, if rotation split the log into several files; null if
///     it is `file` itself
public record Evidence(
    @Nullable Instant time,
    String node,
    String pod,
    String file,
    long offset,
    String text,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer rank,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String host,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable After after,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long line,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String part) {

  public Evidence {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(pod, "pod");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(text, "text");
  }

  /// A line with no further facts.
  public Evidence(
      @Nullable Instant time, String node, String pod, String file, long offset, String text) {
    this(time, node, pod, file, offset, text, null, null, null, null, null);
  }

  /// How much later it was written than another rank's line.
  ///
  /// @param rank the other rank
  /// @param seconds greater than 0
  public record After(int rank, double seconds) {}

  /// Evidence that is not a line of a log file but belongs to the process of a log file.
  ///
  /// @param sensor source of the evidence
  public static Evidence ofSensor(
      @Nullable Instant time, LogSource beside, String sensor, String text) {
    var told = time == null || GpuSample.isUntimed(time) ? null : time;
    return new Evidence(told, beside.node(), beside.pod(), sensor, -1, text);
  }

  /// Evidence about a whole node that is not a line of a log file.
  ///
  /// @param sensor source of the evidence
  public static Evidence ofNode(@Nullable Instant time, String node, String sensor, String text) {
    return new Evidence(time, node, "", sensor, -1, text);
  }

  /// The same evidence with its writer.
  public Evidence by(@Nullable Integer itsRank, @Nullable String itsHost, @Nullable After late) {
    return new Evidence(time, node, pod, file, offset, text, itsRank, itsHost, late, line, part);
  }

  /// The same evidence with its line number.
  ///
  /// @param holder the file that holds the line
  public Evidence in(String holder, long number) {
    return new Evidence(
        time,
        node,
        pod,
        file,
        offset,
        text,
        rank,
        host,
        after,
        number,
        holder.equals(file) ? null : holder);
  }
}
