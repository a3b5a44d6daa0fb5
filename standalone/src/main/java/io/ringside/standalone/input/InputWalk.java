package io.ringside.standalone.input;

import io.ringside.platform.cli.WordSuggestion;
import io.ringside.standalone.input.Content.Data;
import io.ringside.standalone.input.Content.Usable;
import io.ringside.standalone.input.Content.Useless;
import io.ringside.standalone.input.InputFile.Part;
import io.ringside.standalone.input.Inputs.Skipped;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.ZipException;

/// Walks through files, folders and archives. Hidden names are skipped, links are followed as long
/// as they stay in the folder, and each file is read once. Packed files are unpacked into the
/// spool, except single logs with a name ending in `.gz`, which are read in place.
final class InputWalk {
  private static final int DEEPEST = 32;

  /// Limit of archives nested in archives.
  private static final int MOST_NESTED = 3;

  /// File system types of kernel files: reading them may block or change something.
  private static final Set<String> KERNEL =
      Set.of("proc", "sysfs", "debugfs", "tracefs", "devtmpfs", "cgroup", "cgroup2", "securityfs");

  /// Limit of names in a folder that are compared with a mistyped one.
  private static final int MOST_NAMES = 10_000;

  private static final String DAMAGED = "it is damaged, what comes before that is read: ";

  private final Spool spool;
  private final List<InputFile> files = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<UnusableInput> refused = new ArrayList<>();
  private final Set<Object> seen = new HashSet<>();

  InputWalk(Spool spool) {
    this.spool = spool;
  }

  Inputs walk(List<String> arguments) {
    for (var argument : arguments) {
      int before = files.size() + skipped.size();
      try {
        argument(argument, before);
      } catch (UnusableInput e) {
        refused.add(e);
        skipped.add(new Skipped(argument, reason(argument, e), true));
      }
    }
    if (files.isEmpty()) {
      throw refused.size() == 1 && skipped.size() == 1 ? refused.getFirst() : nothing(arguments);
    }
    var joined = new Rotation(this::leave).join(files);
    var apart = new CollectedLogs(spool, this::leave).apart(joined);
    var placed = NamedMachines.named(NodeFolders.named(KubeletTrees.named(apart)));
    var runs = SuccessiveRuns.joined(SameJobLogs.named(ContainerStarts.joined(placed)));
    var named = CompanionFiles.named(runs, this::leave);
    return new Inputs(named, skipped);
  }

  private static String reason(String argument, UnusableInput refusal) {
    var sentence = String.valueOf(refusal.getMessage());
    var bare =
        sentence.startsWith(argument + " ")
            ? "it" + sentence.substring(argument.length())
            : sentence;
    return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
  }

  private void leave(String name, String reason) {
    skipped.add(new Skipped(name, reason));
  }

  private void argument(String argument, int before) {
    var root = InputRoot.of(argument);
    if (root.path().toString().equals("-") && !Files.exists(root.path())) {
      stdin(root);
      return;
    }
    if (!Files.exists(root.path())) {
      throw new UnusableInput(
          "%s does not exist%s".formatted(root.path(), instead(root.path().toAbsolutePath())));
    }
    if (isPipe(root.path())) {
      pipe(root, root.path());
      return;
    }
    walk(root.path(), new Visitor(root.path(), root.node(), root.path().toString(), 0), root);
    if (files.size() + skipped.size() == before && Files.isDirectory(root.path())) {
      throw new UnusableInput(
          "%s is a folder without files; give one with logs, for example /var/log/pods."
              .formatted(root.path()));
    }
  }

  /// A suggestion of an existing similar name, or of what to give instead.
  private static String instead(Path missing) {
    var folder = missing.getParent();
    if (folder != null && Files.isDirectory(folder)) {
      try (var names = Files.list(folder)) {
        var meant =
            WordSuggestion.question(
                String.valueOf(missing.getFileName()),
                names
                    .limit(MOST_NAMES)
                    .map(each -> String.valueOf(each.getFileName()))
                    .sorted()
                    .toList());
        if (!meant.isEmpty()) {
          return meant;
        }
      } catch (IOException e) {
        // then there is no suggestion
      }
    }
    return "; give a log file, or a folder with logs.";
  }

