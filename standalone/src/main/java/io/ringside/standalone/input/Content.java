package io.ringside.standalone.input;

import java.util.Objects;

/// What a file was found to be.
sealed interface Content {
  /// Something that Ringside reads.
  record Usable(InputFile.Kind kind) implements Content {
    public Usable {
      Objects.requireNonNull(kind, "kind");
    }
  }

  /// Something else; `reason` says what, for the user.
  record Useless(String reason) implements Content {
    public Useless {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
