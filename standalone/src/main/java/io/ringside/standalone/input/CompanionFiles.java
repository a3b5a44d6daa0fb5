package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.export.Export;
import io.ringside.streams.parse.failure.ContainerStates;
import io.ringside.streams.parse.failure.SlurmRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds the jobs of files saved beside a job's logs that are not logs of their own: the table of
/// `kubectl get events`, the state of pods, Slurm's lists of jobs, AWS's answer about a job,
/// `nvidia-smi -q`, `nvidia-smi nvlink -e`, `dcgmi nvlink -s`, `rdma statistic show`, the counters
/// of `/sys/class/infiniband`, repeated output of these, the kernel log, torchrun's error files.
/// Such a file belongs to the job whose logs are nearest to it.
final class CompanionFiles {
  private static final String NOBODYS =
      "it lies beside several jobs' logs and names not just one of them: put it into the job's folder";

  private static final String OF_AN_ATTEMPT_BEFORE =
      "it tells of an attempt after which torchrun made another one";

  private static final int HEAD = 256 * 1024;

  /// `attempt_0/5/error.json` in torchrun's log folder.
  private static final Pattern ATTEMPT = Pattern.compile("attempt_(\\d{1,6})");

  private static final Pattern EVENTS =
      Pattern.compile(
          "\\s*(?:NAMESPACE +)?(?:FIRST SEEN +)?LAST SEEN +(?:FIRST SEEN +)?(?:COUNT +)?(?:NAME +KIND +SUBOBJECT +)?TYPE +REASON .*MESSAGE.*");

  /// A command copied together with its output: `$ kubectl get events -n nlp`,
  /// `root@gpu-3:~# nvidia-smi -q`.
  private static final Pattern PROMPT =
      Pattern.compile(
          "[^|]{0,80}[$#>] ?(?:sudo )?(?:kubectl|oc|nvidia-smi|dcgmi|rdma|dmesg|journalctl|aws) .*");

  /// The first line, not counting a frame, of `nvidia-smi nvlink -e` and `-s`, `dcgmi nvlink -s`,
  /// `nvidia-smi -q` and `-q -x`.
  private static final Pattern OF_GPUS =
      Pattern.compile(
          "GPU \\d+: .*\\(UUID: GPU-.*|\\| +NvLink Link Status +\\|.*|=+NVSMI LOG=+.*|<!DOCTYPE nvidia_smi_log .*");

  /// Lines of the kernel log: `[Fri Nov 20 10:00:52 2026] …` of `dmesg -T`, `[ 4443.968257] …` of
  /// `dmesg`, `Nov 20 10:00:52 node-7 kernel: …` and `-- Boot … --` of `journalctl -k`, also as
  /// `short-iso`, in other languages, and copied without the blank or zero before a digit.
  private static final Pattern KERNEL =
      Pattern.compile(
          "\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \\w{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}] .*"
              + "|\\[ *\\d+\\.\\d{6}] .*"
              + "|[A-Za-z]\\S{2,6} {1,2}\\d{1,2} \\d{1,2}:\\d\\d:\\d\\d\\S* \\S+ kernel: .*"
              + "|\\d{4}-\\d\\d-\\d\\dT\\S+ \\S+ kernel: .*"
              + "|-- .* --");

  /// Beginnings of lines of kernel parts and drivers. Needed because programs may write such
  /// timestamps as well.
  private static final Pattern OF_KERNEL =
      Pattern.compile(
          "NVRM: |nvidia|amdgpu |mlx5_core |Killed process |Kill process |oom-kill|Linux version |audit: |audit\\("
              + "|pcieport |EXT4-fs|XFS \\(|NFS: |usb |Lustre: | kernel: |Memory cgroup");

  /// A command that lists jobs or pods, perhaps after a prompt.
  private static final Pattern LISTS =
      Pattern.compile("(?:.{0,80}[$#>%+] ?)?(?:sacct|squeue|scontrol show|kubectl .*get)(?: .*)?");

  /// Number of first lines examined; in a log that is not the kernel's one of them comes from
  /// elsewhere.
  private static final int KERNEL_LINES = 50;

  private CompanionFiles() {}

  /// The same files in the same order, with their jobs.
  ///
  /// @param leave takes name and reason of a file that lies beside several jobs' logs and does not
  ///     name its job
  static List<InputFile> named(List<InputFile> files, BiConsumer<String, String> leave) {
    var tables = files.stream().filter(CompanionFiles::isTable).collect(Collectors.toSet());
    var named = new ArrayList<InputFile>();
    for (var file : files) {
      if (tables.contains(file) && isOfAnAttemptBefore(file.path())) {
        leave.accept(file.name(), OF_AN_ATTEMPT_BEFORE);
        continue;
      }
      var of = tables.contains(file) ? beside(file, files, tables) : Optional.of(file);
      of.ifPresentOrElse(named::add, () -> leave.accept(file.name(), NOBODYS));
    }
    return named;
  }

