package io.ringside.standalone.input;

import io.ringside.standalone.input.Content.Usable;
import io.ringside.standalone.input.Content.Useless;
import java.io.EOFException;
import java.io.IOException;
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
import java.util.Set;
import java.util.zip.ZipException;

/// Goes through files and folders, links followed, hidden names left alone, each file once.
final class InputWalk {
  private static final int DEEPEST = 32;

  private final List<InputFile> files = new ArrayList<>();
  private final List<Inputs.Skipped> skipped = new ArrayList<>();
  private final Set<Object> seen = new HashSet<>();

  Inputs walk(List<String> arguments) {
    arguments.stream().map(InputRoot::of).forEach(this::root);
    if (files.isEmpty()) {
      throw nothing(arguments);
    }
    return new Inputs(files, skipped);
  }

  private void root(InputRoot root) {
    if (!Files.exists(root.path())) {
      throw new UnusableInput(
          "%s does not exist; give a log file, or a folder with logs.".formatted(root.path()));
    }
    int before = files.size() + skipped.size();
    try {
      Files.walkFileTree(
          root.path(), EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEEPEST, new Visitor(root));
    } catch (IOException e) {
      throw UnusableInput.unreadable(root.path(), e);
    }
    if (files.size() + skipped.size() == before && Files.isDirectory(root.path())) {
      throw new UnusableInput(
          "%s is a folder without files; give one with logs, for example /var/log/pods."
              .formatted(root.path()));
    }
  }

  private void file(InputRoot root, Path file, BasicFileAttributes attributes) throws IOException {
    if (attributes.isSymbolicLink()) { // links are followed, so only one without a target shows
      skipped.add(new Inputs.Skipped(file.toString(), "a link that leads nowhere"));
    } else if (!attributes.isRegularFile()) {
      skipped.add(
          new Inputs.Skipped(
              file.toString(), "it is a pipe or a device; save it into a file first"));
    } else if (seen.add(file.toRealPath())) {
      switch (content(file)) {
        case Usable(var kind) ->
            files.add(new InputFile(file, kind, root.node(), attributes.size()));
        case Useless(var reason) -> skipped.add(new Inputs.Skipped(file.toString(), reason));
      }
    }
  }

  private static Content content(Path file) throws IOException {
    try {
      return ContentSniffer.of(Head.of(file));
    } catch (ZipException | EOFException e) {
      return new Useless("its name ends with .gz, but it is no whole gzip file");
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

  private final class Visitor extends SimpleFileVisitor<Path> {
    private final InputRoot root;

    Visitor(InputRoot root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return isHidden(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (!isHidden(path)) {
        try {
          file(root, path, attributes);
        } catch (IOException e) {
          throw UnusableInput.unreadable(path, e);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      switch (e) {
        case NoSuchFileException gone when !path.equals(root.path()) ->
            skipped.add(new Inputs.Skipped(path.toString(), "it went away meanwhile"));
        case FileSystemLoopException loop ->
            skipped.add(new Inputs.Skipped(path.toString(), "a link to a folder above it"));
        default -> throw UnusableInput.unreadable(path, e);
      }
      return FileVisitResult.CONTINUE;
    }

    private boolean isHidden(Path path) {
      var name = path.getFileName();
      return !path.equals(root.path()) && name != null && name.toString().startsWith(".");
    }
  }
}
