package io.ringside.shipper.source.kubernetes;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.WitnessReachability.Contact;
import io.ringside.shipper.source.pod.PodEnd;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Watches the pods of this node. Sends one line for each container that terminated with a reason,
/// each evicted or deleted pod, and each pod with GPUs whose label names a team. The line goes into
/// the pod's own log, and the service judges it like the output of `kubectl describe`.
public final class PodWatch extends Watch {
  /// Limit of the lines remembered as sent.
  private static final int MOST_SENT = 4_096;

  private static final Pattern LABEL_VALUE =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

  private final Identity identity;
  private final String teamLabel;
  private final UnaryOperator<String> mask;
  private final Consumer<LogChunk> sink;
  private final InstantSource clock;
  private final long epoch;

  /// Running pods with GPUs, by their uid.
  private final Map<String, LogSource> running = new ConcurrentHashMap<>();

  /// Lines already sent, keyed by the pod's uid and the line, oldest first.
  private final Map<String, Boolean> sent =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_SENT;
        }
      };

  /// @param teamLabel pod label whose value is sent, empty for none
  /// @param mask hides secrets
  /// @param contact is told whether the API server answers
  public PodWatch(
      Identity identity,
      ApiServer server,
      WatchTiming timing,
      String teamLabel,
      UnaryOperator<String> mask,
      Consumer<LogChunk> sink,
      KubernetesCounts counts,
      Contact contact,
      InstantSource clock,
      LongSupplier ticker) {
    super(
        "kubernetes",
        server,
        "pods",
        "spec.nodeName=" + identity.node(),
        timing,
        counts,
        contact,
        ticker);
    this.identity = identity;
    this.teamLabel = teamLabel;
    this.mask = mask;
    this.sink = sink;
    this.clock = clock;
    this.epoch = clock.instant().toEpochMilli();
  }

  @Override
  void changed(JsonNode pod) {
    var name = pod.at("/metadata/name").asString("");
    var space = pod.at("/metadata/namespace").asString("");
    var uid = pod.at("/metadata/uid").asString("");
    if (!pod.at("/spec/nodeName").asString("").equals(identity.node())
        || !NAME.matcher(space).matches()
        || !NAME.matcher(uid).matches()) {
      return;
    }
    var now = Nanos.of(clock.instant());
    var source = source(space, name, uid);
    if (holdsGpus(pod) && pod.at("/status/phase").asString("").equals("Running")) {
      running.put(uid, source);
    } else {
      running.remove(uid);
    }
    for (var end : PodEnd.of(pod)) {
      var at = end.nanos() == NO_TIME ? now : Math.min(end.nanos(), now);
      if (at >= now - timing.past().toNanos() && send(source, end.line(), at)) {
        counts.ends.increment();
      }
    }
    team(pod).ifPresent(line -> send(source, line, now));
  }

  /// A pod that is deleted by force is still running in its last state.
  @Override
  void deleted(JsonNode pod) {
    running.remove(pod.at("/metadata/uid").asString(""));
  }

  /// The line that names the team of a pod with GPUs; pods without GPUs have no bill.
  private Optional<String> team(JsonNode pod) {
    var team = pod.path("metadata").path("labels").path(teamLabel).asString("");
    var name = pod.at("/metadata/name").asString("");
    return LABEL_VALUE.matcher(team).matches() && NAME.matcher(name).matches() && holdsGpus(pod)
        ? Optional.of("kubernetes: pod/%s Team: %s".formatted(name, team))
        : Optional.empty();
  }

  /// Whether a container's limits contain `nvidia.com/gpu: 8`, `nvidia.com/mig-1g.5gb: 1`,
  /// `amd.com/gpu: 8` or the like.
  private static boolean holdsGpus(JsonNode pod) {
    for (var container : pod.at("/spec/containers")) {
      for (var resource : container.at("/resources/limits").propertyNames()) {
        if (resource.startsWith("nvidia.com/") || resource.endsWith(".com/gpu")) {
          return true;
        }
      }
    }
    return false;
  }

  /// Sends a line for each running pod with GPUs, once each.
  ///
  /// @param words text of the line after the pod's name
  void ofAll(String words, long at) {
    running
        .values()
        .forEach(
            source -> send(source, "kubernetes: pod/%s %s".formatted(source.pod(), words), at));
  }

  /// @return whether the line was sent now; false if it was sent before
  private synchronized boolean send(LogSource source, String line, long at) {
    var uid = source.podUid();
    if (sent.putIfAbsent(uid + " " + line, true) != null) {
      return false;
    }
    long before = sent.keySet().stream().filter(key -> key.startsWith(uid + " ")).count() - 1;
    sink.accept(chunk(source, before, line, at));
    return true;
  }

  private LogSource source(String space, String pod, String uid) {
    return new LogSource(
        identity.cluster(),
        identity.node(),
        space,
        pod,
        uid,
        "",
        identity.jobOf(pod),
        "kubernetes/%s_%s_%s".formatted(space, pod, uid));
  }

  /// Makes a chunk of one line, since these lines are rare. Its offset is a line number rather than
  /// a file offset. The chunk ends the log, so that no reader waits for more.
  ///
  /// @param number how many lines of the pod were sent before
  private LogChunk chunk(LogSource source, long number, String line, long nanos) {
    return new LogChunk(
        source,
        epoch,
        number,
        number,
        number + 1,
        clock.instant(),
        true,
        true,
        Text.of(mask.apply(line)),
        new int[] {0},
        nanos,
        new long[] {0},
        new int[0]);
  }
}
