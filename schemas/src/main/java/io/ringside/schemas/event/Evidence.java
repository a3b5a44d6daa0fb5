package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A raw line or sample that proves a finding, with what is known of it beyond its text.
///
/// @param time when it was written, null where neither the line nor its carrier says
/// @param file path on the node, or `nvidia-smi` for a sample
/// @param offset byte offset in the file, -1 for a sample
/// @param rank global rank that wrote it, null where the line does not tell, and in records of
///   before 0.2, as all that follows
/// @param host host of the process that wrote it, as NCCL's header names it; null where it does not
/// @param after of a straggler's late call: how long after another rank's it came; else null
/// @param line number of the line in the file, from 1 on; null where nobody counted
/// @param part the file that holds the line, where rotation made several of it; null for `file`
///   itself
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

  /// A line of which no more is known.
  public Evidence(
      @Nullable Instant time, String node, String pod, String file, long offset, String text) {
    this(time, node, pod, file, offset, text, null, null, null, null, null);
  }

  /// How much later than another rank's line it was written.
  ///
  /// @param rank that other rank
  /// @param seconds above 0
  public record After(int rank, double seconds) {}

  /// What no line of a file says, beside the file of a process.
  ///
  /// @param sensor who says it
  public static Evidence ofSensor(
      @Nullable Instant time, LogSource beside, String sensor, String text) {
    var told = time == null || GpuSample.isUntimed(time) ? null : time;
    return new Evidence(told, beside.node(), beside.pod(), sensor, -1, text);
  }

  /// What no line of a file says, of a whole node.
  ///
  /// @param sensor who says it
  public static Evidence ofNode(@Nullable Instant time, String node, String sensor, String text) {
    return new Evidence(time, node, "", sensor, -1, text);
  }

  /// The same where it is known who wrote it.
  public Evidence by(@Nullable Integer itsRank, @Nullable String itsHost, @Nullable After late) {
    return new Evidence(time, node, pod, file, offset, text, itsRank, itsHost, late, line, part);
  }

  /// The same where it is known in which line it stands.
  ///
  /// @param holder the file that holds it
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
