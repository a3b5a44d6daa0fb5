package io.ringside.lab.lives;

import static io.ringside.schemas.event.RunSummary.State.FAILED;
import static io.ringside.schemas.event.RunSummary.State.LOST;
import static io.ringside.schemas.event.RunSummary.State.PAUSED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.RunSummary.State.SILENT;
import static io.ringside.schemas.event.RunSummary.State.STARTING;
import static io.ringside.schemas.event.RunSummary.State.SUPERSEDED;

import io.ringside.schemas.event.RunSummary.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a start of a job stands, to a person who watches all its terminals. It may be shown as it
/// stood at any moment of the last seconds, so that at every second it is known what must be shown;
/// nothing is demanded while its agents or the service catch up.
final class Truth {
  private static final Duration TOLD = Duration.ofSeconds(5);
  private static final Duration CAUGHT_UP = Duration.ofSeconds(20);
  private static final Duration PAUSES = Duration.ofSeconds(10);
  private static final Duration FALLS_SILENT = Duration.ofSeconds(60);

  /// Agents report every ten seconds, so that one is missed for so long at most.
  private static final Duration IS_LOST = FALLS_SILENT.plusSeconds(15);

  /// A line's time and its agent's differ by less.
  private static final Duration SOONER = Duration.ofSeconds(1);

  /// Whoever prints a traceback and nothing more has died of it.
  private static final Duration DIED = Duration.ofSeconds(12);

  private final Deque<Moment> moments = new ArrayDeque<>();
  private Instant lineAt = Instant.MIN;
  private Instant callAt = Instant.MIN;
  private @Nullable Instant named;
  private @Nullable Instant joinedAt;
  private boolean tells;
  private @Nullable Instant tellsSince;
  private boolean unseen;
  private boolean up;
  private boolean heard;
  private boolean goesOn;
  private boolean succeeded;
  private boolean superseded;
  private @Nullable State over;
  private @Nullable Instant exceptionAt;
  private @Nullable Instant unheardSince;
  private Instant catchesUpUntil = Instant.MIN;

  private record Moment(Instant at, Set<State> states) {}

  /// It printed something; whether what is over goes on is seen once it calls.
  void prints(Instant now) {
    lineAt = now;
    goesOn |= over != null;
  }

  void calls(Instant now) {
    callAt = now;
    named = named == null && joinedAt != null ? now : named;
    over = null;
    goesOn = false;
    exceptionAt = null;
  }

  void raises(Instant now) {
    exceptionAt = now;
  }

  /// Its communicator has a name in its log, by which its run is called.
  void isNamed(Instant now) {
    named = named == null ? now : named;
  }

  /// All that it printed before was gone before an agent came. Its lines from now on tell that it
  /// runs; where it makes no call any more they do not tell of what they are.
  void isJoined(Instant now) {
    joinedAt = now;
    named = null;
    exceptionAt = null;
  }

  /// When the lines begin that an agent sees, where those before them are lost.
  @Nullable Instant joinedAt() {
    return joinedAt;
  }

  /// When it printed its last line.
  Instant lineAt() {
    return lineAt;
  }

  /// Whether it has made enough calls since it was joined to tell whose they are.
  void tells(boolean enough, Instant now) {
    tells = enough;
    tellsSince = !enough ? null : tellsSince == null ? now : tellsSince;
  }

  /// Its logs were gone before an agent came: nobody knows of it.
  void isUnseen() {
    unseen = true;
  }

  /// Whether an agent saw enough of it to tell how it stands.
  boolean seen() {
    return !unseen && (joinedAt == null || named != null && tells);
  }

  /// Whether its run must have the name of a run that was joined by now.
  boolean isNamedByPlace(Instant now) {
    return joinedAt != null
        && seen()
        && tellsSince != null
        && !now.isBefore(catchesUpUntil)
        && !now.isBefore(tellsSince.plus(TOLD));
  }

  /// All its ranks are up.
  void isUp() {
    up = true;
  }

  /// What another start has superseded stays so, whatever becomes of its pods.
  void isOver(State how) {
    over = superseded ? SUPERSEDED : how;
    goesOn = false;
  }

  /// A newer start of its job has begun.
  void hasSuccessor(boolean isUp) {
    succeeded = true;
    superseded |= isUp;
  }

  boolean runs() {
    return up;
  }

  boolean begun() {
    return named != null && !unseen;
  }

  /// Another instance of the service has taken over.
  void catchesUp(Instant now) {
    catchesUpUntil = now.plus(CAUGHT_UP);
  }

  /// Time has come to this moment.
  ///
  /// @param all whether the agents of all its machines are heard
  /// @param some whether any of them is
  void reaches(Instant now, boolean all, boolean some) {
    if (!all) {
      catchesUp(now);
    }
    heard |= some;
    unheardSince = some ? null : unheardSince == null ? now : unheardSince;
    moments.addLast(new Moment(now, stands(now)));
    while (moments.getFirst().at().isBefore(now.minus(TOLD))) {
      moments.removeFirst();
    }
  }

  /// Whether it may be shown so.
  boolean allows(@Nullable State shown) {
    if (unseen) {
      return shown == null;
    }
    if (joinedAt != null && (named == null || !tells && (over != null || succeeded))) {
      return true;
    }
    if (shown == null) {
      // a life may begin with it: then nobody looked before
      return named == null
          || moments.getLast().at().isBefore(named.plus(TOLD))
          || moments.stream().anyMatch(moment -> moment.states().size() == State.values().length);
    }
    return moments.stream().anyMatch(moment -> moment.states().contains(shown));
  }

  /// What may be shown now.
  Set<State> allowed() {
    var states = EnumSet.noneOf(State.class);
    moments.forEach(moment -> states.addAll(moment.states()));
    return states;
  }

  private Set<State> stands(Instant now) {
    boolean lost = unheardSince != null && !now.isBefore(unheardSince.plus(IS_LOST));
    if (lost && over == null && !succeeded && up && heard) {
      return EnumSet.of(LOST);
    }
    if (now.isBefore(catchesUpUntil) || goesOn) {
      return EnumSet.allOf(State.class);
    }
    if (over != null) {
      return EnumSet.of(over);
    }
    if (superseded) {
      return exceptionAt == null ? EnumSet.of(SUPERSEDED) : EnumSet.of(SUPERSEDED, FAILED);
    }
    var states = speaks(now);
    if (!up && !states.equals(EnumSet.of(SILENT))) {
      states = EnumSet.of(STARTING, RUNNING);
    }
    if (succeeded) {
      states.add(SUPERSEDED);
    }
    if (exceptionAt != null) {
      if (now.isAfter(exceptionAt.plus(DIED))) {
        return EnumSet.of(FAILED);
      }
      states.add(FAILED);
    }
    return states;
  }

  private EnumSet<State> speaks(Instant now) {
    if (lineAt.isAfter(callAt.equals(Instant.MIN) ? lineAt : callAt.plus(PAUSES))) {
      return EnumSet.of(RUNNING, PAUSED, SILENT);
    }
    var silence = Duration.between(lineAt, now);
    var states = EnumSet.noneOf(State.class);
    if (silence.compareTo(PAUSES) < 0) {
      states.add(RUNNING);
    }
    if (silence.compareTo(PAUSES.minus(SOONER)) >= 0 && silence.compareTo(FALLS_SILENT) < 0) {
      states.add(PAUSED);
    }
    if (silence.compareTo(FALLS_SILENT.minus(SOONER)) >= 0) {
      states.add(SILENT);
    }
    return states;
  }
}
