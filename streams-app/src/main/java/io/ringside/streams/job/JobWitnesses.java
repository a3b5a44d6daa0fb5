package io.ringside.streams.job;

import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.ras.RasAnswer;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.inspector.InspectorRounds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What others than the logs said of a job. Bounded: of too much the oldest goes.
public final class JobWitnesses {
  /// Dumps of the largest jobs, and of a restart.
  private static final int MOST_DUMPS = 16_384;

  private static final int MOST_ANSWERS = 1_024;

  private final Map<String, Dump> dumps = new TreeMap<>();
  private final Map<String, DumpReading.Refused> refused = new TreeMap<>();
  private final Map<String, LogSource> files = new TreeMap<>();
  private final List<RasAnswer> answers = new ArrayList<>();
  private final InspectorRounds rounds = new InspectorRounds();
  private final Map<String, String> inspected = new TreeMap<>();
  private String rasFile = "";

  /// Takes in what one file says.
  void add(WitnessFacts facts) {
    var file = facts.source().file();
    for (var said : facts.said()) {
      switch (said) {
        case Witness.Dumped(var dump) -> {
          if (dumps.size() < MOST_DUMPS || dumps.containsKey(file)) {
            dumps.put(file, dump);
            files.put(file, facts.source());
          }
        }
        case Witness.Undumped(var none) -> {
          if (refused.size() < MOST_DUMPS) {
            refused.put(file, none);
          }
        }
        case Witness.RasSaid(var more) -> {
          answers.addAll(more);
          if (answers.size() > MOST_ANSWERS) {
            answers.subList(0, answers.size() - MOST_ANSWERS).clear();
          }
          rasFile = file;
          files.put(file, facts.source());
        }
        case Witness.Inspected(var times) ->
            times.forEach(
                each -> {
                  rounds.add(each);
                  if (inspected.size() < MOST_DUMPS) {
                    inspected.putIfAbsent(each.comm() + " " + each.rank(), file);
                    files.putIfAbsent(file, facts.source());
                  }
                });
      }
    }
  }

  /// Whether nobody said anything.
  public boolean isEmpty() {
    return dumps.isEmpty() && refused.isEmpty() && answers.isEmpty() && rounds.isEmpty();
  }

  /// The dumps, in the order of their files.
  public Collection<Dump> dumps() {
    return dumps.values();
  }

  /// Files that would have been dumps.
  public Collection<DumpReading.Refused> refused() {
    return refused.values();
  }

  /// RAS's answers as they came.
  public List<RasAnswer> answers() {
    return answers;
  }

  /// The file of RAS's newest answers, empty if there are none.
  public String rasFile() {
    return rasFile;
  }

  /// The Inspector's file of a communicator's rank, empty if there is none.
  public String inspectorFile(String comm, int rank) {
    return inspected.getOrDefault(comm + " " + rank, "");
  }

  /// The Inspector's rounds.
  public InspectorRounds rounds() {
    return rounds;
  }

  /// Where a witness's file lies.
  public Optional<LogSource> source(String file) {
    return Optional.ofNullable(files.get(file));
  }
}
