package io.ringside.streams.node;

import io.ringside.schemas.event.Text;
import java.util.HashSet;
import java.util.Set;

/// The kinds of lines that a recorded file has shown: the beginnings of their texts without
/// numbers. A monitor prints lines of few kinds; a program that does something else than before
/// prints one of a new kind. Owned by one stream thread.
final class LineKinds {
  /// Beyond that every kind counts as new.
  private static final int MOST = 512;

  /// Characters of a line that make its kind, with its numbers and stamps.
  private static final int LONGEST = 120;

  private final Set<Long> known = new HashSet<>();

  /// Whether no line of this kind came before; the call remembers it.
  boolean isNew(Text text, int start, int end) {
    long hash = 1;
    boolean digits = false;
    for (int i = start; i < Math.min(end, start + LONGEST); i++) {
      char c = text.charAt(i);
      boolean number = c >= '0' && c <= '9' || digits && (c == '.' || c == ',');
      if (!number || !digits) {
        hash = 31 * hash + (number ? '0' : c);
      }
      digits = number;
    }
    return known.size() >= MOST ? !known.contains(hash) : known.add(hash);
  }
}
