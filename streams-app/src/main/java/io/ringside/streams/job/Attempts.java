package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Attempts of a job whose lines name no communicator. Lines of launchers and shells tell them
/// apart: a worker failed and steps come after that, or something was killed and a launcher starts
/// again before more steps come. Attempts are counted for each file separately, since files are
/// read in any order. Kubernetes' files tell them apart too: a container that was started again, or
/// a pod in place of a failed one, writes another file.
final class Attempts {
  /// A job that crashes over and over has many attempts; later ones count as part of the last.
  private static final int MOST = 32;

  private static final int MOST_FILES = 8_192;

  /// Pods that begin together print their first steps within seconds.
  private static final long STANDS_NANOS = 10_000_000_000L;

  /// Steps that other ranks may still print to the file after a failure.
  private static final int STRAGGLING_STEPS = 3;

  /// Attempts after the first.
  private final List<Run> later = new ArrayList<>();

  private final Map<String, Place> places = new TreeMap<>();

  /// Files that have shown training.
  private final Map<String, Writer> writers = new TreeMap<>();

  /// When files began that have shown no training yet, by the times of their lines.
  private final Map<String, Long> begun = new TreeMap<>();

  /// A log source and the attempt that it began with.
  record Writer(LogSource source, int number) {}

  /// How far a file has come.
  ///
  /// @param number of the attempt that it is in, from 0
  /// @param failed whether a worker of that attempt failed
  /// @param sure whether the launcher reported the failure, not another program about some process
  /// @param starting whether a launcher has started workers since then
  /// @param steps number of steps that the file has printed since then
  record Place(int number, boolean failed, boolean sure, boolean starting, int steps) {}

  /// The file's place, in the first attempt unless it is known to be later.
  private Place place(String file) {
    return places.getOrDefault(file, new Place(0, false, false, false, 0));
  }

  private void put(String file, Place place) {
    if (places.size() < MOST_FILES || places.containsKey(file)) {
      places.put(file, place);
    }
  }

  /// Records a new file of a live job: it belongs to the newest attempt.
  void enter(String file) {
    if (!later.isEmpty() && !places.containsKey(file)) {
      put(file, new Place(later.size(), false, false, false, 0));
    }
  }

  /// Records that a chunk of a file was read.
  ///
  /// @param nanos time of its first line that states something, NO_TIME if none does
  void began(String file, long nanos, Run first) {
    if (nanos == NO_TIME
        || begun.size() >= MOST_FILES
        || writers.size() >= MOST_FILES
        || writers.containsKey(file)
        || begun.putIfAbsent(file, nanos) != null) {
      return;
    }
    // a rank that prints no step may still fail in the newest attempt
    if (!later.isEmpty()
        && !places.containsKey(file)
        && behind(nanos, replaced(first).getLast()) >= 0) {
      put(file, new Place(later.size(), false, false, false, 0));
    }
  }

  /// Records that a file shows training. The first time, the training may be of an attempt that
  /// another file began, or of one that this file begins.
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

  /// Whether a file that begins then replaces one that printed steps of the newest attempt, or any
  /// file once that attempt has failed and stands still.
  private boolean follows(LogSource source, long from, int newest, Run run) {
    long behind = behind(from, run);
    return behind >= 0
        && (behind >= STANDS_NANOS && run.failures().ended()
            || writers.values().stream()
                .filter(writer -> writer.number() == newest)
                .anyMatch(writer -> source.replaces(writer.source())));
  }

  /// For how many nanoseconds the run had made no step by then; negative if it made some later, or
  /// if that is unknown.
  private static long behind(long from, Run run) {
    return run.trained() && run.progressNanos() != NO_TIME ? from - run.progressNanos() : -1;
  }

  /// Records that torchrun saw a worker end.
  void failed(String file) {
    put(file, new Place(place(file).number(), true, true, false, 0));
  }

  /// Records that a shell, a kernel or Ray saw a process end that the job may be able to do
  /// without.
  void lost(String file) {
    var at = place(file);
    if (!at.sure()) {
      put(file, new Place(at.number(), true, false, false, 0));
    }
  }

  /// Records that a launcher starts workers.
  void starting(String file) {
    var at = place(file);
    if (at.failed() && (at.sure() || at.steps() < STRAGGLING_STEPS)) {
      put(file, new Place(at.number(), true, at.sure(), true, 0));
    }
  }

  /// Records that a line of the file states a step.
  void stepped(String file) {
    var at = place(file);
    if (at.failed()) {
      put(file, new Place(at.number(), true, at.sure(), at.starting(), at.steps() + 1));
    }
  }

  /// Whether a line of the file that shows training belongs to the next attempt.
  boolean mayBegin(String file) {
    var at = place(file);
    return at.failed()
        && (at.starting() || at.sure() && at.steps() >= STRAGGLING_STEPS)
        && at.number() < MOST - 1;
  }

  /// Moves the file to the next attempt.
  void begin(String file) {
    int number = place(file).number() + 1;
    put(file, new Place(number, false, false, false, 0));
    if (number > later.size()) {
      later.add(new Run());
    }
  }

  /// The attempt that the file is in.
  Run of(String file, Run first) {
    int number = place(file).number();
    return number == 0 ? first : later.get(Math.min(number, later.size()) - 1);
  }

  /// Number of the newest attempt, from 1.
  int number() {
    return later.size() + 1;
  }

  Run newest(Run first) {
    return later.isEmpty() ? first : later.getLast();
  }

  /// Attempts whose workers were started again, oldest first.
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
