package io.ringside.shipper.source.kubernetes;

import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability.Contact;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Watches objects of one kind. Whatever the server answers, a line takes at most 2 MiB and a
/// connection at most five and a half minutes.
abstract class Watch extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(Watch.class);

  /// Statuses with which the server refuses the version seen last: it is too old, unknown, or from
  /// a store that was restored.
  private static final Set<Integer> LOST = Set.of(400, 410, 504);

  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");

  final WatchTiming timing;
  final KubernetesCounts counts;
  private final ApiServer server;
  private final String resource;
  private final String selector;
  private final Contact contact;
  private volatile @Nullable Answer open;
  private String seen = "";
  private Duration rest;
  private boolean saidWhy;

  /// @param resource kind of objects, such as `pods`
  /// @param selector selects objects by their fields
  Watch(
      String name,
      ApiServer server,
      String resource,
      String selector,
      WatchTiming timing,
      KubernetesCounts counts,
      Contact contact,
      LongSupplier ticker) {
    super(name, ticker);
    this.server = server;
    this.resource = resource;
    this.selector = selector;
    this.timing = timing;
    this.counts = counts;
    this.contact = contact;
    this.rest = timing.first();
  }

  /// Takes the current state of an object.
  abstract void changed(JsonNode object);

  /// Takes the last state of an object that was deleted, after {@link #changed}; does nothing more
  /// unless a watch remembers objects.
  void deleted(JsonNode object) {}

  @Override
  protected void round() {
    waits(true);
    boolean told = false;
    long began = ticker.getAsLong();
    try {
      try (var answer =
          server.watch(
              resource,
              selector,
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
      failed(Failure.UNREACHABLE, "the API server did not answer", e.toString());
    } finally {
      waits(false);
      // a watch that lasted its full length succeeded, even without any event; but the server sends
      // bookmarks unless it has not reached the version seen last, as after its store was restored
      // (seen with Kubernetes 1.34)
      boolean lasted = ticker.getAsLong() - began >= timing.length().toNanos();
      if (lasted && !told && !seen.isEmpty()) {
        gone();
      }
      told |= lasted;
      var twice = rest.multipliedBy(2);
      rest =
          told ? timing.first() : twice.compareTo(timing.longest()) < 0 ? twice : timing.longest();
    }
  }

  @Override
  protected Duration rest() {
    return rest;
  }

  /// Reads until the server ends the watch.
  ///
  /// @return whether the server sent any event
  private boolean watch(Answer answer) throws IOException {
    int status = answer.status();
    if (status == 200) {
      contact.reached();
      return read(answer.body());
    }
    if (LOST.contains(status)) {
      gone();
    } else {
      boolean refused = status == 401 || status == 403;
      failed(
          refused ? Failure.REFUSED : Failure.GARBAGE,
          "the API server answered with status " + status,
          "status " + status);
    }
    return false;
  }

  /// Closes the socket, since an interrupt does not end a socket read.
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

  private boolean take(byte[] line) {
    JsonNode event;
    try {
      event = EventJson.MAPPER.readTree(line);
    } catch (JacksonException e) {
      counts.failures.count(Failure.GARBAGE);
      return false;
    }
    var object = event.path("object");
    switch (event.path("type").asString("")) {
      case "ADDED", "MODIFIED" -> changed(object);
      case "DELETED" -> {
        changed(object);
        deleted(object);
      }
      case "BOOKMARK" -> {
        // only reports the watch's current version
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

  private void gone() {
    seen = "";
    counts.failures.count(Failure.GONE);
  }

  /// @param outcome as it stands in the node's report, equal as long as it fails in the same way
  private void failed(Failure failure, String outcome, String why) {
    counts.failures.count(failure);
    contact.failed("cannot watch %s: %s".formatted(resource, outcome));
    if (!saidWhy && !stopping()) {
      saidWhy = true;
      LOGGER
          .atWarn()
          .addKeyValue("asked", resource)
          .addKeyValue("reason", why)
          .log("Kubernetes does not tell what it is asked, trying again");
    }
  }
}
