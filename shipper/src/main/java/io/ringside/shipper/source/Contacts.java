package io.ringside.shipper.source;

import io.ringside.schemas.event.Unreached;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Whether the agent reaches what it is to ask: what it does not goes into the node's report, for
/// silence would look as if all were well. Thread-safe.
public final class Contacts {
  private final List<Contact> all = new CopyOnWriteArrayList<>();
  private final InstantSource clock;

  public Contacts(InstantSource clock) {
    this.clock = clock;
  }

  /// One address, file or program that is asked again and again.
  ///
  /// @param witness see {@link Unreached#witness}
  public Contact with(String witness) {
    var contact = new Contact(witness, clock);
    all.add(contact);
    return contact;
  }

  /// Those that are not reached.
  public List<Unreached> unreached() {
    return all.stream().map(Contact::unreached).flatMap(Optional::stream).toList();
  }

  /// How one of them answered so far.
  public static final class Contact {
    /// A single question that nobody answers says nothing.
    private static final int LEAST = 2;

    /// A number that grew for ever would change each report.
    private static final int MOST = 10;

    private static final int LONGEST = 200;

    private final String witness;
    private final InstantSource clock;
    private Optional<Unreached> failing = Optional.empty();

    private Contact(String witness, InstantSource clock) {
      this.witness = witness;
      this.clock = clock;
    }

    /// It answered.
    public synchronized void reached() {
      failing = Optional.empty();
    }

    /// It could not be asked, or did not answer. One that fails in another way than before begins
    /// anew.
    ///
    /// @param why see {@link Unreached#why}
    /// @param absent see {@link Unreached#absent}
    public synchronized void failed(String why, boolean absent) {
      var now = clock.instant();
      var words = why.length() > LONGEST ? why.substring(0, LONGEST) : why;
      var before = failing.filter(it -> it.why().equals(words));
      failing =
          Optional.of(
              new Unreached(
                  witness,
                  words,
                  absent,
                  Math.min(MOST, before.map(Unreached::tries).orElse(0) + 1),
                  before.map(Unreached::since).orElse(now),
                  now));
    }

    /// The same of a witness that has to be there.
    public void failed(String why) {
      failed(why, false);
    }

    private synchronized Optional<Unreached> unreached() {
      return failing.filter(it -> it.tries() >= LEAST);
    }
  }
}
