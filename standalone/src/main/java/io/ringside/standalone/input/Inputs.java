package io.ringside.standalone.input;

import static java.util.Comparator.comparing;

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

  /// Finds the files behind the arguments: `PATH` or `NODE=PATH`, a file or a folder each.
  ///
  /// @throws UnusableInput when a path is missing, unreadable or an empty folder, or when nothing of
  ///     all that can be read
  public static Inputs of(List<String> arguments) {
    return new InputWalk().walk(arguments);
  }

  public List<InputFile> of(InputFile.Kind kind) {
    return files.stream().filter(file -> file.kind() == kind).toList();
  }

  /// Bytes of all files as they lie on the disk.
  public long bytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  /// A file that was left out.
  public record Skipped(String path, String reason) {}
}