  private static void walk(Path folder, Visitor visitor, InputRoot root) {
    try {
      Files.walkFileTree(folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEEPEST, visitor);
    } catch (IOException e) {
      throw UnusableInput.unreadable(root.path(), e);
    }
  }

  /// Whether this is a pipe such as the shell's `<(command)`.
  private static boolean isPipe(Path path) {
    return (path.startsWith("/dev/fd")
            || path.startsWith("/proc/self/fd")
            || path.endsWith("/dev/stdin"))
        && !Files.isRegularFile(path);
  }

  private void stdin(InputRoot root) {
    if (spool(root, spool.stdin(), "stdin") == 0) {
      throw new UnusableInput(
          "Nothing came on standard input; pipe a log into it: kubectl logs POD | ringside analyze -");
    }
  }

  private void pipe(InputRoot root, Path path) {
    try (var in = Files.newInputStream(path)) {
      if (spool(root, in, "pipe-" + path.getFileName()) == 0) {
        throw new UnusableInput("%s gave nothing; does its command print a log?".formatted(path));
      }
    } catch (IOException e) {
      throw UnusableInput.unreadable(path, e);
    }
  }

  private long spool(InputRoot root, InputStream in, String name) {
    try {
      var file = spool.folder().resolve(name);
      long bytes = spool.take(in, file, 0);
      if (bytes > 0) {
        new Visitor(file, root.node(), name, 0).file(file, bytes);
      }
      return bytes;
    } catch (IOException e) {
      throw new UnusableInput(
          "%s cannot be read: %s; save it into a file and give that."
              .formatted(name, e.getMessage()),
          e);
    }
  }

  private UnusableInput nothing(List<String> arguments) {
    var reasons =
        skipped.stream().limit(3).map(file -> file.path() + ": " + file.reason()).toList();
    var more = skipped.size() > 3 ? "; and %d more".formatted(skipped.size() - 3) : "";
    return new UnusableInput(
        "Nothing to judge in %s (%s%s); give container logs, nvidia-smi recordings or nccl-tests output."
            .formatted(String.join(", ", arguments), String.join("; ", reasons), more));
  }

  /// Walks through one folder, given or unpacked.
  private final class Visitor extends SimpleFileVisitor<Path> {
    private final Path root;
    private final String node;
    private final String name;
    private final int nested;
    private final Path realRoot;

    /// @param name the folder's name for the user
    /// @param nested number of archives around it
    Visitor(Path root, String node, String name, int nested) {
      this.root = root;
      this.node = node;
      this.name = name;
      this.nested = nested;
      this.realRoot = real(root);
    }

