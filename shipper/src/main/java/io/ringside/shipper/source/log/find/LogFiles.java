package io.ringside.shipper.source.log.find;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the files that match globs. `*`, `?`, `[…]` and `{…}` match within one name; the name `**`
/// matches any number of folders. Folders whose modification time did not change are not listed
/// again. Not thread-safe.
public final class LogFiles {
  private static final int DEEPEST = 16;

  /// Least age of a folder's modification time before it is trusted, since the folder may change
  /// again within the same clock tick.
  private static final long SETTLED_MILLIS = 2_000;

  private final List<List<String>> globs;

  /// Those that the globs name without patterns.
  private final List<Path> folders;

  private final InstantSource clock;
  private final Map<String, PathMatcher> matchers = new HashMap<>();
  private Map<Path, Listing> known = new HashMap<>();
  private Map<Path, Listing> seen = new HashMap<>();

  /// @param refused why the folder could not be listed; null if it could, or is not there
  private record Listing(
      FileTime changed, long listedAtMillis, List<Path> children, @Nullable String refused) {}

  /// A folder that could not be listed.
  ///
  /// @param why what the node cannot do: `may not list /var/log/x`
  /// @param absent whether there is no such folder
  public record Unlisted(String why, boolean absent) {}

  public LogFiles(List<String> globs, InstantSource clock) {
    this.globs = globs.stream().map(LogFiles::names).toList();
    this.folders = globs.stream().map(Roots::folder).toList();
    this.clock = clock;
  }

  /// All paths that match now, sorted. Folders that cannot be listed are left out, see
  /// {@link #unlisted}.
  public SortedSet<Path> list() {
    var found = new TreeSet<Path>();
    seen = new HashMap<>();
    for (List<String> glob : globs) {
      boolean absolute = glob.getFirst().isEmpty();
      walk(Path.of(absolute ? "/" : ""), glob.subList(absolute ? 1 : 0, glob.size()), found, 0);
    }
    known = seen;
    return found;
  }

  /// The first folder that the last {@link #list} could not list. A missing folder counts only
  /// where a glob names it without patterns; the others come and go with their jobs.
  public Optional<Unlisted> unlisted() {
    return known.entrySet().stream()
        .filter(entry -> entry.getValue().refused != null)
        .min(Map.Entry.comparingByKey())
        .flatMap(entry -> Optional.ofNullable(entry.getValue().refused))
        .map(why -> new Unlisted(why, false))
        .or(this::absent);
  }

  private Optional<Unlisted> absent() {
    return folders.stream()
        .filter(folder -> !Files.isDirectory(folder))
        .findFirst()
        .map(folder -> new Unlisted("has no folder " + folder, true));
  }

  private static List<String> names(String glob) {
    return List.of(glob.split("/+"));
  }

  private void walk(Path folder, List<String> names, SortedSet<Path> found, int depth) {
    String name = names.getFirst();
    List<String> rest = names.subList(1, names.size());
    if (name.equals("**")) {
      anyDepth(folder, rest, found, depth);
    } else if (!isPattern(name)) {
      arrive(folder.resolve(name), rest, found, depth, false);
    } else {
      PathMatcher matcher =
          matchers.computeIfAbsent(
              name, glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob));
      for (Path child : children(folder)) {
        if (matcher.matches(child.getFileName())) {
          arrive(child, rest, found, depth, true);
        }
      }
    }
  }

  private void anyDepth(Path folder, List<String> rest, SortedSet<Path> found, int depth) {
    if (rest.isEmpty() || depth > DEEPEST) {
      return;
    }
    walk(folder, rest, found, depth);
    for (Path child : children(folder)) {
      if (Files.isDirectory(child)) {
        anyDepth(child, rest, found, depth + 1);
      }
    }
  }

  private void arrive(
      Path path, List<String> rest, SortedSet<Path> found, int depth, boolean listed) {
    if (!rest.isEmpty()) {
      walk(path, rest, found, depth);
    } else if (listed || Files.exists(path)) {
      found.add(path);
    }
  }

  private List<Path> children(Path folder) {
    Listing fresh = seen.get(folder);
    if (fresh == null) {
      fresh = listing(folder, known.get(folder));
      seen.put(folder, fresh);
    }
    return fresh.children;
  }

  private Listing listing(Path folder, @Nullable Listing before) {
    long now = clock.millis();
    var children = new ArrayList<Path>();
    FileTime changed = FileTime.fromMillis(now);
    Path readable = folder.toString().isEmpty() ? Path.of(".") : folder;
    try {
      changed = Files.getLastModifiedTime(readable);
      if (before != null
          && before.refused == null
          && before.changed.equals(changed)
          && before.listedAtMillis - changed.toMillis() > SETTLED_MILLIS) {
        return before;
      }
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(readable)) {
        for (Path child : stream) {
          children.add(folder.resolve(child.getFileName()));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return new Listing(changed, now, children, refusal(e, folder));
    }
    return new Listing(changed, now, children, null);
  }

  /// Why a folder cannot be listed; null if it is not there, or is a file where a pattern also
  /// allows a folder.
  static @Nullable String refusal(Exception e, Path folder) {
    return switch (e) {
      case NoSuchFileException _, NotDirectoryException _ -> null;
      case AccessDeniedException _ -> "may not list " + folder;
      default -> "cannot list " + folder;
    };
  }

  private static boolean isPattern(String name) {
    return name.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
  }
}
