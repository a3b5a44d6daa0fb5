package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.trainer.TrainerNames;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The range of training steps in a log, read at its top and its end.
final class StepsOfLog {
  private static final int TOP = 1024 * 1024;
  private static final int END = 256 * 1024;

  /// Least number of step lines; fewer may be anything.
  private static final int FEWEST = 3;

  /// Steps that a log may lack at its end, as a number of step lines.
  private static final int LACKING = 3;

  /// The prefix written by a container runtime, with its time as a group.
  static final Pattern RUNTIME =
      Pattern.compile("(?m)^(\\d{4}-\\d\\d-\\d\\dT\\S{8,24}) (?:stdout|stderr) [FP] ");

  private static final Pattern RESUMES =
      Pattern.compile(
          "(?i)\\b(?:resum(?:e|es|ed|ing)|continu(?:e|es|ed|ing) (?:training )?(?:from|at)|restor(?:ed|ing)"
              + "|(?:successfully )?load(?:ed|ing) (?:\\w+ )?checkpoint)\\b");

  /// `world_size: 8`, `WORLD_SIZE=8`, `using world size: 8`.
  private static final Pattern WORLD =
      Pattern.compile("(?i)\\bworld[_ -]?size\\W{1,40}(\\d{1,6})\\b");

  /// The first and last step in one kind of line.
  private static final class Steps {
    long first = -1;
    long last = -1;
    long apart = -1;
    int lines;

    void atTop(long step) {
      if (first < 0) {
        first = step;
      } else if (apart < 0 && step > first) {
        apart = step - first;
      }
      atEnd(step);
      lines++;
    }

    void atEnd(long step) {
      last = step;
    }
  }

  private final Map<String, Steps> steps = new HashMap<>();

  /// Training settings in the log: with other values a step takes another time.
  private final Map<String, Double> settings = new HashMap<>();

  private boolean resumes;
  private boolean communicates;

  private StepsOfLog() {}

  /// The steps of a log; none if it cannot be read or is packed.
  static StepsOfLog of(InputFile log) {
    var told = new StepsOfLog();
    try {
      told.read(log);
    } catch (IOException e) {
      told.steps.clear();
    }
    return told;
  }

  private void read(InputFile log) throws IOException {
    var first = log.parts().getFirst().path();
    var last = log.path();
    if (Packing.of(first) != Packing.NONE || Packing.of(last) != Packing.NONE) {
      return;
    }
    try (var in = Files.newInputStream(first)) {
      lines(text(in.readNBytes(TOP)), true);
    }
    lines(text(Head.end(last, END)), false);
  }

  private static String text(byte[] bytes) {
    return RUNTIME.matcher(new String(bytes, UTF_8).replace('\r', '\n')).replaceAll("");
  }

  private void lines(String lines, boolean top) {
    var text = Text.of(lines);
    var parser = new LineParser(text);
    for (int start = 0; start < text.length(); ) {
      int end = parser.lineEnd(start);
      if (top && steps.isEmpty()) {
        preparation(text.substring(start, end));
      }
      parser.parse(start, end, (head, event, from, to) -> event(event, top));
      start = end + 1;
    }
  }

  private void preparation(String line) {
    resumes |= RESUMES.matcher(line).find();
    var world = WORLD.matcher(line);
    if (world.find()) {
      settings.putIfAbsent("world size", Double.valueOf(world.group(1)));
    }
  }

  private void event(LineEvent event, boolean top) {
    switch (event) {
      case TrainerEvent.Setting e when top -> settings.putIfAbsent(e.name(), e.value());
      case MegatronEvent.Iteration e -> {
        if (top && e.globalBatch() > 0) {
          settings.putIfAbsent(TrainerNames.GLOBAL_BATCH, (double) e.globalBatch());
        }
        step("iteration", e.iteration(), top);
      }
      case TrainerEvent.Progress e when e.description().isEmpty() && e.total() > LACKING ->
          step("bar of " + e.total(), e.done(), top);
      case LoopEvent.Step e -> step("step of " + e.total(), e.step(), top);
      case DeepSpeedEvent.Step e -> step("engine", e.step(), top);
      case NcclEvent.CommInit _ -> communicates = true;
      case LineEvent _ -> {
        // no step
      }
    }
  }

  private void step(String kind, long step, boolean top) {
    if (step <= 0) {
      return;
    }
    var told = steps.computeIfAbsent(kind, _ -> new Steps());
    if (top) {
      told.atTop(step);
    } else {
      told.atEnd(step);
    }
  }

  boolean none() {
    return steps.isEmpty();
  }

  /// Whether the log contains communicators.
  boolean communicates() {
    return communicates;
  }

  /// Whether the next log continues this one. Its first step must follow this one's last step; it
  /// may repeat earlier steps only if it says that it resumes. World size and batch sizes must be
  /// equal. Ranks of one run, and runs of a sweep, begin with the same step and end with the same.
  boolean goesOnIn(StepsOfLog next) {
    boolean other =
        settings.entrySet().stream()
            .anyMatch(
                each ->
                    !each.getValue()
                        .equals(next.settings.getOrDefault(each.getKey(), each.getValue())));
    return !other
        && steps.entrySet().stream()
            .anyMatch(
                entry -> {
                  var then = next.steps.get(entry.getKey());
                  return then != null && goesOn(entry.getValue(), then, next.resumes);
                });
  }

  private static boolean goesOn(Steps one, Steps next, boolean resumes) {
    if (one.lines < FEWEST || next.lines < FEWEST || next.last <= one.last) {
      return false;
    }
    long apart = Math.max(1, Math.max(one.apart, next.apart));
    boolean near = next.first <= one.last + LACKING * apart;
    boolean behind = next.first >= one.last;
    boolean again = resumes && next.first > one.first + LACKING * apart;
    return near && (behind || again) && next.first > one.first;
  }
}
