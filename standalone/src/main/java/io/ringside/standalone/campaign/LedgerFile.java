package io.ringside.standalone.campaign;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.UnusableInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads the ledger from JSON values in a row: records of the topic, reports of `analyze --json`,
/// or answers of the API. If a run occurs several times the last one counts, as on the topic.
final class LedgerFile {
  private final Map<Key, RunSummary> runs = new LinkedHashMap<>();

  private LedgerFile() {}

  private record Key(JobKey job, String run) {}

  /// @param name a path, or `-` for standard input
  /// @throws UnusableInput if it contains no run
  static List<RunSummary> read(String name, InputStream stdin) {
    var file = new LedgerFile();
    try (var in = name.equals("-") ? stdin : Files.newInputStream(Path.of(name));
        var values = EventJson.MAPPER.readerFor(JsonNode.class).<JsonNode>readValues(in)) {
      values.forEachRemaining(file::take);
    } catch (IOException e) {
      throw new UnusableInput("%s cannot be read: %s.".formatted(name, e.getMessage()), e);
    } catch (JacksonException e) {
      throw new UnusableInput(
          "%s is not a ledger: line %d is not JSON."
              .formatted(name, e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
          e);
    }
    if (file.runs.isEmpty()) {
      throw new UnusableInput(
          "%s holds no run; give lines of ringside.runs.v1, or what analyze --json prints."
              .formatted(name));
    }
    return List.copyOf(file.runs.values());
  }

  private void take(JsonNode value) {
    if (value.has("run") && value.has("nranks") && value.has("waits")) {
      var run = EventJson.MAPPER.treeToValue(value, RunSummary.class);
      runs.put(new Key(JobKey.of(run), run.run()), run);
    } else {
      value.path("runs").forEach(this::take);
      value.path("jobs").forEach(this::take);
    }
  }
}
