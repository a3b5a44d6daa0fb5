package io.ringside.streams.bill;

import io.ringside.schemas.event.RunBill.Alone;
import java.util.List;

/// What a finding cost, or why nobody knows.
sealed interface Charge {

  /// @param comm the communicator whose rounds tell, empty where others do
  /// @param alone what each of several ranks alone makes
  /// @param during when it was
  /// @param recent how many times as much of the time it took of late as on the whole: 1 where it
  ///   is steady
  record Known(Saved saved, String comm, List<Alone> alone, Times during, double recent)
      implements Charge {
    public Known {
      alone = List.copyOf(alone);
    }

    static Known of(Saved saved, Times during) {
      return new Known(saved, "", List.of(), during, 1);
    }

    /// A part of it, of which the other part is another one's.
    Known times(double share) {
      // as far as is known it may be all of it, or none
      return new Known(
          new Saved(share * saved.seconds(), 0, saved.high()), comm, alone, during, recent);
    }
  }

  /// @param because one clause
  record Unknown(String because) implements Charge {}
}