  /// Whether there is the folder of a later attempt beside the error file's own.
  private static boolean isOfAnAttemptBefore(Path file) {
    var rank = file.getParent();
    var attempt = rank == null ? null : rank.getParent();
    if (attempt == null) {
      return false;
    }
    var named = ATTEMPT.matcher(String.valueOf(attempt.getFileName()));
    return named.matches()
        && Files.exists(
            attempt.resolveSibling("attempt_" + (Integer.parseInt(named.group(1)) + 1)));
  }

  private static Optional<InputFile> beside(
      InputFile table, List<InputFile> files, Set<InputFile> tables) {
    var logs =
        files.stream()
            .filter(file -> file.kind() == InputFile.Kind.LOG && !tables.contains(file))
            .toList();
    for (Path folder = table.path().getParent(); folder != null; folder = folder.getParent()) {
      var jobs = jobs(logs, folder);
      if (!jobs.isEmpty()) {
        var meant = jobs.size() == 1 ? jobs : spokenOf(jobs, head(table, HEAD));
        var whole =
            isKernels(head(table, Export.HEAD)) ? Optional.of(table) : Optional.<InputFile>empty();
        return meant.size() == 1
            ? meant.stream().findFirst().map(job -> table.ofJob(job.namespace(), job.name()))
            : whole; // it concerns its machine, whichever job runs there
      }
    }
    return Optional.of(table);
  }

  /// The owner of a log.
  private record Job(String namespace, String name) {}

  private static Set<Job> jobs(List<InputFile> logs, Path folder) {
    return logs.stream()
        .filter(log -> log.path().startsWith(folder))
        .map(CompanionFiles::job)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Job job(InputFile log) {
    var source = Identity.ofNode("", log.node()).sourceOf(log.path());
    return new Job(source.namespace(), log.job().isEmpty() ? source.job() : log.job());
  }

  private static Set<Job> spokenOf(Set<Job> jobs, String events) {
    return jobs.stream()
        .filter(job -> named(job.name()).matcher(events).find())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// Matches the name of a job or its pods, but not longer names that only begin or end with it.
  private static Pattern named(String job) {
    return Pattern.compile("(?<![\\w-])" + Pattern.quote(job) + "(?!\\w)");
  }

  /// Whether all lines come from the kernel.
  private static boolean isKernels(String head) {
    var lines = head.lines().filter(line -> !line.isBlank()).limit(KERNEL_LINES).toList();
    return !lines.isEmpty()
        && lines.stream().allMatch(line -> KERNEL.matcher(line).matches())
        && lines.stream().anyMatch(line -> OF_KERNEL.matcher(line).find());
  }

  /// Whether this contains only a scheduler's list of jobs or containers. A job's script may also
  /// print such a list before it runs.
  private static boolean isListing(String head) {
    var lines = head.lines().filter(line -> !line.isBlank()).toList();
    return !lines.isEmpty()
        && isHead(lines.getFirst())
        && lines.stream()
            .allMatch(line -> isHead(line) || SlurmRows.isRow(line) || ContainerStates.isRow(line));
  }

  private static boolean isHead(String line) {
    return LISTS.matcher(line).matches() || SlurmRows.isHead(line) || ContainerStates.isHead(line);
  }

  /// Whether this is such a file. Decides by the first bytes, since it is called for each of
  /// thousands of logs.
  private static boolean isTable(InputFile file) {
    if (file.kind() != InputFile.Kind.LOG) {
      return false;
    }
    var head = head(file, Export.HEAD);
    return Export.tellsOfStates(head.getBytes(UTF_8))
        || Export.isErrorFile(head.getBytes(UTF_8))
        || isKernels(head)
        || isListing(head)
        || Listings.only(head, head.length() < Export.HEAD)
        || head.lines()
            .filter(line -> !line.isBlank() && !line.startsWith("+--") && !line.startsWith("<?xml"))
            .filter(line -> !PROMPT.matcher(line).matches())
            .limit(1)
            .anyMatch(line -> EVENTS.matcher(line).matches() || OF_GPUS.matcher(line).matches());
  }

  /// The first bytes as text; empty if the file cannot be read, which is reported later when it is
  /// read.
  private static String head(InputFile file, int bytes) {
    var first = file.parts().getFirst().path();
    try (var in = Packing.of(first).open(first)) {
      return new String(in.readNBytes(bytes), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
