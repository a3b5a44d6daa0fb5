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

/// Logs of one job whatever their names: ranks whose communicators have one id are of one job,
/// though `NCCL_DEBUG_FILE` or a person gave each file a name of its own. Files that tell of the
/// same rank are copies of each other, and stay apart. Files of one folder that are called
/// `rank0.log`, `rank1.log` and so on are of one job too, where no communicator says otherwise, and
/// so is what their launcher printed, `torchrun.log` or `stderr.txt`.
final class SameWorld {
  /// Ranks come up at the top of a log; what a container installs before may take some room.
  private static final int HEAD = 256 * 1024;

  /// NCCL from 2.16.2 on, RCCL (src/init.cc).
  private static final Pattern RANK =
      Pattern.compile(
          " rank (?<rank>\\d+) nranks (?:[2-9]|\\d{2,}) [^\\n]*?commId (?<id>0x[0-9a-f]{4,})");

  private static final Pattern TAIL = Pattern.compile("(?:[-_. ]|\\d)+$");

  /// Names that say which rank wrote the file, and nothing else; `run1` or `gpu0` may be jobs of
  /// their own.
  private static final Pattern NUMBERED =
      Pattern.compile(
          "(?<what>(?:local|global)?[-_]?rank|worker|trainer|proc|process)[-_. ]?(?<number>\\d{1,5})",
          Pattern.CASE_INSENSITIVE);

  /// Names that say who started the ranks, and nothing of what they do.
  private static final Pattern LAUNCHER =
      Pattern.compile(
          "(?<what>launch|launcher|torchrun|elastic|mpirun|mpiexec|srun|slurm|deepspeed|accelerate"
              + "|stdout|stderr|console|nohup)(?:[-_.]?\\d+)?",
          Pattern.CASE_INSENSITIVE);

  private static final int LEAST_NAME = 2;

  private SameWorld() {}

  private record Member(String world, String rank) {}

  /// Logs that belong together; grows while it is compared, so it is itself and nothing else.
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

  /// The same files in the same order, those of one world with one name for their job.
  static List<InputFile> named(List<InputFile> files) {
    var logs = files.stream().filter(file -> file.kind() == InputFile.Kind.LOG).toList();
    if (logs.stream().map(SameWorld::source).map(LogSource::job).distinct().count() < 2) {
      return files;
    }
    var groups = groups(logs);
    Map<InputFile, String> jobs = new HashMap<>(numbered(logs, groups));
    for (var group : groups) {
      var names =
          new LinkedHashSet<>(
              group.files.stream().map(SameWorld::source).map(LogSource::job).toList());
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

  /// The job of a launcher's log, where all other logs of its folder are of one, and no other log
  /// there is of such a launcher.
  ///
  /// @param jobs names that were given so far
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

  /// Who started the ranks by the log's name, empty where it does not say.
  private static String launcher(InputFile log) {
    var name = LAUNCHER.matcher(source(log).job());
    return name.matches() ? name.group("what").toLowerCase(Locale.ROOT) : "";
  }

  /// The folder's name for the files of a folder that are numbered by rank.
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
      var different = files.stream().map(SameWorld::source).map(LogSource::job).distinct().count();
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

  /// Whom the top of the log tells of; nobody if it cannot be read, which shows when it is.
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

  /// What the names begin with alike, else the folder's name, else the first.
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
