package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.config.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds logs of one job whatever their names. Ranks whose communicators have the same id belong to
/// one job, even if `NCCL_DEBUG_FILE` or a user gave each file another name. Files with the same
/// rank are copies of each other, and stay separate. Files `rank0.log`, `rank1.log` and so on in
/// one folder belong to one job too, unless communicators contradict, and so does the output of
/// their launcher, `torchrun.log` or `stderr.txt`.
final class SameJobLogs {
  /// Bytes searched for ranks. Ranks start near the top of a log, but a container's installations
  /// may come before.
  private static final int HEAD = 256 * 1024;

  /// A communicator's line in NCCL from 2.16.2 on and RCCL (src/init.cc).
  private static final Pattern RANK =
      Pattern.compile(
          " rank (?<rank>\\d+) nranks (?:[2-9]|\\d{2,}) [^\\n]*?commId (?<id>0x[0-9a-f]{4,})");

  private static final Pattern TAIL = Pattern.compile("(?:[-_. ]|\\d)+$");

  /// Names that contain only the rank that wrote the file; `run1` or `gpu0` may be separate jobs.
  private static final Pattern NUMBERED =
      Pattern.compile(
          "(?<what>(?:local|global)?[-_]?rank|worker|trainer|proc|process)[-_. ]?(?<number>\\d{1,5})",
          Pattern.CASE_INSENSITIVE);

  /// Names that contain only the launcher of the ranks.
  private static final Pattern LAUNCHER =
      Pattern.compile(
          "(?<what>launch|launcher|torchrun|elastic|mpirun|mpiexec|srun|slurm|deepspeed|accelerate"
              + "|stdout|stderr|console|nohup)(?:[-_.]?\\d+)?",
          Pattern.CASE_INSENSITIVE);

  private static final int LEAST_NAME = 2;

  private SameJobLogs() {}

  private record Member(String world, String rank) {}

  /// Logs that belong together. Compared by identity, since it changes while it is in use.
  private static final class Group {
    final List<InputFile> files = new ArrayList<>();
    final Set<String> worlds = new HashSet<>();
    final Set<Member> members = new HashSet<>();

    void take(Group other) {
      files.addAll(0, other.files);
      worlds.addAll(other.worlds);
      members.addAll(other.members);
    }
  }

  /// The same files in the same order; those of one world get one job name.
  static List<InputFile> named(List<InputFile> files) {
    var logs = files.stream().filter(file -> file.kind() == InputFile.Kind.LOG).toList();
    if (logs.stream().map(SameJobLogs::source).map(LogSource::job).distinct().count() < 2) {
      return files;
    }
    var groups = groups(logs);
    Map<InputFile, String> jobs = new HashMap<>(numbered(logs, groups));
    for (var group : groups) {
      var names =
          new LinkedHashSet<>(
              group.files.stream().map(SameJobLogs::source).map(LogSource::job).toList());
      if (names.size() > 1) {
        var name = name(List.copyOf(names), group.files.getFirst());
        group.files.forEach(file -> jobs.put(file, name));
      }
    }
    jobs.putAll(launched(logs, groups, jobs));
    return files.stream()
        .map(file -> jobs.containsKey(file) ? file.ofJob(file.namespace(), jobs.get(file)) : file)
        .toList();
  }

  /// Finds the job of a launcher's log: all other logs in its folder must belong to one job, and
  /// none may be from the same launcher.
  ///
  /// @param jobs names given so far
  private static Map<InputFile, String> launched(
      List<InputFile> logs, List<Group> groups, Map<InputFile, String> jobs) {
    Map<InputFile, String> launched = new HashMap<>();
    for (var log : logs) {
      var what = launcher(log);
      if (what.isEmpty() || groups.stream().anyMatch(group -> group.files.contains(log))) {
        continue;
      }
      var beside =
          logs.stream()
              .filter(it -> !it.equals(log) && Objects.equals(parent(it), parent(log)))
              .toList();
      boolean alone = beside.stream().noneMatch(it -> launcher(it).equals(what));
      var others =
          beside.stream()
              .filter(it -> launcher(it).isEmpty())
              .map(it -> jobs.getOrDefault(it, source(it).job()))
              .distinct()
              .toList();
      if (alone && others.size() == 1) {
        launched.put(log, others.getFirst());
      }
    }
    return launched;
  }

