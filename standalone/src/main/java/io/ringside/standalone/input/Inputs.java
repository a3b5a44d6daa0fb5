package io.ringside.standalone.input;

import static java.util.Comparator.comparing;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/// All that the user pointed at.
///
/// @param files topologies first, then GPU samples, then logs; by path among themselves
/// @param skipped what was left out, and why
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

  /// The same for a caller that gives nothing on standard input; what is unpacked goes away with
  /// the process.
  public static Inputs of(List<String> arguments) {
    return of(arguments, new Spool(InputStream.nullInputStream()));
  }

  /// Finds the files behind the arguments: `PATH` or `NODE=PATH`, a file, an archive or a folder
  /// each, `-` for standard input. What cannot be read is left out and named.
  ///
  /// @param spool closed by the caller when all is read
  /// @throws UnusableInput when nothing of all that can be read
  public static Inputs of(List<String> arguments, Spool spool) {
    return new InputWalk(spool).walk(arguments);
  }

  /// The paths behind the arguments, whether anything is there or not.
  public static List<Path> paths(List<String> arguments) {
    return arguments.stream().map(InputRoot::of).map(InputRoot::path).toList();
  }

  public List<InputFile> of(InputFile.Kind kind) {
    return files.stream().filter(file -> file.kind() == kind).toList();
  }

  /// Bytes of all files as they lie on the disk.
  public long bytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  /// What was left out.
  ///
  /// @param given whether the user named it, and did not only find it in a folder
  public record Skipped(String path, String reason, boolean given) {
    /// Something that was found in a folder.
    public Skipped(String path, String reason) {
      this(path, reason, false);
    }
  }
}
