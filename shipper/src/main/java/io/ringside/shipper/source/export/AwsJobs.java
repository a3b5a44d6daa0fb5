package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Extracts from answers of AWS Batch and SageMaker why a job ended:
/// `aws: job/pretrain FAILED (exit code 137): OutOfMemoryError: …`. For an answer about several
/// jobs it returns nothing, since it is unknown which of them wrote the logs beside it.
final class AwsJobs {
  private static final int LONGEST = 400;
  private static final int MOST = 1_000;

  private static final Pattern NAME = Pattern.compile("[\\w.#:-]{1,300}");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final List<Entry> ends = new ArrayList<>();
  private final Set<String> jobs = new HashSet<>();

  void take(JsonNode object) {
    if (jobs.size() > 1 || ends.size() >= MOST) {
      return;
    }
    if (object.path("jobId").isString()) {
      batch(object);
    } else if (object.path("TrainingJobName").isString()) {
      training(object);
    }
  }

  /// The lines; call it after the whole answer has been taken.
  List<Entry> ends() {
    return jobs.size() == 1 ? ends : List.of();
  }

  /// Takes a job, one of its nodes (`…#2`) or one of its child jobs (`…:2`).
  private void batch(JsonNode job) {
    jobs.add(job.path("jobId").stringValue().split("[#:]", 2)[0]);
    if (!job.path("status").asString("").equals("FAILED")) {
      return;
    }
    var attempt = job.path("attempts").path(Math.max(0, job.path("attempts").size() - 1));
    var container =
        attempt.path("container").isObject() ? attempt.path("container") : job.path("container");
    var code = container.path("exitCode");
    var why = new ArrayList<String>();
    Stream.of(job.path("statusReason"), attempt.path("statusReason"), container.path("reason"))
        .map(AwsJobs::words)
        .filter(words -> !words.isEmpty() && !why.contains(words))
        .forEach(why::add);
    add(
        job.path("jobName").asString(""),
        "FAILED" + (code.isNumber() ? " (exit code %d)".formatted(code.asInt(0)) : ""),
        String.join("; ", why),
        job.path("stoppedAt").isNumber() ? job.path("stoppedAt") : attempt.path("stoppedAt"));
  }

  private void training(JsonNode job) {
    jobs.add(job.path("TrainingJobName").stringValue());
    var status = job.path("TrainingJobStatus").asString("");
    if (!status.equals("Failed") && !status.equals("Stopped")) {
      return;
    }
    var second = job.path("SecondaryStatus").asString("");
    var transitions = job.path("SecondaryStatusTransitions");
    var last = transitions.path(Math.max(0, transitions.size() - 1));
    var reason = words(job.path("FailureReason"));
    add(
        job.path("TrainingJobName").stringValue(),
        NAME.matcher(second).matches() ? second : status,
        reason.isEmpty() ? words(last.path("StatusMessage")) : reason,
        job.has("TrainingEndTime") ? job.path("TrainingEndTime") : last.path("StartTime"));
  }

  private void add(String name, String status, String why, JsonNode time) {
    if (NAME.matcher(name).matches()) {
      ends.add(
          new Entry(
              "aws: job/%s %s%s".formatted(name, status, why.isEmpty() ? "" : ": " + why),
              time.isMissingNode() ? NO_TIME : Times.nanos(time),
              Entry.Labels.NONE));
    }
  }

  private static String words(JsonNode said) {
    var words = BLANKS.matcher(said.asString("").strip()).replaceAll(" ");
    return words.substring(0, Math.min(words.length(), LONGEST));
  }
}
