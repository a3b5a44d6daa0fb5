package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.shipper.config.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds the logs of one container that was started several times. The kubelet names each start's
/// log by its number, `0.log`, `1.log`, and a copy of their folder has no pod's name around them.
/// The numbers may also be those of ranks, so the logs must be a container runtime's, and each must
/// begin after the one before has ended.
final class ContainerStarts {
  private static final Pattern NUMBERED = Pattern.compile("(\\d{1,6})\\.log");

  private static final int END = 64 * 1024;

  private ContainerStarts() {}

  /// A start's log.
  private record Start(int number, Instant first, Instant last) {}

  /// The same files; the logs of one container are of a job named after their folder.
  static List<InputFile> joined(List<InputFile> files) {
    var folders = new LinkedHashMap<Path, List<InputFile>>();
    for (var file : files) {
      var folder = file.path().toAbsolutePath().normalize().getParent();
      if (folder != null && isNumbered(file)) {
        folders.computeIfAbsent(folder, _ -> new ArrayList<>()).add(file);
      }
    }
    Map<InputFile, String> jobs = new LinkedHashMap<>();
    folders.forEach(
        (folder, logs) -> {
          var name = folder.getFileName();
          if (name != null && logs.size() > 1 && followOneAnother(logs)) {
            logs.forEach(log -> jobs.put(log, name.toString()));
          }
        });
    jobs.values().removeAll(jobsOfOthers(files, jobs.keySet()));
    return jobs.isEmpty()
        ? files
        : files.stream()
            .map(
                file ->
                    jobs.containsKey(file) ? file.ofJob(file.namespace(), jobs.get(file)) : file)
            .toList();
  }

  private static boolean isNumbered(InputFile file) {
    return file.kind() == InputFile.Kind.LOG
        && file.job().isEmpty()
        && file.parts().size() == 1
        && !Identity.isKubeletFile(file.path())
        && NUMBERED.matcher(String.valueOf(file.path().getFileName())).matches();
  }

  private static Set<String> jobsOfOthers(List<InputFile> files, Set<InputFile> starts) {
    return files.stream()
        .filter(file -> file.kind() == InputFile.Kind.LOG && !starts.contains(file))
        .map(SuccessiveRuns::job)
        .collect(Collectors.toSet());
  }

  private static boolean followOneAnother(List<InputFile> logs) {
    var starts = new ArrayList<Start>();
    for (var log : logs) {
      var start = start(log);
      if (start.isEmpty()) {
        return false;
      }
      starts.add(start.get());
    }
    starts.sort(Comparator.comparingInt(Start::number));
    for (int i = 1; i < starts.size(); i++) {
      if (!starts.get(i).first().isAfter(starts.get(i - 1).last())) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Start> start(InputFile log) {
    var name = NUMBERED.matcher(String.valueOf(log.path().getFileName()));
    try {
      var first = StepsOfLog.RUNTIME.matcher(new String(Head.of(log.path()).bytes(), UTF_8));
      var last = StepsOfLog.RUNTIME.matcher(new String(Head.end(log.path(), END), UTF_8));
      return name.matches() && first.lookingAt()
          ? last.results()
              .reduce((_, later) -> later)
              .map(it -> new Start(Integer.parseInt(name.group(1)), at(first), at(it)))
          : Optional.empty();
    } catch (IOException | DateTimeException e) {
      return Optional.empty(); // an unreadable file is reported when it is read
    }
  }

  private static Instant at(MatchResult stamp) {
    return OffsetDateTime.parse(stamp.group(1)).toInstant();
  }
}