    private static Path real(Path path) {
      try {
        return path.toRealPath();
      } catch (IOException e) {
        return path.toAbsolutePath();
      }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (isHidden(folder)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      return leadsOut(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (!isHidden(path) && !leadsOut(path)) {
        try {
          file(path, attributes);
        } catch (IOException e) {
          unreadable(path, e);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    private void file(Path path, BasicFileAttributes attributes) throws IOException {
      if (attributes.isSymbolicLink()) { // links are followed, so only dangling ones are seen
        leave(nameOf(path), "a link that leads nowhere");
      } else if (!attributes.isRegularFile()) {
        leave(nameOf(path), "it is a pipe or a device; save it into a file first");
      } else if (attributes.size() == 0) {
        leave(nameOf(path), ofKernel(path) ? "it is a file of the kernel, no log" : "it is empty");
      } else if (seen.add(path.toRealPath())) {
        file(path, attributes.size());
      }
    }

    private static boolean ofKernel(Path path) throws IOException {
      return KERNEL.contains(Files.getFileStore(path).type());
    }

    /// Adds a regular file that is not empty.
    void file(Path path, long bytes) throws IOException {
      var packing = Packing.of(path);
      switch (packing) {
        case NONE -> content(path, bytes);
        case ZIP -> {
          if (path.equals(root) || path.toString().toLowerCase(Locale.ROOT).endsWith(".zip")) {
            unpack(path, archive -> archive.unzip(path));
          } else { // such as checkpoints, documents, libraries
            leave(nameOf(path), "zip data without .zip in its name");
          }
        }
        case TAR, GZIP, ZSTD, BZIP2, UTF_16 -> {
          try (var in = packing.open(path)) {
            if (Packing.holdsTar(in)) {
              unpack(path, archive -> archive.untar(in, bytes));
            } else if (packing == Packing.GZIP && path.toString().endsWith(".gz")) {
              content(path, bytes);
            } else {
              unpackAlone(path, in, bytes);
            }
          } catch (EOFException | ZipException e) {
            leave(nameOf(path), "it is no whole %s file".formatted(packing.word()));
          }
        }
      }
    }

    private void content(Path path, long bytes) throws IOException {
      try {
        switch (ContentSniffer.of(Head.of(path))) {
          case Usable(var kinds) -> kinds.forEach(kind -> take(path, bytes, kind));
          case Data(var reason) -> {
            if (path.equals(root)) {
              take(path, bytes, InputFile.Kind.LOG);
            } else {
              leave(nameOf(path), reason);
            }
          }
          case Useless(var reason) -> leave(nameOf(path), reason);
        }
      } catch (ZipException | EOFException e) {
        leave(nameOf(path), "its name ends with .gz, but it is no whole gzip file");
      }
    }

    private void take(Path path, long bytes, InputFile.Kind kind) {
      files.add(new InputFile(List.of(new Part(path, nameOf(path), bytes)), kind, node));
    }

    /// Unpacks a single packed file, which keeps the name of the packed one for the user.
    private void unpackAlone(Path path, InputStream in, long packed) throws IOException {
      var bare = spool.folder().resolve(bare(path));
      long bytes;
      try {
        bytes = spool.take(in, bare, packed);
      } catch (Spool.TooMuch e) {
        leave(nameOf(path), e.getMessage() + "; unpack it yourself and give the file");
        return;
      } catch (IOException e) {
        leave(nameOf(path), DAMAGED + e.getMessage());
        bytes = Files.size(bare);
      }
      if (bytes > 0 && nested < MOST_NESTED) {
        new Visitor(bare, node, nameOf(path), nested + 1).file(bare, bytes);
      }
    }

    private interface Unpacking {
      void into(Archive archive) throws IOException;
    }

    private void unpack(Path path, Unpacking unpacking) throws IOException {
      if (nested >= MOST_NESTED) {
        leave(nameOf(path), "an archive in %d others; unpack it first".formatted(nested));
        return;
      }
      var folder = spool.folder();
      var known = nameOf(path);
      try {
        unpacking.into(
            new Archive(spool, folder, (member, reason) -> leave(known + "/" + member, reason)));
      } catch (Spool.TooMuch e) {
        leave(known, e.getMessage() + "; unpack it yourself and give the folder");
        return;
      } catch (IOException e) {
        leave(known, DAMAGED + e.getMessage());
      }
      walk(folder, new Visitor(folder, node, known, nested + 1), new InputRoot(node, path));
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      switch (e) {
        case NoSuchFileException gone when !path.equals(root) ->
            leave(nameOf(path), "it went away meanwhile");
        case FileSystemLoopException _ -> leave(nameOf(path), "a link to a folder above it");
        default -> unreadable(path, e);
      }
      return FileVisitResult.CONTINUE;
    }

    private void unreadable(Path path, IOException e) {
      var failure = UnusableInput.unreadable(path, e);
      if (path.equals(root)) {
        throw failure;
      }
      refused.add(failure);
      leave(nameOf(path), UnusableInput.reason(e));
    }

    private boolean leadsOut(Path path) {
      if (path.equals(root) || !Files.isSymbolicLink(path)) {
        return false;
      }
      var target = real(path);
      boolean out = !target.startsWith(realRoot) && Files.exists(target);
      if (out) {
        leave(nameOf(path), "a link out of the folder, to %s; give that too".formatted(target));
      }
      return out;
    }

    /// The name for the user.
    private String nameOf(Path path) {
      return path.equals(root)
          ? name
          : nested == 0 ? path.toString() : name + "/" + root.relativize(path);
    }

    /// The name of a single packed file without its packing extension.
    private static String bare(Path path) {
      var packed = String.valueOf(path.getFileName());
      return packed.replaceFirst("\\.(?:gz|zst|zstd|bz2)$", "");
    }

    private boolean isHidden(Path path) {
      var own = path.getFileName();
      return !path.equals(root) && own != null && own.toString().startsWith(".");
    }
  }
}
