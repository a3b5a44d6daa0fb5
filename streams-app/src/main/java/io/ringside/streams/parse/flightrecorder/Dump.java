package io.ringside.streams.parse.flightrecorder;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The content of one rank's dump.
///
/// @param file path of the file
/// @param rank global rank, -1 if neither file name nor content gives it
/// @param version version of the dump's format, `2.10`
/// @param library NCCL's version
/// @param groups the rank's groups
/// @param calls calls that the buffer still held, in the order in which they were made
/// @param whole whether the buffer holds all of the rank's calls since the first
public record Dump(
    String file,
    int rank,
    String version,
    String library,
    List<Group> groups,
    List<Call> calls,
    boolean whole) {

  /// How many pending calls stay when a dump is trimmed to what a verdict needs.
  private static final int MOST_PENDING = 512;

  /// How many completed calls stay, the newest ones.
  private static final int MOST_COMPLETED = 256;

  private static final int FEW = 16;

  public Dump {
    Objects.requireNonNull(file, "file");
    groups = List.copyOf(groups);
    calls = List.copyOf(calls);
  }

  /// When the program made its last call, 0 if unknown.
  public long lastNanos() {
    return calls.stream().mapToLong(Call::createdNanos).max().orElse(0);
  }

  /// The dump without old calls. All Sends and Recvs stay if the buffer is whole, because they are
  /// matched by counting.
  public Dump trimmed() {
    return with(MOST_PENDING, MOST_COMPLETED, whole);
  }

  /// The dump with few calls, so that a job can keep the dumps of thousands of ranks. Its Sends and
  /// Recvs can no longer be matched.
  public Dump shortened() {
    return with(FEW, FEW, false);
  }

  private Dump with(int mostPending, int mostCompleted, boolean pairs) {
    long skip = calls.stream().filter(call -> !call.pending()).count() - mostCompleted;
    var kept = new ArrayList<Call>();
    int pending = 0;
    for (var call : calls) {
      if (call.pending() ? ++pending <= mostPending : skip-- <= 0 || (pairs && call.p2p())) {
        kept.add(call);
      }
    }
    return new Dump(file, rank, version, library, groups, kept, pairs);
  }
}
