package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds folders that were filled on different machines: their nvidia-smi recordings contain
/// different GPUs. All files in such a folder get a node with the folder's name, since GPUs of two
/// machines have the same bus ids.
final class NodeFolders {
  private static final int HEAD = 64 * 1024;

  private static final Pattern UUID = Pattern.compile("GPU-[0-9a-f]{8}-[0-9a-f-]{27}");

  private NodeFolders() {}

  /// The same files in the same order, each with its node.
  static List<InputFile> named(List<InputFile> files) {
    var folders = folders(files);
    return folders.size() < 2 || !different(folders)
        ? files
        : files.stream().map(file -> named(file, folders.keySet())).toList();
  }

  /// The UUIDs of the GPUs in each folder's recordings.
  private static Map<Path, Set<String>> folders(List<InputFile> files) {
    Map<Path, Set<String>> folders = new LinkedHashMap<>();
    for (var file : files) {
      var folder = file.path().getParent();
      if (file.kind() == InputFile.Kind.GPU_SAMPLES && folder != null) {
        folders.computeIfAbsent(folder, _ -> new HashSet<>()).addAll(gpus(file));
      }
    }
    return folders;
  }

  private static boolean different(Map<Path, Set<String>> folders) {
    var seen = new HashSet<String>();
    var names = new HashSet<String>();
    for (var folder : folders.entrySet()) {
      var gpus = folder.getValue();
      if (gpus.isEmpty()
          || !Collections.disjoint(seen, gpus)
          || !names.add(name(folder.getKey()))) {
        return false;
      }
      seen.addAll(gpus);
    }
    return true;
  }

  private static InputFile named(InputFile file, Set<Path> folders) {
    return folders.stream()
        .filter(folder -> file.path().startsWith(folder))
        .findFirst()
        .map(folder -> file.ofNode(name(folder)))
        .orElse(file);
  }

  private static String name(Path folder) {
    return String.valueOf(folder.getFileName());
  }

  /// The UUIDs; empty if the file cannot be read, which is reported later when it is read.
  private static Set<String> gpus(InputFile recording) {
    var first = recording.parts().getFirst().path();
    var gpus = new HashSet<String>();
    try (var in = Packing.of(first).open(first)) {
      var uuids = UUID.matcher(new String(in.readNBytes(HEAD), ISO_8859_1));
      while (uuids.find()) {
        gpus.add(uuids.group());
      }
    } catch (IOException e) {
      return Set.of();
    }
    return gpus;
  }
}
