package io.ringside.standalone.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.CapturedConsole;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.streams.ledger.campaign.Campaign;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.ResultsSnapshot;
import io.ringside.streams.publish.http.CampaignEndpoint;
import io.ringside.streams.publish.http.WebServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportCommandTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final RunSummary LATE = run("late", 0, 7_200, straggler(720));
  private static final RunSummary EARLIER = run("clean", -700_000, -696_400, null);

  private final CapturedConsole captured = new CapturedConsole();

  @TempDir Path folder;

  @Test
  void tellsWhereTheHoursOfALedgerWent() throws Exception {
    var ledger = Files.writeString(folder.resolve("runs.jsonl"), lines(LATE, EARLIER));

    report("", "--ledger", ledger.toString());

    assertThat(captured.out())
        .isEqualTo(
            """
            Goodput 93.3 % of 12.0 GPU-hours whose worth is known (92.7 % to 94.0 %)
              2026-10-21 14:00:00 – 2026-11-20 14:00:00 UTC (30 d): 2 runs of 2 jobs, 12.0 GPU-hours

              Where the GPU-hours went
                productive training           ###################       11.2 GPU-hours
                straggler                     #                          0.8 GPU-hours  in 1 run (0.7 to 0.9),
                  9.60 at your price

              Machines that cost most
                node-7 (east)                 ####################       0.8 GPU-hours  in 1 run: straggler

              Goodput by week
                2026-11-09                    ####################             100.0 %  4.0 GPU-hours
                2026-11-16                    ##################                90.0 %  8.0 GPU-hours
            """);
  }

  @Test
  void takesTheLastLineOfARunAndOnlyWhatIsAskedFor() {
    var earlier = run("late", 0, 3_600, null);

    report(
        lines(EARLIER, earlier, LATE) + "null\n",
        "--ledger",
        "-",
        "--since",
        "1d",
        "--format",
        "json");

    var campaign = EventJson.MAPPER.readValue(captured.out(), Campaign.class);
    assertThat(campaign.runs()).isEqualTo(1);
    assertThat(campaign.lostGpuSeconds()).isEqualTo(2_880);
  }

  @Test
  void readsWhatAnalyzePrints() {
    var document = "{\"jobs\": [{\"job\": \"late\",\n\"runs\": [%s]}]}".formatted(json(LATE));

    report(document, "--ledger", "-", "--format", "markdown");

    assertThat(captured.out())
        .startsWith("### Goodput 90.0 % of 8.0 GPU-hours")
        .contains("| straggler | 0.8 GPU-hours | in 1 run");
  }

  @Test
  void asksAService() throws Exception {
    JobViews views = () -> new ResultsSnapshot(List.of(LATE, EARLIER), List.of(), List.of());
    var clock = InstantSource.fixed(NOON.plusSeconds(7_200));
    try (var server =
        WebServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(new CampaignEndpoint(views, clock)))) {
      report("", "--url", "http://127.0.0.1:%d/".formatted(server.address().getPort()));
    }

    assertThat(captured.out()).startsWith("Goodput 93.3 % of 12.0 GPU-hours");
  }

  @Test
  void saysInOneSentenceWhatCannotBeRead() throws Exception {
    var log = Files.writeString(folder.resolve("0.log"), "step 1\n");

    assertThatThrownBy(() -> run("", "--ledger", log.toString()))
        .isInstanceOf(UnusableInput.class)
        .hasMessageEndingWith("is not a ledger: line 1 is not JSON.");
    assertThatThrownBy(() -> run("{}", "--ledger", "-"))
        .isInstanceOf(UnusableInput.class)
        .hasMessageStartingWith("- holds no run;");
    var url = "http://127.0.0.1:" + portOfNobody();
    assertThatThrownBy(() -> run("", "--url", url))
        .isInstanceOf(UnusableInput.class)
        .hasMessageStartingWith("no service answers at " + url + ";");
  }

  private static int portOfNobody() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void report(String stdin, String... arguments) {
    try {
      run(stdin, arguments);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(String stdin, String... arguments) throws InterruptedException {
    var command =
        new ReportCommand(
            captured.console(),
            new ByteArrayInputStream(stdin.getBytes(UTF_8)),
            InstantSource.fixed(NOON.plusSeconds(7_200)));
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    command.call();
  }

  private static String lines(RunSummary... runs) {
    return String.join("\n", List.of(runs).stream().map(ReportCommandTest::json).toList()) + "\n";
  }

  private static String json(RunSummary run) {
    return EventJson.MAPPER.writeValueAsString(run);
  }

  private static RunBill straggler(double seconds) {
    return new RunBill(
        7_200,
        7_200 - seconds,
        List.of(
            new RunBill.Item(
                FindingKind.STRAGGLER,
                "f",
                List.of(6),
                List.of("node-7"),
                seconds,
                0.9 * seconds,
                1.1 * seconds,
                4 * seconds,
                9.6,
                List.of())),
        List.of());
  }

  private static RunSummary run(String job, long from, long to, @Nullable RunBill bill) {
    return RunSummary.of(
        new JobKey("east", "training", job),
        "0x1",
        1,
        its -> {
          its.since = NOON.plusSeconds(from);
          its.until = NOON.plusSeconds(to);
          its.nranks = 4;
          its.bill = bill;
        });
  }
}
