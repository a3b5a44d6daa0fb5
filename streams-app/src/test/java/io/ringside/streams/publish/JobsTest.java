package io.ringside.streams.publish;

import static io.ringside.schemas.event.Finding.State.ACTIVE;
import static io.ringside.schemas.event.Finding.State.CLEARED;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.SENSOR_STALLED;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.RunSummary.State.ENDED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.INFO;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobsTest {
  @Test
  void putsTheJobInTroubleFirst() {
    var views =
        new FixedViews(
            List.of(
                Samples.run("calm", "a", 1, RUNNING),
                Samples.run("late", "b", 1, RUNNING),
                Samples.run("broken", "c", 1, ENDED)),
            List.of(
                Samples.finding("f1", "late", "b", STRAGGLER, WARNING, ACTIVE),
                Samples.finding("f2", "broken", "c", EFA_FALLBACK, CRITICAL, ACTIVE)));

    assertThat(Jobs.of(views).all())
        .extracting(job -> job.key().job())
        .containsExactly("broken", "late", "calm");
  }

  @Test
  void doesNotHoldAnOldRunAgainstTheNewOne() {
    var views =
        new FixedViews(
            List.of(Samples.run("llama", "old", 1, ENDED), Samples.run("llama", "new", 2, RUNNING)),
            List.of(Samples.finding("f", "llama", "old", EFA_FALLBACK, CRITICAL, ACTIVE)));

    var job = Jobs.of(views).all().getFirst();

    assertThat(job.current()).map(RunSummary::run).hasValue("new");
    assertThat(job.worst()).isEmpty();
    assertThat(JobOverview.of(job).verdict()).isEqualTo("ok");
    assertThat(job.findings()).hasSize(1);
  }

  @Test
  void countsEveryRunThatStillGoesOn() {
    var views =
        new FixedViews(
            List.of(
                Samples.run("llama", "one", 1, RUNNING), Samples.run("llama", "two", 2, RUNNING)),
            List.of(Samples.finding("f", "llama", "one", STRAGGLER, WARNING, ACTIVE)));

    assertThat(Jobs.of(views).all().getFirst().worst()).hasValue(WARNING);
  }

  @Test
  void keepsTheVerdictOfAJobThatIsOver() {
    var straggler = List.of(Samples.finding("f", "llama", "a", STRAGGLER, WARNING, CLEARED));

    var over = new FixedViews(List.of(Samples.run("llama", "a", 1, ENDED)), straggler);
    var goesOn = new FixedViews(List.of(Samples.run("llama", "a", 1, RUNNING)), straggler);

    assertThat(Jobs.of(over).all().getFirst().verdict()).isEqualTo("warning");
    assertThat(Jobs.of(goesOn).all().getFirst().verdict()).isEqualTo("ok");
  }

  @Test
  void showsAJobThatOnlyFindingsSpeakOf() {
    var views =
        new FixedViews(
            List.of(),
            List.of(Samples.finding("f", "stillborn", "", EFA_FALLBACK, CRITICAL, ACTIVE)));

    var overview = JobOverview.of(Jobs.of(views).all().getFirst());

    assertThat(overview.verdict()).isEqualTo("critical");
    assertThat(overview.state()).isEqualTo("unknown");
    assertThat(overview.run()).isEmpty();
  }

  @Test
  void keepsFindingsWithoutAJobApart() {
    var views =
        new FixedViews(
            List.of(), List.of(Samples.finding("f", "", "", SENSOR_STALLED, WARNING, ACTIVE)));

    var jobs = Jobs.of(views);

    assertThat(jobs.all()).isEmpty();
    assertThat(jobs.unowned()).hasSize(1);
  }

  @Test
  void givesTheHeadlineToTheWorstFindingAndElseToWhatIsOver() {
    var run = List.of(Samples.run("llama", "a", 1, RUNNING));
    var over = Samples.finding("over", "llama", "a", STRAGGLER, WARNING, CLEARED);
    var small = Samples.finding("small", "llama", "a", STRAGGLER, INFO, ACTIVE);
    var big = Samples.finding("big", "llama", "a", EFA_FALLBACK, CRITICAL, ACTIVE);

    assertThat(headline(new FixedViews(run, List.of(over, small, big)))).contains("(big)");
    assertThat(headline(new FixedViews(run, List.of(over))))
        .startsWith("Ended: ")
        .contains("(over)");
    assertThat(headline(new FixedViews(run, List.of()))).isEqualTo("Nothing to report.");
  }

  @Test
  void headsAJobThatIsOverWithWhatCostTheMostWhetherItEndedBefore() {
    var over = List.of(Samples.run("llama", "a", 1, ENDED));
    var holds = Samples.finding("holds", "llama", "a", EFA_FALLBACK, WARNING, ACTIVE);
    var dear = Samples.finding("dear", "llama", "a", STRAGGLER, WARNING, CLEARED);

    assertThat(dear.cost().gpuSeconds()).isPositive();
    assertThat(
            headline(
                new FixedViews(over, List.of(holds.with(its -> its.cost = Cost.UNKNOWN), dear))))
        .contains("(dear)");
  }

  @Test
  void countsAsLostWhatIsOnTheBill() {
    var run = Samples.run("llama", "a", 1, RUNNING);
    var finding = Samples.finding("f", "llama", "a", STRAGGLER, WARNING, ACTIVE);
    var item =
        new RunBill.Item(STRAGGLER, "f", List.of(2), List.of(), 10, 9, 11, 40, null, List.of());
    var billed = run.with(its -> its.bill = new RunBill(100, 90, List.of(item), List.of()));

    assertThat(lost(run, finding)).isNull();
    assertThat(lost(billed, finding)).isEqualTo(40);
  }

  private static @Nullable Double lost(RunSummary run, Finding finding) {
    var views = new FixedViews(List.of(run), List.of(finding));
    return JobOverview.of(Jobs.of(views).all().getFirst()).lostGpuSeconds();
  }

  private static String headline(JobViews views) {
    return JobOverview.of(Jobs.of(views).all().getFirst()).headline();
  }
}
