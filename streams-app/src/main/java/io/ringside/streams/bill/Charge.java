package io.ringside.streams.bill;

import io.ringside.schemas.event.RunBill.Alone;
import java.util.List;

/// What a finding cost, or why that is unknown.
sealed interface Charge {

  /// @param comm ID of the communicator whose rounds show it, empty if the cost comes from
  ///   elsewhere
  /// @param alone the cost caused by each of several ranks alone
  /// @param during time when it was caused
  /// @param recent share of time lost recently, divided by the share lost overall: 1 if it is
  ///   steady
  record Known(SavedTime saved, String comm, List<Alone> alone, Times during, double recent)
      implements Charge {
    public Known {
      alone = List.copyOf(alone);
    }

    static Known of(SavedTime saved, Times during) {
      return new Known(saved, "", List.of(), during, 1);
    }

    /// A share of the cost; the rest belongs to another finding.
    Known times(double share) {
      // as far as is known, the true part may be all or nothing
      return new Known(
          new SavedTime(share * saved.seconds(), 0, saved.high()), comm, alone, during, recent);
    }
  }

  /// @param because the reason as one clause
  record Unknown(String because) implements Charge {}
}
