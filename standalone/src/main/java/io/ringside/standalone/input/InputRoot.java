package io.ringside.standalone.input;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// One input argument of the command line.
///
/// @param node the machine that its files were recorded on
record InputRoot(String node, Path path) {
  /// The node of every path given without one.
  static final String LOCAL = "local";

  /// `gpu-node-17=logs/17`; node names are DNS names.
  private static final Pattern NODE_AND_PATH =
      Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)=(.+)", Pattern.DOTALL);

  /// Parses an argument. A path that exists is taken as it is, even with a `=` in it.
  ///
  /// @throws UnusableInput if it is not a path
  static InputRoot of(String argument) {
    var whole = path(argument);
    var matcher = NODE_AND_PATH.matcher(argument);
    return Files.exists(whole) || !matcher.matches()
        ? new InputRoot(LOCAL, whole)
        : new InputRoot(matcher.group(1), path(matcher.group(2)));
  }

  private static Path path(String text) {
    try {
      var path = Path.of(text).normalize();
      return path.toString().isEmpty() ? Path.of(".") : path;
    } catch (InvalidPathException e) {
      throw new UnusableInput("%s is no path: %s".formatted(text, e.getReason()), e);
    }
  }
}
