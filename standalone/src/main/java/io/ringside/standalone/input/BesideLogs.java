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

/// What somebody saved beside a job's logs and that is no log of its own: the table of
/// `kubectl get events`, the state of pods, what Slurm lists of jobs, AWS's answer about a job,
/// `nvidia-smi -q`, `nvidia-smi nvlink -e`, `dcgmi nvlink -s`, `rdma statistic show`, or those
/// again and again, the kernel's log, torchrun's error files. It is of the job whose logs lie
/// nearest to it.
final class BesideLogs {
  private static final String NOBODYS =
      "it lies beside several jobs' logs and names not just one of them: put it into the job's folder";

  private static final String OF_AN_ATTEMPT_BEFORE =
      "it tells of an attempt after which torchrun made another one";

  private static final int HEAD = 256 * 1024;

  /// `attempt_0/5/error.json` of torchrun's folder of logs.
  private static final Pattern ATTEMPT = Pattern.compile("attempt_(\\d{1,6})");

  private static final Pattern EVENTS =
      Pattern.compile(
          "\\s*(?:NAMESPACE +)?(?:FIRST SEEN +)?LAST SEEN +(?:FIRST SEEN +)?(?:COUNT +)?(?:NAME +KIND +SUBOBJECT +)?TYPE +REASON .*MESSAGE.*");

  /// The command whose output was copied with it: `$ kubectl get events -n nlp`,
  /// `root@gpu-3:~# nvidia-smi -q`.
  private static final Pattern PROMPT =
      Pattern.compile(
          "[^|]{0,80}[$#>] ?(?:sudo )?(?:kubectl|oc|nvidia-smi|dcgmi|rdma|dmesg|journalctl|aws) .*");

  /// The first line, a frame's left out, of `nvidia-smi nvlink -e` and `-s`, `dcgmi nvlink
  /// -s`, `nvidia-smi -q` and `-q -x`.
  private static final Pattern OF_GPUS =
      Pattern.compile(
          "GPU \\d+: .*\\(UUID: GPU-.*|\\| +NvLink Link Status +\\|.*|=+NVSMI LOG=+.*|<!DOCTYPE nvidia_smi_log .*");

  /// `[Fri Nov 20 10:00:52 2026] …` of `dmesg -T`, `[ 4443.968257] …` of `dmesg`,
  /// `Nov 20 10:00:52 node-7 kernel: …` and `-- Boot … --` of `journalctl -k`, also as `short-iso`,
  /// in other languages, and copied without the blank or the zero before a digit.
  private static final Pattern KERNEL =
      Pattern.compile(
          "\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \\w{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}] .*"
              + "|\\[ *\\d+\\.\\d{6}] .*"
              + "|[A-Za-z]\\S{2,6} {1,2}\\d{1,2} \\d{1,2}:\\d\\d:\\d\\d\\S* \\S+ kernel: .*"
              + "|\\d{4}-\\d\\d-\\d\\dT\\S+ \\S+ kernel: .*"
              + "|-- .* --");

  /// What its parts begin their lines with; a program may write such stamps as well.
  private static final Pattern OF_KERNEL =
      Pattern.compile(
          "NVRM: |nvidia|amdgpu |mlx5_core |Killed process |Kill process |oom-kill|Linux version |audit: |audit\\("
              + "|pcieport |EXT4-fs|XFS \\(|NFS: |usb |Lustre: | kernel: |Memory cgroup");

  /// A command that lists jobs or pods, behind a prompt.
  private static final Pattern LISTS =
      Pattern.compile("(?:.{0,80}[$#>%+] ?)?(?:sacct|squeue|scontrol show|kubectl .*get)(?: .*)?");

  /// Of a log that is not the kernel's one of the first lines is another's.
  private static final int KERNEL_LINES = 50;

  private BesideLogs() {}

  /// The same files in the same order.
  ///
  /// @param leave takes name and reason of one that lies beside several jobs' logs and does not say
  ///   whose it is
  static List<InputFile> named(List<InputFile> files, BiConsumer<String, String> leave) {
    var tables = files.stream().filter(BesideLogs::isTable).collect(Collectors.toSet());
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

  /// Whether a later attempt has a folder beside the one that an error file is of.
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
            : whole; // it speaks of its machine, whoever runs there
      }
    }
    return Optional.of(table);
  }

  /// Whose a log is.
  private record Job(String namespace, String name) {}

  private static Set<Job> jobs(List<InputFile> logs, Path folder) {
    return logs.stream()
        .filter(log -> log.path().startsWith(folder))
        .map(BesideLogs::job)
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

  /// A job's or its pod's name, and none that only begins or ends like it.
  private static Pattern named(String job) {
    return Pattern.compile("(?<![\\w-])" + Pattern.quote(job) + "(?!\\w)");
  }

  /// Whether the kernel wrote all of it, and nobody else.
  private static boolean isKernels(String head) {
    var lines = head.lines().filter(line -> !line.isBlank()).limit(KERNEL_LINES).toList();
    return !lines.isEmpty()
        && lines.stream().allMatch(line -> KERNEL.matcher(line).matches())
        && lines.stream().anyMatch(line -> OF_KERNEL.matcher(line).find());
  }

  /// Whether it is what a scheduler lists of jobs or containers, and nothing else: a job's script
  /// may list itself before it runs.
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

  /// Tells by its first bytes: each log of thousands is asked.
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

  /// Nothing if it cannot be read, which shows when it is.
  private static String head(InputFile file, int bytes) {
    var first = file.parts().getFirst().path();
    try (var in = Packing.of(first).open(first)) {
      return new String(in.readNBytes(bytes), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
