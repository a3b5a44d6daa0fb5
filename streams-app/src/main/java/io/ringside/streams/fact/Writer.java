package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// The writer of a line, taken from NCCL's header and its init lines. Pids are small and repeat in
/// the pods and on the hosts of one job, so the host is part of the identity. A process with
/// several GPUs counts as several ranks.
///
/// @param host host name in NCCL's header; empty if it equals the pod's name, as in most pods
/// @param pid process ID in its own PID namespace
/// @param gpu 0 for the process's first GPU, 1 for its second, and so on
public record Writer(String host, int pid, int gpu) {
  /// Index that stands for the writer of a line that names none.
  public static final int NONE = -1;

  /// The host name in NCCL's header, empty for a line without one.
  public String hostOf(LogSource source) {
    return pid < 0 ? "" : host.isEmpty() ? source.pod() : host;
  }

  /// Unique and permanent ID of the training process: a restarted container writes to a new file.
  public String process(LogSource source) {
    return source.id() + "|" + hostOf(source) + "|" + pid + (gpu == 0 ? "" : "|" + gpu);
  }

  /// What the ID of a process says of where it runs.
  ///
  /// @param source of the log: `node|file`
  /// @param host as {@link #hostOf} gives it
  public record Seat(String source, String host) {
    /// Of an ID that {@link #process} made.
    public static Seat of(String process) {
      int from = before(process, before(process, process.length()));
      int to = process.indexOf('|', from + 1);
      if (from < 0) {
        return new Seat(process, ""); // of no log
      }
      if (isNumber(process, from + 1, to)) { // the pid, and a GPU behind it
        to = from;
        from = before(process, from);
      }
      return new Seat(process.substring(0, Math.max(0, from)), process.substring(from + 1, to));
    }

    private static int before(String process, int end) {
      return process.lastIndexOf('|', end - 1);
    }

    /// Whether the log lies on this host itself, by its short or its full name.
    public boolean isNode() {
      var node = LogSource.nodeOf(source);
      return !host.isEmpty()
          && (host.equals(node) || host.startsWith(node + ".") || node.startsWith(host + "."));
    }

    private static boolean isNumber(String text, int from, int to) {
      return from < to && text.substring(from, to).chars().allMatch(c -> c >= '0' && c <= '9');
    }
  }
}
