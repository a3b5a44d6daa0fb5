package io.ringside.streams.node;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.loop.JobWords;
import io.ringside.streams.parse.trainer.TrainerNames;
import java.util.regex.Pattern;

/// Recognises the log of a GPU job by lines from which nothing else is read. Remembered from chunk
/// to chunk. Owned by one stream thread.
final class WorkReading {
  /// This many likely lines are no accident.
  private static final int ENOUGH = 3;

  /// Most lines that are checked: a job's log shows earlier what it is.
  private static final int MOST_ASKED = 20_000;

  /// Descriptions of training bars; others show downloads and files that are read.
  private static final Pattern TRAINING = Pattern.compile("(?i)(?:\\[?train|epoch|step|iter).*");

  /// Descriptions that only training has, not its preparation: `Training Progress` of verl.
  private static final Pattern SURE =
      Pattern.compile(
          "(?i)\\[?train(?:ing)?\\]?(?: (?:progress|steps?|epochs?|iter(?:ation)?s?|loop)(?: [\\d/\\[\\]]+)?)?");

  /// A bar with fewer steps may show anything.
  private static final long MANY_STEPS = 10;

  private int asked;
  private int likely;
  private boolean told;

  /// Whether it is still undecided whether the log is a job's.
  boolean isOpen() {
    return !told && asked < MOST_ASKED;
  }

  /// Whether this line, which no family reads, shows that the log is a job's.
  boolean settles(Text text, int from, int end) {
    asked++;
    return settles(JobWords.of(text, from, end));
  }

  /// Whether this event, which states no step, shows it.
  boolean settles(LineEvent event) {
    if (event instanceof TrainerEvent.Progress bar
        && bar.done() > 0
        && bar.total() >= MANY_STEPS
        && SURE.matcher(bar.description()).matches()) {
      return settles(JobWords.Sign.SURE);
    }
    if (event instanceof TrainerEvent.Metrics metrics && TrainerNames.returned(metrics)) {
      return settles(JobWords.Sign.SURE); // the Trainer's final metrics
    }
    boolean tells =
        event instanceof TrainerEvent.Metrics
            || event instanceof TrainerEvent.Progress bar
                && TRAINING.matcher(bar.description()).matches();
    return tells && settles(JobWords.Sign.LIKELY);
  }

  private boolean settles(JobWords.Sign sign) {
    likely +=
        switch (sign) {
          case NONE -> 0;
          case LIKELY -> 1;
          case SURE -> ENOUGH;
        };
    told = likely >= ENOUGH;
    return told;
  }
}
