package io.ringside.streams.recorded;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/// What ranks say of the groups that they are in, gathered in one file as a container runtime keeps
/// it. Groups have names of the test's own.
public final class GroupedLines {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  private final String host;
  private final int gpusPerHost;
  private final boolean sameBusIds;
  private final List<String> lines = new ArrayList<>();

  /// @param host format of its name, of its number
  /// @param sameBusIds whether GPUs of different hosts have the same bus ids, as those of different
  ///   machines have
  public GroupedLines(String host, int gpusPerHost, boolean sameBusIds) {
    this.host = host;
    this.gpusPerHost = gpusPerHost;
    this.sameBusIds = sameBusIds;
  }

  /// The rank is in a group from the first second on.
  public void init(int rank, String group, int rankInGroup, int nranks) {
    say(
        rank,
        1 + 0.001 * rank,
        "ncclCommInitRankConfig comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0x%016x - Init COMPLETE"
            .formatted(
                pointer(rank, group),
                rankInGroup,
                nranks,
                rank % gpusPerHost,
                rank % gpusPerHost,
                1 + (sameBusIds ? rank % gpusPerHost : rank),
                group.hashCode() & 0xffffffffL));
  }

  /// @param root the root, or the peer of a Send or Recv
  public void call(int rank, String group, double seconds, String operation, int root, int nranks) {
    say(
        rank,
        seconds,
        "%s: opCount 0 sendbuff 0x7f00 recvbuff 0x7f00 count 1048576 datatype 7 op 0 root %d comm %s [nranks=%d] stream 0x5580"
            .formatted(operation, root, pointer(rank, group), nranks));
  }

  public void say(int rank, double seconds, String message) {
    lines.add(
        "%s stdout F %s:%d:%d [%d] NCCL INFO %s"
            .formatted(
                STAMP.format(BEGIN.plusNanos(Math.round(seconds * 1e9))),
                host.formatted(rank / gpusPerHost),
                100 + rank,
                100 + rank,
                rank % gpusPerHost,
                message));
  }

  private static String pointer(int rank, String group) {
    return "0x55%x%06x".formatted(rank + 1, group.hashCode() & 0xffffff);
  }

  /// All lines by their time.
  public List<String> byTime() {
    return lines.stream().sorted().toList();
  }
}
