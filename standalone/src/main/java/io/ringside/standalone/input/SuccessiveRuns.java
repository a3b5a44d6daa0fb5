package io.ringside.standalone.input;

import io.ringside.shipper.config.Identity;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds successive runs of one job saved side by side: `run1.log` and `run2.log`, `slurm-811.out`
/// and `slurm-812.out`, `attempt_0/rank0.log` and `attempt_1/rank0.log`. A number or a date in a
/// name may mean anything. The files are runs of one job if each continues with the steps at which
/// the previous one ended. Runs of a sweep begin with the same step, and so do ranks.
///
/// Applies only to logs that contain communicators, which distinguish runs: two runs can then be
/// compared, whereas two parts of one log cannot.
final class SuccessiveRuns {
  private static final int MOST = 64;

  /// A name with a number; the text after the number must be the same.
  private static final Pattern COUNTED =
      Pattern.compile(
          "(?i)(?<before>.*?)(?<![a-z])(?<word>run|attempt|try|retry|restart|resumed?|launch|start|session|job|slurm"
              + "|train|training|pretrain|pretraining|finetune|finetuning|sft|log|out|output|stdout|console)"
              + "[-_.]?(?<number>\\d{1,14})(?<after>(?:[-_.]\\D*)?)");

  /// `train_2026-01-01`, `20260101T0800-train`.
  private static final Pattern DATED =
      Pattern.compile(
          "(?<before>|.*?[-_.])(?<number>20\\d\\d-?[01]\\d-?[0-3]\\d(?:[-_T]?[0-2]\\d[-:]?[0-5]\\d(?:[-:]?[0-5]\\d)?)?)(?<after>(?:[-_.]\\D*)?)");

  private static final Pattern EDGE = Pattern.compile("^[-_. ]+|[-_. ]+$");

  private static final int LEAST_NAME = 2;

  private SuccessiveRuns() {}

  /// A file or folder whose name contains a run's number.
  ///
  /// @param series the path with the number replaced
  /// @param name name of the series
  private record Counted(Path series, Path path, BigInteger number, String name) {}

  /// The logs of one numbered file or folder.
  private record Unit(Counted of, List<InputFile> logs, StepsOfLog steps) {}

  /// The same files; those of one job get one name. A series of several jobs is left as it is.
  static List<InputFile> joined(List<InputFile> files) {
    Map<Path, Map<Path, List<InputFile>>> series = new LinkedHashMap<>();
    Map<Path, Counted> names = new HashMap<>();
    for (var file : files) {
      if (file.kind() == InputFile.Kind.LOG && !Identity.isKubeletFile(file.path())) {
        counted(Path.of(file.name()))
            .ifPresent(
                counted -> {
                  names.put(counted.path(), counted);
                  series
                      .computeIfAbsent(counted.series(), _ -> new LinkedHashMap<>())
                      .computeIfAbsent(counted.path(), _ -> new ArrayList<>())
                      .add(file);
                });
      }
    }
    var result = files;
    for (var alike : series.values()) {
      if (alike.size() > 1 && alike.size() <= MOST) {
        var chains = chains(alike, names);
        if (chains.size() == 1) {
          result = joined(result, chains.getFirst());
        }
      }
    }
    return result;
  }

  /// The numbered name nearest to the file.
  private static Optional<Counted> counted(Path file) {
    for (Path at = file; at != null && at.getFileName() != null; at = at.getParent()) {
      var name = at.getFileName().toString();
      boolean isFile = at.equals(file);
      int dot = isFile ? name.lastIndexOf('.') : -1;
      var bare = dot > 0 ? name.substring(0, dot) : name;
      var found = counted(at, bare, dot > 0 ? name.substring(dot) : "");
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Counted> counted(Path path, String bare, String extension) {
    for (var pattern : List.of(DATED, COUNTED)) {
      var matcher = pattern.matcher(bare);
      if (matcher.matches()) {
        var before = matcher.group("before");
        var word = pattern == COUNTED ? matcher.group("word") : "";
        var after = matcher.group("after");
        return Optional.of(
            new Counted(
                path.resolveSibling(before + word + "#" + after + extension),
                path,
                new BigInteger(matcher.group("number").replaceAll("\\D", "")),
                name(before, after, path, word)));
      }
    }
    return Optional.empty();
  }

  /// The text around the number, else the folder's name, else the word before the number.
  private static String name(String before, String after, Path path, String word) {
    var around = EDGE.matcher(before + after).replaceAll("");
    if (around.length() >= LEAST_NAME) {
      return around;
    }
    var folder = path.getParent();
    var its = folder == null || folder.getFileName() == null ? "" : folder.getFileName().toString();
    return !its.isEmpty() && !its.equals(".") ? its : word.isEmpty() ? "job" : word;
  }

  /// Chains of runs of one job, each in order.
  private static List<List<Unit>> chains(
      Map<Path, List<InputFile>> alike, Map<Path, Counted> names) {
    var units =
        alike.entrySet().stream()
            .flatMap(
                entry ->
                    Stream.ofNullable(names.get(entry.getKey()))
                        .map(of -> new Unit(of, entry.getValue(), steps(entry.getValue()))))
            .filter(unit -> !unit.steps().none())
            .sorted(Comparator.comparing(unit -> unit.of().number()))
            .toList();
    var chains = new ArrayList<List<Unit>>();
    for (var unit : units) {
      var last = chains.isEmpty() ? List.<Unit>of() : chains.getLast();
      if (!last.isEmpty() && last.getLast().steps().goesOnIn(unit.steps())) {
        last.add(unit);
      } else {
        chains.add(new ArrayList<>(List.of(unit)));
      }
    }
    chains.removeIf(chain -> chain.size() < 2);
    return chains;
  }

  /// The steps of the first log that has any.
  private static StepsOfLog steps(List<InputFile> logs) {
    StepsOfLog steps = StepsOfLog.of(logs.getFirst());
    for (int i = 1; i < logs.size() && steps.none(); i++) {
      steps = StepsOfLog.of(logs.get(i));
    }
    return steps;
  }

  private static List<InputFile> joined(List<InputFile> files, List<Unit> runs) {
    var logs = runs.stream().flatMap(run -> run.logs().stream()).toList();
    Set<InputFile> taken = new HashSet<>(logs);
    var jobs = logs.stream().map(SuccessiveRuns::job).collect(Collectors.toSet());
    var others =
        files.stream()
            .filter(file -> file.kind() == InputFile.Kind.LOG && !taken.contains(file))
            .map(SuccessiveRuns::job)
            .collect(Collectors.toSet());
    var name = jobs.size() == 1 ? jobs.iterator().next() : runs.getFirst().of().name();
    if (others.contains(name)
        || !Collections.disjoint(others, jobs)
        || runs.stream().noneMatch(run -> run.steps().communicates())) {
      return files;
    }
    return files.stream()
        .map(file -> taken.contains(file) ? file.ofJob(file.namespace(), name) : file)
        .toList();
  }

  /// The log's job: found from its content, or told by its name.
  static String job(InputFile log) {
    return log.job().isEmpty()
        ? Identity.ofNode("", log.node()).sourceOf(log.path()).job()
        : log.job();
  }
}
