package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.NvlinkEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.PodTeam;
import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.trainer.TrainerNames;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What frameworks report about the steps of one run. Bounded: {@value #MAX_TRACKS} tracks.
public final class RunSteps {
  private static final int MAX_TRACKS = 6;

  private static final int MAX_FINISHED = 64;

  private static final int MAX_OTHERS = 64;

  /// A track with fewer lines is not preferred to a less exact one with more lines.
  private static final int ENOUGH = 5;

  private static final long MANY_STEPS = 10;

  /// This many lines of steps show that a wait is over. A single one may still have been on its way
  /// when the wait began.
  private static final long WENT_ON = 2;

  /// Horovod repeats the report each minute. After a longer pause the ranks had come in between.
  private static final long REPEATED_NANOS = 150_000_000_000L;

  /// Descriptions of training bars: `Training`, `loss: 1.23` of torchtune, `pp train`.
  private static final Pattern TRAINING =
      Pattern.compile(
          "(?i)^(?:epoch|train|step|iteration|loss: )"
              + "|^(?:pp|tp|dp|ddp|fsdp|sft|dpo|rm|lora|r\\d{1,4}|rank ?\\d{1,4}|\\[[^\\]]{1,12}\\]) train(?:ing)?$");

  private final TreeMap<String, StepTrack> tracks = new TreeMap<>();
  private final Map<String, Double> settings = new TreeMap<>();
  private final Map<String, OwnWait> ownWaits = new TreeMap<>();
  private final Map<LoopEvent.By, RanksCompared> compared = new EnumMap<>(LoopEvent.By.class);
  private static final int MOST_STRIDES = 1 << 16;

  private final Map<Integer, Stride> strides = new TreeMap<>();
  private final Map<String, LoggerClock> clocks = new TreeMap<>();

  /// Counts of bars that do not show training, by file and description.
  private final Map<String, Long> others = new TreeMap<>();

  /// The newest time of a line about steps, whether a step was made or not.
  private long toldNanos = NO_TIME;

  private final BatchGuess batch = new BatchGuess();
  private final Pulse pulse = new Pulse();
  private @Nullable Missing missing;
  private long longestMissing;
  private double samplesPerSecond = Double.NaN;

  /// Tokens of the newest step, NaN if the program does not state them.
  private double tokens = Double.NaN;

  private long observations;

  /// Files in which a program states that it has done its work.
  private final TreeSet<String> finished = new TreeSet<>();

  /// How far a rank has come, by its own lines.
  ///
  /// @param file identifies its log file
  /// @param atNanos time of its last such line, NO_TIME if it carries no time
  public record Stride(LoopEvent.RankProgress at, String file, long atNanos, Evidence line) {}

  /// Ranks that others wait for, as the program itself reports.
  ///
  /// @param ranks empty if the program does not name them
  /// @param ready ranks that have come, if it names those
  /// @param before how long they had been missing at the first such line
  /// @param atNanos time of the first such line, NO_TIME if it carries no time
  /// @param lastNanos time of the last one
  /// @param observations number of lines about steps before the last one
  public record Missing(
      LoopEvent.By by,
      List<Integer> ranks,
      List<Integer> ready,
      Duration before,
      long atNanos,
      long lastNanos,
      long observations,
      Evidence line) {

    /// How long they had been missing at the last such line, as far as the lines show.
    public Duration time() {
      return atNanos == NO_TIME || lastNanos < atNanos
          ? before
          : before.plusNanos(lastNanos - atNanos);
    }

    /// Ranks that have not come, as far as known: those that the program names, else all of
    /// `nranks` ranks that it does not call ready.
    public List<Integer> culprits(int nranks) {
      int all = ready.isEmpty() ? 0 : Math.max(nranks, ready.getLast() + 1);
      return ranks.isEmpty()
          ? IntStream.range(0, all).boxed().filter(rank -> !ready.contains(rank)).toList()
          : ranks;
    }

    private Missing as(long observations) {
      return new Missing(by, ranks, ready, before, atNanos, lastNanos, observations, line);
    }
  }

  /// Reads one line. Lines of one file come in order.
  ///
  /// @param file identifies the log file
  /// @param carrierNanos when the carrier says it was written, NO_TIME if it does not
  public void note(LineEvent event, String file, long carrierNanos, Evidence line) {
    long atNanos = clock(file).of(carrierNanos, line.text());
    long before = observations;
    read(event, file, atNanos, line);
    if (observations > before) {
      finished.remove(file);
      if (!(event instanceof TrainerEvent.Progress)) {
        interrupt(file);
      }
    }
    toldNanos = Math.max(toldNanos, atNanos);
  }

  /// Records that something goes on in this file that moves none of its bars.
  private void interrupt(String file) {
    interrupt(file, "");
  }

  /// @param but key of a bar that moves
  private void interrupt(String file, String but) {
    bars(file)
        .filter(bar -> !bar.getKey().equals(but))
        .forEach(bar -> bar.getValue().bar().interrupt());
  }

  private Stream<Map.Entry<String, StepTrack>> bars(String file) {
    return tracks.entrySet().stream()
        .filter(track -> track.getValue().source() == StepSource.PROGRESS_BAR)
        .filter(track -> track.getKey().contains("|" + file + "|"));
  }

  /// The clock of a file's logger. Only the first files keep one; lines of others count at their
  /// carrier's time.
  private LoggerClock clock(String file) {
    var clock = clocks.get(file);
    if (clock == null) {
      clock = new LoggerClock();
      if (clocks.size() < MAX_TRACKS) {
        clocks.put(file, clock);
      }
    }
    return clock;
  }

  private void read(LineEvent event, String file, long atNanos, Evidence line) {
    switch (event) {
      case TrainerEvent trainer -> trainer(trainer, file, atNanos, line);
      case DeepSpeedEvent deepSpeed -> deepSpeed(deepSpeed, file, atNanos, line);
      case MegatronEvent.Iteration e -> iteration(e, file, atNanos, line);
      case MegatronEvent.TimersBegun _,
          MegatronEvent.Timer _,
          MegatronEvent.RankTime _,
          MegatronEvent.TensorParallel _,
          MegatronEvent.TensorGroups _ -> {}
      case LoopEvent.Step e ->
          track(Double.isNaN(e.secondsEach()) ? StepSource.LOOP_STEPS : StepSource.LOOP_TIMES, file)
              .ifPresent(
                  track -> {
                    track.counts(e.step());
                    if (track.computes(e.work())) {
                      tracks.values().forEach(StepTrack::restart);
                    }
                    track.endsAfter(e.step(), e.total(), line);
                    track.loop(e.step(), e.secondsEach(), atNanos, line);
                  });
      case LoopEvent.Tokens(double amount) -> worksOn(amount);
      case LoopEvent.Position _ -> {} // combined before
      case LoopEvent.RankProgress e -> {
        if (strides.size() < MOST_STRIDES || strides.containsKey(e.rank())) {
          strides.put(e.rank(), new Stride(e, file, atNanos, line));
        }
      }
      case LoopEvent.RanksCompared(var by) ->
          compared.computeIfAbsent(by, _ -> new RanksCompared()).compared();
      case LoopEvent.RanksSlow(var by, var ranks) ->
          compared.computeIfAbsent(by, _ -> new RanksCompared()).slow(ranks, atNanos, line);
      case LoopEvent.RanksMissing said -> missing(said, atNanos, line);
      case LoopEvent.RanksCame(var by) -> {
        if (missing != null && missing.by() == by) {
          came();
        }
      }
      case LoopEvent.Finished _ -> {
        if (finished.size() < MAX_FINISHED) {
          finished.add(file);
        }
        tracks.entrySet().stream()
            .filter(track -> track.getKey().endsWith("|" + file))
            .forEach(track -> track.getValue().done());
      }
      case LoopEvent.AfterBar _ ->
          bars(file).map(Map.Entry::getValue).forEach(track -> track.drawnBefore(atNanos));
      // about the job, not its steps
      case LoopEvent.TestsPassed _, LoopEvent.Work _, LoopEvent.NewKind _ -> {}
      case LoopEvent.Resized _ -> tracks.values().forEach(StepTrack::restart);
      case NcclEvent _,
          OfiEvent _,
          TorchEvent _,
          NcclTestsEvent _,
          NvlinkEvent _,
          RdmaEvent _,
          FailureEvent _,
          PodTeam _,
          LineOrigin _ -> {}
    }
  }

  /// Whether a program states in some file that it has done its work, and none of its steps comes
  /// after that.
  public boolean finished() {
    return !finished.isEmpty();
  }

  /// Whether the counters of this file have come to their last step. A bar may cover only one
  /// epoch, so it counts only if the Trainer has stated how many steps there will be.
  public boolean complete(String file) {
    var counters =
        tracks.entrySet().stream()
            .filter(track -> track.getValue().total() > 0)
            .filter(track -> ("|" + track.getKey() + "|").contains("|" + file + "|"))
            .map(Map.Entry::getValue)
            .toList();
    boolean told = settings.containsKey(TrainerNames.OPTIMIZATION_STEPS);
    return counters.stream().allMatch(StepTrack::complete)
        && counters.stream().anyMatch(track -> told || track.source() != StepSource.PROGRESS_BAR);
  }

  /// Number of trainable parameters of the model, if the Trainer stated it.
  public Optional<Double> parameters() {
    return Optional.ofNullable(settings.get(TrainerNames.PARAMETERS));
  }

  /// Absorbs the reports of another part of the same run; what is known already stays.
  public void absorb(RunSteps other) {
    other.tracks.forEach(tracks::putIfAbsent);
    other.settings.forEach(settings::putIfAbsent);
    other.ownWaits.forEach(ownWaits::putIfAbsent);
    other.compared.forEach(compared::putIfAbsent);
    other.strides.forEach(strides::putIfAbsent);
    longestMissing = Math.max(longestMissing, other.longestMissing);
    finished.addAll(other.finished);
    observations += other.observations;
    pulse.absorb(other.pulse);
    toldNanos = Math.max(toldNanos, other.toldNanos);
    if (missing == null) {
      missing = other.missing().map(it -> it.as(observations)).orElse(null);
    }
    if (Double.isNaN(samplesPerSecond)) {
      samplesPerSecond = other.samplesPerSecond;
    }
  }

  private void trainer(TrainerEvent event, String file, long atNanos, Evidence line) {
    switch (event) {
      case TrainerEvent.Progress bar -> {
        if (training(bar)) {
          bar(file, bar, atNanos, line);
        } else if (moves(file, bar)) {
          interrupt(file);
        }
      }
      case TrainerEvent.Setting(String name, double value) -> {
        var before = settings.put(name, value);
        if (name.equals(TrainerNames.GLOBAL_BATCH) && before != null && before != value) {
          tracks.values().forEach(StepTrack::restart); // each step does more from here on
        }
      }
      case TrainerEvent.Metrics metrics -> metrics(metrics, file, atNanos, line);
      case TrainerEvent.Completed _ -> {}
    }
  }

  /// Records a bar. One that is drawn again unchanged shows no step.
  private void bar(String file, TrainerEvent.Progress bar, long atNanos, Evidence line) {
    var name = file + "|" + bar.total();
    var key = StepSource.PROGRESS_BAR.name() + "|" + name;
    var known = tracks.get(key);
    if (known == null || !known.bar().shows(bar.done())) {
      interrupt(file, key); // an outer bar stands while an inner one moves
      known = track(StepSource.PROGRESS_BAR, name).orElse(null);
      if (known != null) {
        known.endsAfter(bar.done(), bar.total(), line);
        known.reached(bar.done(), bar.elapsedSeconds(), 1, atNanos, line);
      }
    }
    if (known != null) {
      known.bar().drawn(bar.done(), bar.elapsedSeconds(), line);
    }
  }

  /// Whether a bar of something else, such as an evaluation, shows another count than before.
  private boolean moves(String file, TrainerEvent.Progress bar) {
    var name = file + "|" + bar.description();
    if (others.size() >= MAX_OTHERS && !others.containsKey(name)) {
      return true;
    }
    var before = others.put(name, bar.done());
    return before == null || before != bar.done();
  }

  /// Whether a bar shows training. Bars of the Trainer and of most scripts carry no text, those of
  /// downloads and preparation do.
  private boolean training(TrainerEvent.Progress bar) {
    var optimizationSteps = settings.get(TrainerNames.OPTIMIZATION_STEPS);
    if (optimizationSteps != null && bar.total() >= 0) {
      return bar.total() == optimizationSteps.longValue();
    }
    return bar.total() >= MANY_STEPS
        && (bar.description().isEmpty() || TRAINING.matcher(bar.description()).find());
  }

  private void metrics(TrainerEvent.Metrics metrics, String file, long atNanos, Evidence line) {
    double perSecond = metrics.of(TrainerNames.SAMPLES_PER_SECOND);
    if (perSecond > 0) {
      samplesPerSecond = perSecond;
    }
    for (var name :
        List.of(TrainerNames.COMPLETION_LENGTH, TrainerNames.COMPLETION_LENGTH_BEFORE)) {
      if (metrics.of(name) > 0) {
        worksOn(metrics.of(name));
      }
    }
    var steps = settings.get(TrainerNames.OPTIMIZATION_STEPS);
    var epochs = settings.get(TrainerNames.EPOCHS);
    double epoch = metrics.of(TrainerNames.EPOCH);
    boolean ofAStep = !Double.isNaN(metrics.of(TrainerNames.LOSS)) && !Double.isNaN(epoch);
    if (!ofAStep || atNanos == NO_TIME) {
      return;
    }
    pulse.beat(atNanos, line);
    if (steps == null || epochs == null || !(epochs > 0)) {
      observations++;
    } else {
      // an epoch is printed with two decimals: differences of ten times that give a step time
      double stepsAnEpoch = steps / epochs;
      long step = Math.round(epoch * stepsAnEpoch);
      track(StepSource.TRAINER_METRICS, file)
          .ifPresent(
              track ->
                  track.reachedRoughly(
                      step, 0.01 * stepsAnEpoch, Nanos.seconds(atNanos), atNanos, line));
    }
  }

  private void worksOn(double amount) {
    tokens = amount;
    tracks.values().forEach(track -> track.worksOn(amount));
  }

  private void deepSpeed(DeepSpeedEvent event, String file, long atNanos, Evidence line) {
    switch (event) {
      case DeepSpeedEvent.WallClock timers -> {
        double millis = StepTimers.of(timers);
        observations += timers.micro() ? 1 : 0;
        if (millis > 0) {
          track(StepSource.DEEPSPEED_TIMERS, file)
              .ifPresent(track -> track.took(1, millis / 1000, atNanos, line));
        }
      }
      case DeepSpeedEvent.Throughput e -> {
        if (e.samplesPerSecond() > 0 && e.samplesPerSecond() < Double.POSITIVE_INFINITY) {
          samplesPerSecond = e.samplesPerSecond();
        }
        if (atNanos != NO_TIME) {
          track(StepSource.DEEPSPEED_SAMPLES, file)
              .ifPresent(
                  track -> {
                    track.reached(e.globalStep(), Nanos.seconds(atNanos), 0, atNanos, line);
                    batch.note(e, track);
                  });
        }
      }
      case DeepSpeedEvent.Step e -> {
        if (atNanos != NO_TIME) {
          track(StepSource.DEEPSPEED_STEPS, file)
              .ifPresent(
                  track -> track.reached(e.step(), Nanos.seconds(atNanos), 0, atNanos, line));
        }
      }
      case DeepSpeedEvent.PipelineStep e -> {
        samplesPerSecond = e.samplesPerSecond();
        track(StepSource.DEEPSPEED_PIPELINE, file)
            .ifPresent(
                track -> {
                  track.took(1, e.iterationSeconds(), atNanos, line);
                  settings.put(
                      "pipeline batch",
                      (double) Math.round(e.samplesPerSecond() * e.iterationSeconds()));
                });
      }
      case DeepSpeedEvent.SummaryTable _, DeepSpeedEvent.SummaryOp _, DeepSpeedEvent.SummaryRow _ ->
          ownWaits.computeIfAbsent(file, _ -> new OwnWait()).note(event, line);
      case DeepSpeedEvent.LaunchedExit _ -> {}
    }
  }

  private void iteration(MegatronEvent.Iteration e, String file, long atNanos, Evidence line) {
    track(StepSource.MEGATRON, file)
        .ifPresent(
            track -> {
              boolean sameBatch = same(TrainerNames.GLOBAL_BATCH, e.globalBatch());
              if (!same("sequence length", e.sequenceLength()) || !sameBatch) {
                // what a step does grows by plan: its steps cannot be compared, whoever times them
                tracks.values().forEach(StepTrack::restart);
              }
              track.endsAfter(e.iteration(), e.total(), line);
              track.iterations(e.iteration(), e.millisPerIteration() / 1000, atNanos, line);
            });
  }

  private boolean same(String setting, long value) {
    var before = settings.put(setting, (double) value);
    return before == null || before == value;
  }

  private Optional<StepTrack> track(StepSource source, String file) {
    observations++;
    var key = source.name() + "|" + file;
    var known = tracks.get(key);
    if (known != null) {
      return Optional.of(known);
    }
    if (tracks.size() >= MAX_TRACKS) {
      var spare = spare(source, key);
      if (spare.equals(key)) {
        return Optional.empty();
      }
      tracks.remove(spare);
    }
    var begun = new StepTrack(source);
    begun.worksOn(tokens);
    tracks.put(key, begun);
    return Optional.of(begun);
  }

  /// Key of the track that is dropped for another one. It is of the kind of line that most files
  /// have, so that each kind stays known, and of those the last by name, whichever came first.
  private String spare(StepSource source, String key) {
    var files = new EnumMap<StepSource, TreeSet<String>>(StepSource.class);
    files.computeIfAbsent(source, _ -> new TreeSet<>()).add(key);
    tracks.forEach(
        (known, track) -> files.computeIfAbsent(track.source(), _ -> new TreeSet<>()).add(known));
    return files.values().stream()
        .reduce((better, worse) -> better.size() > worse.size() ? better : worse)
        .orElseThrow()
        .last();
  }

  /// Number of lines that reported a training step, or part of one.
  public long observations() {
    return observations;
  }

  /// When the last step ended, by a line that shows a change, {@link LogChunk#NO_TIME} if none has
  /// a time. A line without a change does not count, since a monitor repeats the same number.
  public long lastNanos() {
    long last = tracks.values().stream().mapToLong(StepTrack::lastNanos).max().orElse(NO_TIME);
    return Math.max(last, pulse.lastNanos());
  }

  /// The longest usual time between two lines of steps, in nanoseconds, including what the job did
  /// in between; 0 if no track has this many observations.
  public long usualNanos(long observations) {
    long usual =
        tracks.values().stream()
            .map(StepTrack::series)
            .filter(series -> series.observations() >= observations)
            .flatMap(series -> series.segments().stream())
            .mapToLong(
                segment ->
                    (segment.untilNanos() - segment.sinceNanos())
                        / Math.max(1, segment.observations()))
            .max()
            .orElse(0);
    return usual > 0 ? usual : pulse.usualNanos(observations);
  }

  /// The longest time between two lines of steps, in nanoseconds.
  public long longestNanos() {
    return tracks().stream().mapToLong(StepTrack::longestNanos).max().orElse(pulse.longestNanos());
  }

  /// Lines that show the newest steps: the first of each track's last segment, or the last one that
  /// states training without telling how many steps were made.
  public List<Evidence> newestLines() {
    var lines = tracks().stream().map(it -> it.series().segments().getLast().line()).toList();
    return lines.isEmpty() ? pulse.last().stream().toList() : lines;
  }

  /// The newest time of a line about steps, even if it only repeats where the job stands;
  /// [LogChunk#NO_TIME] if none has a time.
  public long toldNanos() {
    return toldNanos;
  }

  /// All tracks, the most exact first.
  public Collection<StepTrack> tracks() {
    return tracks.values().stream()
        .filter(track -> !track.series().segments().isEmpty())
        .sorted(
            Comparator.<StepTrack>comparingInt(
                    track -> track.series().observations() >= ENOUGH ? 0 : 1)
                .thenComparing(StepTrack::source))
        .toList();
  }

  /// Samples a step over all ranks as printed, or as the throughput shows; empty if there is
  /// neither.
  ///
  /// @param nranks size of the world
  public Optional<Double> globalBatch(int nranks) {
    for (var name : new String[] {TrainerNames.GLOBAL_BATCH, "pipeline batch"}) {
      var value = settings.get(name);
      if (value != null && value > 0) {
        return Optional.of(value);
      }
    }
    return settings.entrySet().stream()
        .filter(setting -> setting.getKey().startsWith(TrainerNames.TRAIN_BATCH))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> batch.of(nranks));
  }

  /// Samples a second over all ranks as last printed; NaN if never printed.
  public double samplesPerSecond() {
    return samplesPerSecond;
  }

  private void missing(LoopEvent.RanksMissing said, long atNanos, Evidence line) {
    var before =
        missing()
            .filter(it -> it.by() == said.by())
            .filter(it -> atNanos == NO_TIME || atNanos - it.lastNanos() <= REPEATED_NANOS);
    if (before.isEmpty()) {
      came();
    }
    var ranks = new TreeSet<>(said.ranks());
    var ready = new TreeSet<>(said.ready());
    var already = Duration.ofSeconds(said.seconds());
    before.ifPresent(
        it -> {
          ranks.addAll(it.ranks());
          ready.addAll(it.ready());
        });
    missing =
        new Missing(
            said.by(),
            List.copyOf(ranks),
            List.copyOf(ready),
            before.map(Missing::before).filter(it -> it.compareTo(already) > 0).orElse(already),
            before.map(Missing::atNanos).filter(at -> at != NO_TIME).orElse(atNanos),
            Math.max(atNanos, before.map(Missing::lastNanos).orElse(NO_TIME)),
            observations,
            before
                .filter(_ -> said.ranks().isEmpty() && said.ready().isEmpty())
                .map(Missing::line)
                .orElse(line));
  }

  private void came() {
    if (missing != null) {
      longestMissing = Math.max(longestMissing, missing.time().toNanos());
      missing = null;
    }
  }

  /// The longest time for which ranks were reported missing that came after all.
  public Duration longestMissing() {
    return Duration.ofNanos(longestMissing);
  }

  /// Ranks that others wait for, unless steps went on since.
  public Optional<Missing> missing() {
    return Optional.ofNullable(missing).filter(it -> observations - it.observations() < WENT_ON);
  }

  /// Reports of programs that compare their ranks.
  public Map<LoopEvent.By, RanksCompared> compared() {
    return compared;
  }

  /// How far ranks have come by their own lines, by rank.
  public Map<Integer, Stride> strides() {
    return strides;
  }

  /// Waits that ranks report about themselves, by log file.
  public Map<String, OwnWait> ownWaits() {
    return ownWaits;
  }
}
