package io.ringside.shipper.source.kubernetes;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.pod.PodEnd;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Watches the pods of this node, and sends one line for each container that terminated with a reason, each pod that was taken
/// away, and each pod with GPUs whose label names a team, as the pod's own log: the service judges it as it does what `kubectl
/// describe` says. Whatever the server answers, a line takes 2 MiB at most and a connection five minutes and a half.
public final class PodWatch extends LoopingSource {
  /// How it waits.
  ///
  /// @param length of one watch, after which the server ends it
  /// @param first rest, which doubles with each try that fails
  /// @param past how old an end may be that is found at the start
  /// @param late by so much the server may be
  public record Timing(
      Duration length, Duration first, Duration longest, Duration past, Duration late) {
    public static final Timing USUAL =
        new Timing(
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(30));
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(PodWatch.class);

  /// Lines that are known to be sent.
  private static final int MOST_SENT = 4_096;

  /// By these it refuses the version that was seen last: too old, none of its own, of a store that was put back.
  private static final Set<Integer> LOST = Set.of(400, 410, 504);

  private static final Pattern LABEL_VALUE =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");

  private final Identity identity;
  private final ApiServer server;
  private final Timing timing;
  private final String teamLabel;
  private final UnaryOperator<String> mask;
  private final Consumer<LogChunk> sink;
  private final KubernetesCounts counts;
  private final InstantSource clock;
  private final long epoch;

  /// By pod's uid and line, the oldest first.
  private final Map<String, Boolean> sent =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_SENT;
        }
      };

  private volatile @Nullable Answer open;
  private String seen = "";
  private Duration rest;
  private boolean saidWhy;

  /// @param teamLabel whose value is sent, empty for none
  /// @param mask hides secrets
  public PodWatch(
      Identity identity,
      ApiServer server,
      Timing timing,
      String teamLabel,
      UnaryOperator<String> mask,
      Consumer<LogChunk> sink,
      KubernetesCounts counts,
      InstantSource clock,
      LongSupplier ticker) {
    super("kubernetes", ticker);
    this.identity = identity;
    this.server = server;
    this.timing = timing;
    this.teamLabel = teamLabel;
    this.mask = mask;
    this.sink = sink;
    this.counts = counts;
    this.clock = clock;
    this.epoch = clock.instant().toEpochMilli();
    this.rest = timing.first();
  }

  @Override
  protected void round() {
    waits(true);
    boolean told = false;
    long began = ticker.getAsLong();
    try {
      try (var answer =
          server.watch(
              identity.node(),
              seen,
              timing.length(),
              timing.length().plus(timing.late()),
              ticker)) {
        open = answer;
        told = watch(answer);
      } finally {
        open = null;
      }
    } catch (IOException | IllegalArgumentException e) {
      failed(Failure.UNREACHABLE, e.toString());
    } finally {
      waits(false);
      // where nothing happens it says nothing
      told |= ticker.getAsLong() - began >= timing.length().toNanos();
      var twice = rest.multipliedBy(2);
      rest =
          told ? timing.first() : twice.compareTo(timing.longest()) < 0 ? twice : timing.longest();
    }
  }

  @Override
  protected Duration rest() {
    return rest;
  }

  /// Reads until the server ends it.
  ///
  /// @return whether it told anything
  private boolean watch(Answer answer) throws IOException {
    int status = answer.status();
    if (status == 200) {
      return read(answer.body());
    }
    if (LOST.contains(status)) {
      gone();
    } else {
      boolean refused = status == 401 || status == 403;
      failed(refused ? Failure.REFUSED : Failure.GARBAGE, "status " + status);
    }
    return false;
  }

  /// No interrupt reaches who reads from a socket.
  @Override
  protected void leave() {
    var answer = open;
    if (answer != null) {
      answer.close();
    }
  }

  private boolean read(InputStream body) throws IOException {
    boolean told = false;
    var lines = new WatchLines(body, counts);
    for (var line = lines.next(); line != null && !stopping(); line = lines.next()) {
      told |= take(line);
    }
    return told;
  }

  private boolean take(String line) {
    JsonNode event;
    try {
      event = EventJson.MAPPER.readTree(line);
    } catch (JacksonException e) {
      counts.failures.count(Failure.GARBAGE);
      return false;
    }
    var object = event.path("object");
    switch (event.path("type").asString("")) {
      case "ADDED", "MODIFIED", "DELETED" -> pod(object);
      case "BOOKMARK" -> {
        // says only how far the watch has come
      }
      case "ERROR" -> {
        if (LOST.contains(object.path("code").asInt(0))) {
          gone();
        } else {
          counts.failures.count(Failure.GARBAGE);
        }
        return false;
      }
      default -> {
        counts.failures.count(Failure.GARBAGE);
        return false;
      }
    }
    var version = object.at("/metadata/resourceVersion").asString("");
    if (NAME.matcher(version).matches()) {
      seen = version;
    }
    saidWhy = false;
    return true;
  }

  private void pod(JsonNode pod) {
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
    for (var end : PodEnd.of(pod)) {
      var at = end.nanos() == NO_TIME ? now : Math.min(end.nanos(), now);
      if (at >= now - timing.past().toNanos() && send(source, end.line(), at)) {
        counts.ends.increment();
      }
    }
    team(pod).ifPresent(line -> send(source, line, now));
  }

  /// Of a pod that holds GPUs: others have no bill.
  private Optional<String> team(JsonNode pod) {
    var team = pod.path("metadata").path("labels").path(teamLabel).asString("");
    var name = pod.at("/metadata/name").asString("");
    return LABEL_VALUE.matcher(team).matches() && NAME.matcher(name).matches() && holdsGpus(pod)
        ? Optional.of("kubernetes: pod/%s Team: %s".formatted(name, team))
        : Optional.empty();
  }

  /// `nvidia.com/gpu: 8`, `nvidia.com/mig-1g.5gb: 1`, `amd.com/gpu: 8` among a container's limits.
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

  /// @return whether it was not sent before
  private boolean send(LogSource source, String line, long at) {
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

  /// One line a chunk: they are rare. Where others have an offset in a file it has a number. It ends there: nobody waits for more.
  ///
  /// @param number of the pod's lines before
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

  private void gone() {
    seen = "";
    counts.failures.count(Failure.GONE);
  }

  private void failed(Failure failure, String why) {
    counts.failures.count(failure);
    if (!saidWhy && !stopping()) {
      saidWhy = true;
      LOGGER
          .atWarn()
          .addKeyValue("reason", why)
          .log("Kubernetes does not tell of this node's pods, trying again");
    }
  }
}
