package io.ringside.streams.examine;

import java.util.regex.Pattern;

/// Finds host names in texts such as file names or the beginning of a line.
public final class HostName {
  private HostName() {}

  /// Whether the text contains the name, not only as part of a longer word or number: `gpu-1` is in
  /// `nvlink-gpu-1.txt` but not in `gpu-10.log`.
  ///
  /// @param host name of the host; an empty name is never found
  public static boolean standsIn(String text, String host) {
    return !host.isEmpty()
        && Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(host) + "(?![A-Za-z0-9])")
            .matcher(text)
            .find();
  }
}
