package io.ringside.shipper.source;

import io.ringside.schemas.event.UnreachedWitness;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Records which witnesses the agent fails to reach. The failures go into the node's report,
/// because silence would look as if all were well. Thread-safe.
public final class WitnessReachability {
  private final List<Contact> all = new CopyOnWriteArrayList<>();
  private final InstantSource clock;

  public WitnessReachability(InstantSource clock) {
    this.clock = clock;
  }

  /// One address, file or program that the agent queries repeatedly.
  ///
  /// @param witness see {@link UnreachedWitness#witness}
  public Contact contact(String witness) {
    var contact = new Contact(witness, clock);
    all.add(contact);
    return contact;
  }

  /// The witnesses that are not reached now.
  public List<UnreachedWitness> unreached() {
    return all.stream().map(Contact::unreached).flatMap(Optional::stream).toList();
  }

  /// How one witness has answered so far.
  public static final class Contact {
    /// Failures in a row before it counts as unreached; a single one may be chance.
    private static final int LEAST = 2;

    /// Highest number of tries reported. A number that kept growing would change every report.
    private static final int MOST = 10;

    private static final int LONGEST = 200;

    private final String witness;
    private final InstantSource clock;
    private Optional<UnreachedWitness> failing = Optional.empty();

    private Contact(String witness, InstantSource clock) {
      this.witness = witness;
      this.clock = clock;
    }

    /// Records that it answered.
    public synchronized void reached() {
      failing = Optional.empty();
    }

    /// Records that it could not be queried or did not answer. A failure with another reason than
    /// before starts the count again.
    ///
    /// @param why see {@link UnreachedWitness#why}
    /// @param absent see {@link UnreachedWitness#absent}
    public synchronized void failed(String why, boolean absent) {
      var now = clock.instant();
      var words = why.length() > LONGEST ? why.substring(0, LONGEST) : why;
      var before = failing.filter(it -> it.why().equals(words));
      failing =
          Optional.of(
              new UnreachedWitness(
                  witness,
                  words,
                  absent,
                  Math.min(MOST, before.map(UnreachedWitness::tries).orElse(0) + 1),
                  before.map(UnreachedWitness::since).orElse(now),
                  now));
    }

    /// The same for a witness that must be present.
    public void failed(String why) {
      failed(why, false);
    }

    private synchronized Optional<UnreachedWitness> unreached() {
      return failing.filter(it -> it.tries() >= LEAST);
    }
  }
}
