package io.ringside.standalone.input;

import java.util.List;
import java.util.Objects;

/// What a file was found to be.
sealed interface Content {
  /// Something that Ringside reads, as each of these.
  record Usable(List<InputFile.Kind> kinds) implements Content {
    public Usable {
      kinds = List.copyOf(kinds);
    }

    public Usable(InputFile.Kind kind) {
      this(List.of(kind));
    }
  }

  /// Text that is data and no log; `reason` says what. Where the user gives it by name it is read
  /// all the same.
  record Data(String reason) implements Content {
    public Data {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /// Something else; `reason` says what, for the user.
  record Useless(String reason) implements Content {
    public Useless {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
