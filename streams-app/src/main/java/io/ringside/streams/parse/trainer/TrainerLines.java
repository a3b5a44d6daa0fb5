package io.ringside.streams.parse.trainer;

import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The Trainer's training block and metric dicts (transformers trainer.py, trainer_callback.py).
public final class TrainerLines {

  private TrainerLines() {}

  private static final String QUOTE = "': ";

  private static final List<Usual> USUAL =
      Stream.of("loss", "grad_norm", "learning_rate", "epoch", "eval_loss")
          .map(name -> new Usual(name, name.charAt(0), name + QUOTE))
          .toList();

  /// A common name, and its form in front of the value.
  private record Usual(String name, char first, String quoted) {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("{'*': *", "all", TrainerLines::metrics),
          Shape.of("Num examples = *", "all", TrainerLines::setting),
          Shape.of("Num Epochs = *", "all", TrainerLines::setting),
          Shape.of("Num update steps per epoch = *", "5.x", TrainerLines::setting),
          Shape.of("Instantaneous batch size per device = *", "all", TrainerLines::setting),
          Shape.of("Total train batch size *= *", "all", TrainerLines::setting),
          Shape.of("Gradient Accumulation steps = *", "all", TrainerLines::setting),
          Shape.of("Total optimization steps = *", "all", TrainerLines::setting),
          Shape.of("Number of trainable parameters = *", "all", TrainerLines::setting),
          Shape.ignored("Saving model checkpoint to *", "all"),
          Shape.ignored("Saving current state to *", "accelerate"),
          Shape.of(
              ":::MLLOG {*\"run_stop\"*\"success\"*", "MLPerf's logging", TrainerLines::completed),
          Shape.of(
              ":::MLL #.# run_stop: *\"success\"*",
              "MLPerf's logging of 2019 and 2020",
              TrainerLines::completed),
          Shape.of("Reporting training SUCCESS*", "SageMaker's toolkit", TrainerLines::completed),
          Shape.of(
              "Completed - Training job completed*", "SageMaker's client", TrainerLines::completed),
          Shape.of("Message: *Job * successfully completed.*", "Kubeflow", TrainerLines::completed),
          Shape.of("Training completed. Do not forget to share *", "all", TrainerLines::completed));

  /// `{'loss': 2.1234, 'epoch': 0.02}`, or with strings since 5.x; `nan` and `inf` without quotes.
  /// Values that are no numbers are left out.
  private static boolean metrics(TextLine line) {
    var values = new ArrayList<TrainerEvent.Metric>(USUAL.size());
    line.expect("{");
    do {
      line.blanks();
      var name = name(line.expect("'"));
      var quoted = line.skip("'");
      var at = line.at();
      var value = line.decimal();
      var fits = line.good() && (!quoted || line.skip("'"));
      if (fits) {
        values.add(new TrainerEvent.Metric(name, value));
      } else if (line.good() || !name.isEmpty()) {
        line.back(at);
        skipValue(line, quoted);
      }
    } while (line.good() && line.skip(","));
    line.expect("}");
    return line.good() && !values.isEmpty() && line.emit(new TrainerEvent.Metrics(values));
  }

  /// Reads a name and moves past it. Common names need no new string.
  private static String name(Cursor line) {
    for (var usual : USUAL) {
      if (line.peek() == usual.first() && line.skip(usual.quoted())) {
        return usual.name();
      }
    }
    var name = line.until('\'');
    line.expect(QUOTE);
    return name;
  }

  private static void skipValue(Cursor line, boolean quoted) {
    if (quoted) {
      line.seek("'");
      return;
    }
    while (!line.atEnd() && line.peek() != ',' && line.peek() != '}') {
      line.expect(String.valueOf(line.peek()));
    }
  }

  /// `Total optimization steps = 1,722`, with commas between thousands.
  private static boolean setting(TextLine line) {
    var name = line.before(" = ");
    var value = line.number();
    while (line.good() && line.skip(",")) {
      value = value * 1000 + line.number();
    }
    return line.done() && line.emit(new TrainerEvent.Setting(name, value));
  }

  private static boolean completed(TextLine line) {
    return line.emit(new TrainerEvent.Completed());
  }
}
