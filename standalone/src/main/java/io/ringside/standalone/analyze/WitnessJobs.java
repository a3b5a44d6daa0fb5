package io.ringside.standalone.analyze;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.config.Identity;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// Finds the jobs that a witness's file belongs to: those whose logs are nearest to it, else a job
/// with the name of its folder.
final class WitnessJobs {
  /// Names of folders that describe their content, not a job.
  private static final Set<String> PLAIN =
      Set.of("flightrecorder", "flight_recorder", "fr", "inspector", "ras", "dumps", "traces");

  private static final int HEAD = 64 * 1024;

  /// A log of at least this many bytes is a program's, whatever its beginning.
  private static final int LONG = 256 * 1024;

  private final Inputs inputs;
  private final Labels labels;
  private final Map<InputFile, Boolean> training = new HashMap<>();
  private final Map<String, LogSource> withoutLogs = new TreeMap<>();

  WitnessJobs(Inputs inputs, Labels labels) {
    this.inputs = inputs;
    this.labels = labels;
  }

  /// Jobs found so far that have no logs, each named after its folder.
  Collection<LogSource> withoutLogs() {
    return withoutLogs.values();
  }

  /// The file as a source of each of its jobs.
  List<LogSource> of(InputFile file) throws IOException {
    var path = file.path();
    for (var folder = path.getParent(); ; folder = folder.getParent()) {
      var found = beside(folder, file);
      if (!found.isEmpty()) {
        return found;
      }
      if (folder == null) {
        return List.of(alone(file));
      }
    }
  }

  private List<LogSource> beside(@Nullable Path folder, InputFile file) throws IOException {
    Map<JobKey, LogSource> jobs = new LinkedHashMap<>();
    for (var log : inputs.of(InputFile.Kind.LOG)) {
      if ((folder == null || log.path().startsWith(folder)) && isTraining(log)) {
        var source = labels.identity(log).sourceOf(log.path());
        jobs.putIfAbsent(JobKey.of(source), named(source, file));
      }
    }
    return List.copyOf(jobs.values());
  }

  private boolean isTraining(InputFile log) throws IOException {
    var known = training.get(log);
    if (known == null) {
      known = ofTraining(log);
      training.put(log, known);
    }
    return known;
  }

  /// Whether a file is a training log, since notes and tables may lie beside logs.
  private static boolean ofTraining(InputFile log) throws IOException {
    if (Identity.isKubeletFile(log.path()) || log.bytes() > LONG) {
      return true;
    }
    try (var in = open(log.path())) {
      var head = new String(in.readNBytes(HEAD), StandardCharsets.UTF_8);
      return head.contains("NCCL") || head.contains("torch") || head.contains("[rank");
    }
  }

  private static InputStream open(Path path) throws IOException {
    var raw = Files.newInputStream(path);
    return new BufferedInputStream(
        path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw);
  }

  private LogSource alone(InputFile file) {
    var folder = file.path().toAbsolutePath().getParent();
    while (folder != null && folder.getFileName() != null && PLAIN.contains(name(folder))) {
      folder = folder.getParent();
    }
    var named = folder == null || folder.getFileName() == null ? "job" : name(folder);
    var job = labels.job().isEmpty() ? named : labels.job();
    withoutLogs.put(job, source(file, job, String.valueOf(folder)));
    return source(file, job, file.path().toString());
  }

  private LogSource source(InputFile file, String job, String path) {
    return new LogSource(labels.cluster(), file.node(), "", name(file.path()), "", "", job, path);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static LogSource named(LogSource log, InputFile file) {
    return new LogSource(
        log.cluster(),
        file.node(),
        log.namespace(),
        log.pod(),
        log.podUid(),
        log.container(),
        log.job(),
        file.path().toString());
  }
}
