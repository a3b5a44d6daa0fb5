package io.ringside.standalone.input;

import static java.util.Comparator.comparing;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/// All input files of the user.
///
/// @param files sorted by kind: topologies, GPU samples, witnesses' files, logs; then by node and
///     name
/// @param skipped files left out, and why
public record Inputs(List<InputFile> files, List<Skipped> skipped) {
  public Inputs {
    files =
        files.stream()
            .sorted(
                comparing(InputFile::kind)
                    .thenComparing(InputFile::node)
                    .thenComparing(InputFile::name))
            .toList();
    skipped = skipped.stream().sorted(comparing(Skipped::path)).toList();
  }

  /// Like {@link #of(List, Spool)}, without standard input. Unpacked files are removed when the
  /// process ends.
  public static Inputs of(List<String> arguments) {
    return of(arguments, new Spool(InputStream.nullInputStream()));
  }

  /// Finds the files of the arguments: `PATH` or `NODE=PATH`, each a file, an archive or a folder,
  /// or `-` for standard input. Files that cannot be read are left out and named.
  ///
  /// @param spool closed by the caller once everything is read
  /// @throws UnusableInput if none of the arguments can be read
  public static Inputs of(List<String> arguments, Spool spool) {
    return new InputWalk(spool).walk(arguments);
  }

  /// The paths in the arguments, whether they exist or not.
  public static List<Path> paths(List<String> arguments) {
    return arguments.stream().map(InputRoot::of).map(InputRoot::path).toList();
  }

  public List<InputFile> of(InputFile.Kind kind) {
    return files.stream().filter(file -> file.kind() == kind).toList();
  }

  /// Size of all files on disk, in bytes.
  public long bytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  /// A file that was left out.
  ///
  /// @param given whether the user named it, rather than a folder that contains it
  public record Skipped(String path, String reason, boolean given) {
    /// A file found in a folder.
    public Skipped(String path, String reason) {
      this(path, reason, false);
    }
  }
}
