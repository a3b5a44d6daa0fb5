package io.ringside.streams.detect.drift;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Finds NCCL_, FI_ and OFI_ variables that differ between ranks. A rank with another protocol,
/// algorithm or buffer size can hang the job; a rank with another network setting slows all of it.
///
/// NCCL prints a variable at its first use, so a rank that did not print it may still have it.
/// Therefore only ranks that printed it are compared, with two exceptions. Every rank reads some
/// variables before its communicator is up, or once it has connected over InfiniBand or P2P: such a
/// variable is not set where it was not printed, unless a plugin sets it (then the plugin is
/// missing instead). A variable that forbids a transport is not set on a rank that uses the
/// transport.
public final class EnvironmentDrift implements Detector {
  /// Variables that differ by design from rank to rank or node to node.
  private static final Set<String> PER_RANK =
      Set.of(
          "NCCL_SOCKET_IFNAME",
          "NCCL_TOPO_FILE",
          "NCCL_HOSTID",
          "NCCL_DEBUG_FILE",
          "NCCL_COMM_ID",
          "NCCL_IB_HCA",
          "NCCL_RAS_ADDR");

  /// Ends of the names of variables that say where something is written: with one file for each
  /// rank their values differ.
  private static final List<String> WRITTEN = List.of("_DUMP_FILE", "_DUMP_DIR", "_LOG_FILE");

  /// Variables that name what a host has. They differ between hosts whose networks are laid out
  /// differently, but are the same within one host.
  private static final Set<String> PER_HOST =
      Set.of(
          "NCCL_IB_GID_INDEX",
          "NCCL_IB_ADDR_FAMILY",
          "NCCL_IB_ADDR_RANGE",
          "NCCL_IB_PKEY",
          "NCCL_OOB_NET_IFNAME",
          "NCCL_SOCKET_FAMILY");

  /// Variables that every rank reads for every communicator (src/graph/tuning.cc,
  /// `ncclTopoTuneModel`; src/init.cc, `computeBuffSizes`, `envConfigOverride` and `devCommSetup`;
  /// src/graph/connect.cc, `ncclTopoPostset`).
  private static final Set<String> READ_BY_ALL =
      Set.of(
          "NCCL_ALGO",
          "NCCL_PROTO",
          "NCCL_NTHREADS",
          "NCCL_BUFFSIZE",
          "NCCL_LL_BUFFSIZE",
          "NCCL_LL128_BUFFSIZE",
          "NCCL_MIN_NCHANNELS",
          "NCCL_MAX_NCHANNELS",
          "NCCL_COMM_BLOCKING",
          "NCCL_CGA_CLUSTER_SIZE",
          "NCCL_MIN_CTAS",
          "NCCL_MAX_CTAS",
          "NCCL_CTA_POLICY",
          "NCCL_WORK_FIFO_BYTES",
          "NCCL_WORK_ARGS_BYTES");

  /// Variables that every rank reads when it connects a queue pair
  /// (src/transport/net_ib/connect.cc, `ncclIbConnect` and `ncclIbAccept`; up to 2.27 net_ib.cc,
  /// `ncclIbRtsQp`).
  private static final Set<String> READ_OVER_IB =
      Set.of("NCCL_IB_TIMEOUT", "NCCL_IB_RETRY_CNT", "NCCL_IB_QPS_PER_CONNECTION");

  /// Variables that every rank reads when it connects to another GPU of its host
  /// (src/transport/p2p.cc, `p2pGetInfo`).
  private static final Set<String> READ_OVER_P2P = Set.of("NCCL_P2P_READ_ENABLE");

  /// Part of a line of the subsystem BOOTSTRAP, which is on by default, as ENV is (src/debug.cc,
  /// 2.24.3 and later). A rank that prints this line also prints its variables; if it prints none,
  /// it has none.
  private static final String BY_DEFAULT = "Bootstrap: Using ";

  private static final String UNSET = "not set";

  /// Limits the names compared: NCCL and its plugins know some 300 variables; a log may name any
  /// number.
  private static final int MOST_NAMES = 1_024;

  @Override
  public List<Finding> examine(Examination examination) {
    var names = new TreeSet<String>();
    examination.run().processes().forEach(process -> names.addAll(process.environment().keySet()));
    names.removeAll(PER_RANK);
    names.removeIf(name -> WRITTEN.stream().anyMatch(name::endsWith));
    var findings = new ArrayList<Finding>();
    names.stream().limit(MOST_NAMES).forEach(name -> drift(name, examination, findings));
    return findings;
  }

