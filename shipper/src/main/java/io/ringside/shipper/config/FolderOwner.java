package io.ringside.shipper.config;

import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.find.Roots;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the owner of a witness's file from the name of its folder: the first folder that a glob
/// matches with a pattern. The content of a dump does not help; it names neither the job nor its
/// communicators.
///
/// @param pods where the kubelet keeps logs, in folders `<namespace>_<pod>_<uid>`
public record FolderOwner(List<String> globs, Identity identity, Path pods) {
  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}");

  public FolderOwner {
    globs = List.copyOf(globs);
  }

  /// The job that owns the file, or the node if the job cannot be found.
  public LogSource of(Path file) {
    if (!identity.job().isEmpty()) {
      return identity.sourceOf(file);
    }
    return folder(file)
        .flatMap(folder -> named(String.valueOf(folder.getFileName())))
        .map(folder -> identity.ofFolder(folder, file.toString()))
        .orElseGet(() -> LogSource.ofNode(identity.cluster(), identity.node(), file.toString()));
  }

  /// Whether a path, with links resolved, lies in the folder that names the file's owner. Otherwise
  /// a link could give one job's dumps to another.
  public boolean holds(Path file, Path real) throws IOException {
    var folder = folder(file);
    return folder.isEmpty() || real.startsWith(folder.get().toRealPath());
  }

  private Optional<Path> folder(Path file) {
    return globs.stream().flatMap(glob -> folder(glob, file).stream()).findFirst();
  }

  private static Optional<Path> folder(String glob, Path file) {
    var fixed = Roots.folder(glob);
    return file.startsWith(fixed) && file.getNameCount() > fixed.getNameCount() + 1
        ? Optional.of(fixed.resolve(file.getName(fixed.getNameCount())))
        : Optional.empty();
  }

  /// The pod's folder name for a pod uid.
  private Optional<String> named(String folder) {
    if (!UID.matcher(folder).matches()) {
      return Optional.of(folder);
    }
    try (var found = Files.newDirectoryStream(pods, "*_" + folder)) {
      for (var pod : found) {
        return Optional.of(String.valueOf(pod.getFileName()));
      }
    } catch (IOException | DirectoryIteratorException e) {
      // its logs are gone or not readable, so the owner is unknown
    }
    return Optional.empty();
  }
}
