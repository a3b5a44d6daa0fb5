package io.ringside.streams.detect.network;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.HostName;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.PortHistory;
import io.ringside.streams.job.hardware.PortSample;
import io.ringside.streams.job.hardware.SavedPorts.Gain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds ports whose errors rise between saved `rdma statistic show` outputs, or outputs of the
/// kernel's files, while those of the other ports in the file with similar traffic do not. Counts
/// from before the first output are the machine's past and are ignored.
public final class SavedPortErrors implements Detector {
  /// Ports that carry this many times more or less are no peers: a port with more traffic may lose
  /// more.
  private static final double AS_MUCH = 4;

  /// Minimum share of bad outputs. One bad minute in a long file is no trouble of the job.
  private static final double LEAST_SHARE = 0.1;

  /// Artificial distance between two outputs of a file, so that they never count as the same
  /// minute.
  private static final long APART_NANOS = 300_000_000_000L;

  /// As with live ports: a port whose share is smaller than the worst by more than this factor may
  /// be the other end of its path.
  private static final double VICTIM = 3;

  @Override
  public List<Finding> examine(Examination examination) {
    if (!examination.newestRun()) {
      return List.of();
    }
    var told = new ArrayList<Told>();
    for (var file : examination.job().ports()) {
      told.addAll(told(file.gains(), examination));
    }
    return told.stream()
        .filter(
            it ->
                told.stream()
                    .filter(other -> other.port().trouble() == it.port().trouble())
                    .allMatch(other -> it.port().share() * VICTIM >= other.port().share()))
        .map(it -> finding(it, examination))
        .toList();
  }

  /// @param gains increases at the bad outputs
  /// @param times number of outputs in all
  private record Told(PortSuspicion port, List<Gain> gains, int times) {}

  private static List<Told> told(Map<String, List<Gain>> file, Examination examination) {
    var limit = examination.expectations().thresholds().hardware();
    var ports = ports(file);
    var told = new ArrayList<Told>();
    for (var trouble : PortErrorKind.values()) {
      if (trouble == PortErrorKind.LINK_DOWN) {
        continue; // the link counters are not read from saved outputs
      }
      for (var port : PortSuspicion.of(trouble, ports, limit)) {
        var all = file.getOrDefault(port.device(), List.of());
        if (port.bad().size() >= LEAST_SHARE * all.size()) {
          var times = port.bad().stream().map(PortSample::atNanos).toList();
          var bad = all.stream().filter(gain -> times.contains(nanos(gain))).toList();
          told.add(new Told(port, bad, all.size()));
        }
      }
    }
    return told;
  }

  private static List<PortSuspicion.Port> ports(Map<String, List<Gain>> file) {
    var usual = usual(file);
    var ports = new ArrayList<PortSuspicion.Port>();
    file.forEach(
        (device, gains) ->
            ports.add(
                new PortSuspicion.Port(
                    "",
                    device,
                    new PortHistory(),
                    gains.stream()
                        .filter(gain -> asMuch(gain, usual.getOrDefault(gain.time(), 0L)))
                        .map(gain -> new PortSample(nanos(gain), gain.facts()))
                        .toList())));
    return ports;
  }

  private static long nanos(Gain gain) {
    return gain.time() * APART_NANOS;
  }

  /// Median traffic, in packets, of the ports with traffic, by output.
  private static Map<Integer, Long> usual(Map<String, List<Gain>> file) {
    var carried = new LinkedHashMap<Integer, List<Long>>();
    for (var gains : file.values()) {
      for (var gain : gains) {
        if (gain.facts().packets() > 0) {
          carried.computeIfAbsent(gain.time(), _ -> new ArrayList<>()).add(gain.facts().packets());
        }
      }
    }
    var usual = new LinkedHashMap<Integer, Long>();
    carried.forEach(
        (time, all) -> usual.put(time, all.stream().sorted().toList().get(all.size() / 2)));
    return usual;
  }

  private static boolean asMuch(Gain gain, long usual) {
    long own = gain.facts().packets();
    return own > 0 && own <= AS_MUCH * usual && usual <= AS_MUCH * own;
  }

  private static Finding finding(Told told, Examination examination) {
    var port = told.port();
    var file = told.gains().getFirst().line().file();
    var name = file.substring(file.lastIndexOf('/') + 1);
    long events =
        told.gains().stream().mapToLong(gain -> gain.facts().events(port.trouble())).sum();
    var draft =
        FindingDraft.about(
                FindingKind.NETWORK_ERRORS,
                Severity.WARNING,
                examination,
                onHostOf(name, examination))
            .subject("%s %s of %s".formatted(port.trouble(), port.device(), name))
            .summary(
                "%s of %s rise in %s: by %d at %d of %d times, %s"
                    .formatted(
                        port.trouble().words(),
                        port.device(),
                        name,
                        events,
                        told.gains().size(),
                        told.times(),
                        port.words()))
            .expected("no more than the other ports that carry as much")
            .observed(told.gains().getLast().facts().words() + " since the time before")
            .cause(NetworkErrors.CAUSE);
    told.gains().forEach(gain -> draft.proof(gain.line()));
    return draft.finding();
  }

  /// The processes on the host that the file's name contains; empty unless it is exactly one host.
  private static List<TrainingProcess> onHostOf(String file, Examination examination) {
    var named =
        examination.run().processes().stream()
            .filter(process -> HostName.standsIn(file, process.host()))
            .toList();
    return named.stream().map(TrainingProcess::host).distinct().count() == 1 ? named : List.of();
  }
}