  /// INFO if the variable may differ between hosts by design and each host has one value of it;
  /// else WARNING.
  static Severity severity(String name, DifferingProperty differing) {
    if (!PER_HOST.contains(name)) {
      return Severity.WARNING;
    }
    var hosts = new HashSet<String>();
    for (var processes : differing.processesByValue().values()) {
      var ofValue = new HashSet<String>();
      processes.forEach(process -> ofValue.add(process.source().node() + " " + process.host()));
      for (var host : ofValue) {
        if (!hosts.add(host)) {
          return Severity.WARNING;
        }
      }
    }
    return Severity.INFO;
  }

  private static String value(String name, TrainingProcess process, boolean whole) {
    var value = process.variable(name);
    boolean tells = process.cameUp() && printsVariables(process);
    return value.isEmpty() && whole && tells ? UNSET : value;
  }

  private static boolean printsVariables(TrainingProcess process) {
    var bootstrap = process.proof(TrainingProcess.Statement.INTERFACE);
    return !process.environment().isEmpty()
        || bootstrap != null && bootstrap.text().contains(BY_DEFAULT);
  }

  /// Whether the rank has read the variable by now, set or not.
  private static boolean reads(String name, TrainingProcess process, Examination examination) {
    return READ_BY_ALL.contains(name)
        || READ_OVER_IB.contains(name)
            && connected(
                process,
                examination,
                by -> by instanceof Transport.Net net && net.network().equals("IB"))
        || READ_OVER_P2P.contains(name)
            && connected(process, examination, by -> by instanceof Transport.P2p);
  }

  private static boolean connected(
      TrainingProcess process, Examination examination, Predicate<Transport> by) {
    return process.memberships().values().stream()
            .anyMatch(each -> each.proof(Membership.Statement.RINGS) != null)
        && examination.edges(process).stream().anyMatch(edge -> by.test(edge.transport()));
  }

  private static boolean setByPlugin(String name, Run run) {
    return run.processes().stream()
        .map(process -> process.environment().get(name))
        .anyMatch(variable -> variable != null && variable.byPlugin());
  }

  /// Whether the silence of a rank shows that it does not have the variable: on every host where
  /// some rank prints it, either all ranks that read it do, or the first one does not; and at least
  /// one such host has several ranks. Where a version prints it on the first rank alone, the
  /// silence of the other ranks shows nothing.
  private static boolean silenceTells(String name, Examination examination) {
    var hosts = new HashMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      if (!reads(name, process, examination)) {
        continue;
      }
      hosts.computeIfAbsent(process.hostId(), _ -> new ArrayList<>()).add(process);
    }
    var printing =
        hosts.values().stream()
            .filter(host -> host.stream().anyMatch(it -> !it.variable(name).isEmpty()))
            .toList();
    return printing.stream()
            .allMatch(
                host ->
                    host.getFirst().variable(name).isEmpty()
                        || host.stream().noneMatch(it -> it.variable(name).isEmpty()))
        && printing.stream().anyMatch(host -> host.size() > 1);
  }

  private static void drift(String name, Examination examination, List<Finding> findings) {
    var run = examination.run();
    boolean whole = !setByPlugin(name, run) && silenceTells(name, examination);
    var forbidden = ForbiddenTransport.by(name, examination);
    DifferingProperty.find(
            examination,
            process ->
                forbidden
                    .filter(_ -> process.variable(name).isEmpty())
                    .filter(it -> it.usedBy(process, examination))
                    .map(it -> "not " + it.value())
                    .orElseGet(
                        () -> value(name, process, whole && reads(name, process, examination))))
        .ifPresent(
            differing -> {
              var draft =
                  FindingDraft.about(
                          FindingKind.ENV_DRIFT,
                          severity(name, differing),
                          examination,
                          differing.fewest())
                      .subject(name)
                      .summary("%s differs between ranks: %s".formatted(name, differing.words()))
                      .expected("the same " + name + " on all ranks")
                      .observed(String.join(", ", differing.processesByValue().keySet()));
              for (var processes : differing.processesByValue().values()) {
                var variable = processes.getFirst().environment().get(name);
                draft.proof(variable == null ? null : variable.proof());
              }
              findings.add(draft.finding());
            });
  }
}
