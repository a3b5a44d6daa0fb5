package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ringside.shipper.config.Identity;
import io.ringside.streams.examine.HostName;
import java.io.IOException;
import java.nio.file.Path;
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

/// Finds the machines of several recordings in one folder, such as `nvidia-smi-a.csv` and
/// `nvidia-smi-b.csv`. If two contain different GPUs with the same bus id, each recording is of
/// another machine. The machine is named after the log whose name, or one of whose hosts, occurs in
/// the recording's name. If there is no such log, the recording belongs to no log's machine, since
/// it is unknown whose GPUs it contains. Recordings that are named after different hosts of one log
/// are of different machines even if no GPU tells so. A log with several hosts is of no machine.
final class NamedMachines {
  private static final int HEAD = 64 * 1024;

  /// Host in an NCCL line's header: `a100-n1:55828:55828 [0] NCCL INFO …`.
  private static final Pattern HOST =
      Pattern.compile("([A-Za-z0-9][\\w.-]{0,252}):\\d{1,8}:\\d{1,8} \\[\\d+] NCCL ");

  private static final Pattern UUID = Pattern.compile("GPU-[0-9a-f]{8}-[0-9a-f-]{27}");

  private static final Pattern BUS_ID =
      Pattern.compile("\\b[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.\\d\\b");

  private NamedMachines() {}

  /// The same files in the same order, each with its node.
  static List<InputFile> named(List<InputFile> files) {
    var folders = new LinkedHashMap<Path, Map<InputFile, Map<String, String>>>();
    for (var file : files) {
      var folder = file.path().getParent();
      if (file.kind() == InputFile.Kind.GPU_SAMPLES && folder != null) {
        folders.computeIfAbsent(folder, _ -> new LinkedHashMap<>()).put(file, gpus(file));
      }
    }
    var nodes = new HashMap<InputFile, String>();
    folders.forEach(
        (folder, recordings) -> {
          if (recordings.size() < 2) {
            return; // logs are read only where recordings may be of several machines
          }
          var hosts = hostsOfSeveral(files, folder);
          if (differ(recordings.values()) || eachNames(hosts, recordings.keySet())) {
            nodes.putAll(nodes(recordings.keySet(), logs(files, folder), hosts));
          }
        });
    return nodes.isEmpty()
        ? files
        : files.stream()
            .map(file -> nodes.containsKey(file) ? file.ofNode(nodes.get(file)) : file)
            .toList();
  }

  /// Whether one bus id has two different GPUs.
  private static boolean differ(Iterable<Map<String, String>> recordings) {
    var seen = new HashMap<String, String>();
    for (var gpus : recordings) {
      for (var gpu : gpus.entrySet()) {
        var before = seen.putIfAbsent(gpu.getKey(), gpu.getValue());
        if (before != null && !before.equals(gpu.getValue())) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether each recording is named after another one of these hosts.
  private static boolean eachNames(Set<String> hosts, Set<InputFile> recordings) {
    var named = new HashSet<String>();
    return recordings.stream()
        .allMatch(
            recording ->
                longestIn(stem(recording), List.copyOf(hosts)).filter(named::add).isPresent());
  }

  /// @param hosts of logs that have several
  private static Map<InputFile, String> nodes(
      Set<InputFile> recordings, Map<InputFile, Set<String>> logs, Set<String> hosts) {
    var nodes = new HashMap<InputFile, String>();
    var names =
        Stream.concat(logs.values().stream().flatMap(Set::stream), hosts.stream())
            .distinct()
            .toList();
    for (var recording : recordings) {
      var stem = stem(recording);
      var machine = longestIn(stem, names);
      nodes.put(recording, machine.orElse(stem));
    }
    logs.forEach(
        (log, own) ->
            own.stream()
                .filter(nodes::containsValue)
                .findFirst()
                .ifPresent(machine -> nodes.put(log, machine)));
    return nodes;
  }

  /// The longest of the names that occurs in a file's name, other than within a longer word or
  /// number.
  static Optional<String> longestIn(String stem, List<String> names) {
    return names.stream()
        .filter(name -> HostName.standsIn(stem, name))
        .max(Comparator.comparingInt(String::length));
  }

  /// Names by which the logs in the folder may be known: their own, and the host if they name only
  /// one.
  static Map<InputFile, Set<String>> logs(List<InputFile> files, Path folder) {
    var logs = new LinkedHashMap<InputFile, Set<String>>();
    for (var file : files) {
      if (file.kind() == InputFile.Kind.LOG && file.path().startsWith(folder)) {
        var names = new HashSet<String>();
        names.add(stem(file));
        var hosts = hosts(file);
        if (hosts.size() == 1) {
          names.addAll(hosts);
        }
        logs.put(file, names);
      }
    }
    return logs;
  }

  private static Set<String> hostsOfSeveral(List<InputFile> files, Path folder) {
    return files.stream()
        .filter(file -> file.kind() == InputFile.Kind.LOG && file.path().startsWith(folder))
        .map(NamedMachines::hosts)
        .filter(hosts -> hosts.size() > 1)
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }

  /// A file's name without the extensions of its kind.
  static String stem(InputFile file) {
    var pod = Identity.ofNode("", file.node()).sourceOf(file.path()).pod();
    return pod.replaceFirst("\\.csv$", "");
  }

  private static Set<String> hosts(InputFile log) {
    var hosts = new HashSet<String>();
    var found = HOST.matcher(head(log));
    while (found.find()) {
      hosts.add(found.group(1));
    }
    return hosts;
  }

  /// The UUID of each GPU by its bus id, from recordings that contain both.
  private static Map<String, String> gpus(InputFile recording) {
    var gpus = new HashMap<String, String>();
    for (var line : (Iterable<String>) head(recording).lines()::iterator) {
      var uuid = UUID.matcher(line);
      var bus = BUS_ID.matcher(line);
      if (uuid.find() && bus.find()) {
        gpus.putIfAbsent(bus.group(), uuid.group());
      }
    }
    return gpus;
  }

  /// The first bytes as text; empty if the file cannot be read, which is reported later when it is
  /// read.
  private static String head(InputFile file) {
    var first = file.parts().getFirst().path();
    try (var in = Packing.of(first).open(first)) {
      return new String(in.readNBytes(HEAD), ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
