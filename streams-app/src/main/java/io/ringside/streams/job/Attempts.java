package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The starts of a job whose lines name no communicator, told apart by the words of launchers and
/// shells: a worker failed, and steps come after that; or something was killed, and before more
/// steps come a launcher starts again. Each file tells for itself how often, since files are read
/// in any order. And by Kubernetes' files: a container that was started again, or a pod in place of
/// one that failed, writes another file.
final class Attempts {
  /// A job that crashes over and over has many; what comes after these is of the last.
  private static final int MOST = 32;

  private static final int MOST_FILES = 8_192;

  /// Pods that begin together tell of their first steps within seconds.
  private static final long STANDS_NANOS = 10_000_000_000L;

  /// Steps that other ranks of the file may still tell of.
  private static final int STRAGGLING_STEPS = 3;

  /// Behind the first one.
  private final List<Run> later = new ArrayList<>();

  private final Map<String, Place> places = new TreeMap<>();

  /// Files that told of training.
  private final Map<String, Writer> writers = new TreeMap<>();

  /// When files began that have told of no training yet, as far as their lines say.
  private final Map<String, Long> begun = new TreeMap<>();

  /// Whose file it is, and which attempt it began with.
  record Writer(LogSource source, int number) {}

  /// How far a file has come.
  ///
  /// @param number of the attempt that it tells of, from 0
  /// @param failed whether a worker of it failed
  /// @param sure whether its launcher says so, and not somebody of whatever runs there
  /// @param starting whether a launcher starts workers since
  /// @param steps how many it told of since
  record Place(int number, boolean failed, boolean sure, boolean starting, int steps) {}

  /// Which attempt the file tells of, 0 for the first.
  private Place place(String file) {
    return places.getOrDefault(file, new Place(0, false, false, false, 0));
  }

  private void put(String file, Place place) {
    if (places.size() < MOST_FILES || places.containsKey(file)) {
      places.put(file, place);
    }
  }

  /// A file of a job that is watched begins: it tells of the newest attempt.
  void enter(String file) {
    if (!later.isEmpty() && !places.containsKey(file)) {
      put(file, new Place(later.size(), false, false, false, 0));
    }
  }

  /// A chunk of a file is read.
  ///
  /// @param nanos time of its first line that says something, NO_TIME if none does
  void began(String file, long nanos, Run first) {
    if (nanos == NO_TIME
        || begun.size() >= MOST_FILES
        || writers.size() >= MOST_FILES
        || writers.containsKey(file)
        || begun.putIfAbsent(file, nanos) != null) {
      return;
    }
    // a rank that tells of no step may die in it all the same
    if (!later.isEmpty()
        && !places.containsKey(file)
        && behind(nanos, replaced(first).getLast()) >= 0) {
      put(file, new Place(later.size(), false, false, false, 0));
    }
  }

  /// A file tells of training: the first time that may be of an attempt that another file began, or
  /// of one that it begins itself.
  void writes(LogSource source, Run first) {
    var file = source.id();
    if (writers.size() >= MOST_FILES || writers.containsKey(file)) {
      return;
    }
    var from = begun.remove(file);
    int newest = later.size();
    if (from != null
        && newest < MOST - 1
        && (place(file).number() == newest || !places.containsKey(file))
        && follows(source, from, newest, newest(first))) {
      put(file, new Place(newest, false, false, false, 0));
      begin(file);
    }
    writers.put(file, new Writer(source, place(file).number()));
  }

  /// Whether a file that begins then takes the place of one that told of the newest attempt's
  /// steps, or of any once that attempt has failed and stands.
  private boolean follows(LogSource source, long from, int newest, Run run) {
    long behind = behind(from, run);
    return behind >= 0
        && (behind >= STANDS_NANOS && run.failures().ended()
            || writers.values().stream()
                .filter(writer -> writer.number() == newest)
                .anyMatch(writer -> source.replaces(writer.source())));
  }

  /// For how long it had made no step then; negative if it made some later, or nobody knows.
  private static long behind(long from, Run run) {
    return run.trained() && run.progressNanos() != NO_TIME ? from - run.progressNanos() : -1;
  }

  /// torchrun saw a worker end.
  void failed(String file) {
    put(file, new Place(place(file).number(), true, true, false, 0));
  }

  /// A shell, a kernel or Ray saw something end, which may be what the job does without.
  void lost(String file) {
    var at = place(file);
    if (!at.sure()) {
      put(file, new Place(at.number(), true, false, false, 0));
    }
  }

  /// A launcher starts workers.
  void starting(String file) {
    var at = place(file);
    if (at.failed() && (at.sure() || at.steps() < STRAGGLING_STEPS)) {
      put(file, new Place(at.number(), true, at.sure(), true, 0));
    }
  }

  /// A line of the file tells of a step.
  void stepped(String file) {
    var at = place(file);
    if (at.failed()) {
      put(file, new Place(at.number(), true, at.sure(), at.starting(), at.steps() + 1));
    }
  }

  /// Whether a line of the file that tells of training tells of the next attempt.
  boolean mayBegin(String file) {
    var at = place(file);
    return at.failed()
        && (at.starting() || at.sure() && at.steps() >= STRAGGLING_STEPS)
        && at.number() < MOST - 1;
  }

  /// The file tells of the next attempt from here on.
  void begin(String file) {
    int number = place(file).number() + 1;
    put(file, new Place(number, false, false, false, 0));
    if (number > later.size()) {
      later.add(new Run());
    }
  }

  /// What the file speaks of.
  Run of(String file, Run first) {
    int number = place(file).number();
    return number == 0 ? first : later.get(Math.min(number, later.size()) - 1);
  }

  /// Which attempt is the newest, from 1.
  int number() {
    return later.size() + 1;
  }

  Run newest(Run first) {
    return later.isEmpty() ? first : later.getLast();
  }

  /// Those in whose place workers were started again, oldest first.
  List<Run> replaced(Run first) {
    if (later.isEmpty()) {
      return List.of();
    }
    var replaced = new ArrayList<>(List.of(first));
    replaced.addAll(later.subList(0, later.size() - 1));
    return replaced;
  }

  List<Run> later() {
    return later;
  }
}
