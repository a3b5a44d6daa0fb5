package io.ringside.streams.examine;

import java.util.regex.Pattern;

/// Whether a text speaks of a host: a file's name, the beginning of a line.
public final class HostName {
  private HostName() {}

  /// Whether the name stands in the text, and not only within a longer word or number: `gpu-1` in
  /// `nvlink-gpu-1.txt`, and not in `gpu-10.log`.
  ///
  /// @param host none if empty
  public static boolean standsIn(String text, String host) {
    return !host.isEmpty()
        && Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(host) + "(?![A-Za-z0-9])")
            .matcher(text)
            .find();
  }
}
