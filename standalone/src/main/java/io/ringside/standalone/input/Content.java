package io.ringside.standalone.input;

import java.util.List;
import java.util.Objects;

/// The kind of content found in a file.
sealed interface Content {
  /// A file that Ringside reads, as each of these kinds.
  record Usable(List<InputFile.Kind> kinds) implements Content {
    public Usable {
      kinds = List.copyOf(kinds);
    }

    public Usable(InputFile.Kind kind) {
      this(List.of(kind));
    }
  }

  /// Text that is data rather than a log; `reason` says what it is. It is still read if the user
  /// names the file.
  record Data(String reason) implements Content {
    public Data {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /// Any other content; `reason` says what it is, for the user.
  record Useless(String reason) implements Content {
    public Useless {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