  /// The launcher in the log's name, empty if there is none.
  private static String launcher(InputFile log) {
    var name = LAUNCHER.matcher(source(log).job());
    return name.matches() ? name.group("what").toLowerCase(Locale.ROOT) : "";
  }

  /// Job names for files numbered by rank: the name of their folder.
  private static Map<InputFile, String> numbered(List<InputFile> logs, List<Group> groups) {
    Map<String, List<InputFile>> alike = new LinkedHashMap<>();
    for (var log : logs) {
      var number = NUMBERED.matcher(source(log).job());
      var folder = folder(log);
      if (number.matches() && !folder.isEmpty()) {
        var name = Path.of(log.name()).getParent() + "/" + number.group("what");
        alike.computeIfAbsent(name, _ -> new ArrayList<>()).add(log);
      }
    }
    Map<InputFile, String> jobs = new HashMap<>();
    for (var files : alike.values()) {
      var different =
          files.stream().map(SameJobLogs::source).map(LogSource::job).distinct().count();
      long worlds =
          groups.stream().filter(it -> it.files.stream().anyMatch(files::contains)).count();
      if (different == files.size() && different > 1 && worlds < 2) {
        files.forEach(file -> jobs.put(file, folder(file)));
      }
    }
    return jobs;
  }

  private static @Nullable Path parent(InputFile file) {
    return Path.of(file.name()).getParent();
  }

  private static String folder(InputFile file) {
    var folder = parent(file);
    return folder == null || folder.getFileName() == null ? "" : folder.getFileName().toString();
  }

  private static List<Group> groups(List<InputFile> logs) {
    Map<String, Group> byWorld = new LinkedHashMap<>();
    for (var log : logs) {
      var group = new Group();
      group.files.add(log);
      group.members.addAll(members(log));
      group.members.forEach(member -> group.worlds.add(member.world()));
      for (var world : List.copyOf(group.worlds)) {
        var other = byWorld.get(world);
        if (other != null
            && other != group
            && other.members.stream().noneMatch(group.members::contains)) {
          group.take(other);
        }
      }
      group.worlds.forEach(world -> byWorld.put(world, group));
    }
    return List.copyOf(new LinkedHashSet<>(byWorld.values()));
  }

  /// The ranks at the top of the log; empty if it cannot be read, which is reported later when it
  /// is read.
  private static Set<Member> members(InputFile log) {
    var members = new HashSet<Member>();
    var first = log.parts().getFirst().path();
    try (var in = Packing.of(first).open(first)) {
      var ranks = RANK.matcher(new String(in.readNBytes(HEAD), ISO_8859_1));
      while (ranks.find()) {
        members.add(new Member(ranks.group("id"), ranks.group("rank")));
      }
    } catch (IOException e) {
      return Set.of();
    }
    return members;
  }

  private static LogSource source(InputFile file) {
    return Identity.ofNode("", file.node()).sourceOf(file.path());
  }

  /// The common beginning of the names, else the folder's name, else the first name.
  private static String name(List<String> jobs, InputFile first) {
    var common = jobs.getFirst();
    for (var job : jobs) {
      int same = 0;
      while (same < Math.min(common.length(), job.length())
          && common.charAt(same) == job.charAt(same)) {
        same++;
      }
      common = common.substring(0, same);
    }
    var name = TAIL.matcher(common).replaceAll("");
    if (name.length() >= LEAST_NAME) {
      return name;
    }
    var folder = folder(first);
    return folder.isEmpty() ? jobs.getFirst() : folder;
  }
}
