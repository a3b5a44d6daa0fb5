package io.ringside.standalone.input;

import io.ringside.shipper.config.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the nodes of several copies of the kubelet's folder of pods, such as
/// `gpu-1/pods/NAMESPACE_POD_UID/CONTAINER/0.log` and `gpu-2/pods/…`: a node has one such folder.
/// Each copy is named after the nearest folder around it whose name tells it from the others; all
/// files in that folder are of that node.
final class KubeletTrees {
  /// Folders around the copies that may name them: `gpu-1/var/log/pods`.
  private static final int MOST_AROUND = 5;

  private KubeletTrees() {}

  /// The same files in the same order, each with its node.
  static List<InputFile> named(List<InputFile> files) {
    Set<Path> trees = new LinkedHashSet<>();
    for (var file : files) {
      if (file.node().equals(InputRoot.LOCAL) && Identity.isKubeletFile(file.path())) {
        trees.add(above(path(file), 3)); // CONTAINER, POD, pods
      }
    }
    var nodes = trees.size() < 2 ? Map.<Path, String>of() : nodes(new ArrayList<>(trees));
    return nodes.isEmpty() ? files : files.stream().map(file -> named(file, nodes)).toList();
  }

  /// Names of the folders of the nodes; empty if no folders tell the trees apart.
  private static Map<Path, String> nodes(List<Path> trees) {
    for (int up = 0; up <= MOST_AROUND; up++) {
      var nodes = new HashMap<Path, String>();
      for (var tree : trees) {
        var folder = above(tree, up);
        if (folder.getFileName() != null) {
          nodes.put(folder, folder.getFileName().toString());
        }
      }
      if (nodes.size() == trees.size() && new HashSet<>(nodes.values()).size() == trees.size()) {
        return nodes;
      }
    }
    return Map.of();
  }

  private static InputFile named(InputFile file, Map<Path, String> nodes) {
    return !file.node().equals(InputRoot.LOCAL)
        ? file
        : nodes.entrySet().stream()
            .filter(node -> path(file).startsWith(node.getKey()))
            .findFirst()
            .map(node -> file.ofNode(node.getValue()))
            .orElse(file);
  }

  /// As the user knows it: an archive counts as a folder.
  private static Path path(InputFile file) {
    return Path.of(file.name()).toAbsolutePath().normalize();
  }

  /// The folder this many levels above, or the topmost one.
  private static Path above(Path path, int levels) {
    Path at = path;
    for (int i = 0; i < levels && at.getParent() != null; i++) {
      at = at.getParent();
    }
    return at;
  }
}
