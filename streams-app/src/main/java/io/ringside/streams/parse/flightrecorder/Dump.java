package io.ringside.streams.parse.flightrecorder;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What one rank's dump says.
///
/// @param file where it was read from
/// @param rank global rank, -1 if neither name nor content says
/// @param version of the dump's form, `2.10`
/// @param library NCCL's version
/// @param groups the rank's groups
/// @param calls calls that the buffer still held, in the order in which they were made
/// @param whole whether the buffer holds the rank's calls from the first on
public record Dump(
    String file,
    int rank,
    String version,
    String library,
    List<Group> groups,
    List<Call> calls,
    boolean whole) {

  /// Pending calls that are kept when a dump is cut to what a verdict needs.
  private static final int MOST_PENDING = 512;

  /// Completed calls, the newest, that are kept.
  private static final int MOST_COMPLETED = 256;

  private static final int FEW = 16;

  public Dump {
    Objects.requireNonNull(file, "file");
    groups = List.copyOf(groups);
    calls = List.copyOf(calls);
  }

  /// The group of this key, if the rank is in it.
  public Optional<Group> group(String key) {
    return groups.stream().filter(group -> group.key().equals(key)).findFirst();
  }

  /// When the program made its last call, 0 if unknown.
  public long lastNanos() {
    return calls.stream().mapToLong(Call::createdNanos).max().orElse(0);
  }

  /// The same without old calls. Sends and Recvs all stay where the buffer is whole: they are
  /// matched by counting.
  public Dump trimmed() {
    return with(MOST_PENDING, MOST_COMPLETED, whole);
  }

  /// The same with so few calls that those of thousands of ranks fit. Sends and Recvs are not
  /// matched any more.
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
