package io.ringside.streams.detect.network;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Two hosts with four ports each, of which somebody saved the counters every half minute.
class SavedPortErrorsTest {
  /// Of one job.
  private static final String FOLDER = "ns_job_uid/";

  private static final int HOSTS = 2;
  private static final int PORTS = 4;
  private static final int TIMES = 8;
  private static final long OLD = 388;
  private static final long MESSAGES = 1_200_000;

  private final Map<String, List<String>> files = new TreeMap<>();

  @Test
  void thatRiseOnOnePortAlone() {
    job();
    saved("rdma-rack1-00.txt", TIMES, (_, _) -> 0);
    saved("rdma-rack1-01.txt", TIMES, (port, time) -> port == 2 ? 3_000 * time : 0);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.summary())
                  .startsWith(
                      "retransmits of mlx5_2/1 rise in rdma-rack1-01.txt: by 21000 at 7 of 7 times");
              assertThat(finding.evidence().getFirst().text()).contains("out_of_sequence 3388");
            });
  }

  @Test
  void inEachForm() {
    job();
    for (var form : Form.values()) {
      files.remove(FOLDER + "rdma.txt");
      saved("rdma.txt", TIMES, 1, form, (port, time) -> port == 2 ? 3_000 * time : 0);

      assertThat(found()).as(form.name()).hasSize(1);
    }
  }

  @Test
  void ofTheFilesOfInfiniBandPorts() {
    job();
    var lines = new ArrayList<String>();
    for (int time = 0; time < TIMES; time++) {
      lines.add("2026-11-20T10:0%d:00+00:00".formatted(time));
      for (int port = 0; port < PORTS; port++) {
        lines.add(file(port, "counters", "port_rcv_packets", 1 + MESSAGES * time));
        lines.add(file(port, "counters", "symbol_error", port == 1 ? 4_000L * time : 3));
      }
      for (int port = 0; port < PORTS; port++) {
        lines.add(file(port, "hw_counters", "out_of_sequence", OLD));
      }
    }
    files.put(FOLDER + "counters-rack1-01.txt", lines);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.summary())
                    .startsWith(
                        "damaged packets of mlx5_1/1 rise in counters-rack1-01.txt: by 28000 at 7 of 7 times"));
  }

  @Test
  void nothingOfFilesOfTwoMachines() {
    job();
    var lines = new ArrayList<String>();
    for (int time = 0; time < TIMES; time++) {
      lines.addAll(listing(time, 1, Form.FILES, (_, _) -> 0));
      lines.addAll(listing(time, 1, Form.FILES, (port, _) -> port == 2 ? 55_000 : 0));
    }
    files.put(FOLDER + "counters.txt", lines);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingOfFilesWhereAllPortsCount() {
    job();
    saved("counters.txt", TIMES, 1, Form.FILES, (port, time) -> (2_800 + 100 * port) * time);

    assertThat(found()).isEmpty();
  }

  /// As `grep . /sys/class/infiniband/*/ports/1/counters/*` shows them of drivers that count no
  /// packets.
  @Test
  void aPortWhoseBytesAloneAreCounted() {
    job();
    bytes("counters-rack1-01.txt", (port, time) -> port == 2 ? 30_000 * time : 0);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.summary()).startsWith("damaged packets of mlx5_2/1 rise");
            });
  }

  @Test
  void nothingOfBytesWithoutErrors() {
    job();
    bytes("counters-rack1-01.txt", (_, _) -> 3);

    assertThat(found()).isEmpty();
  }

  private void bytes(String file, LongBinaryOperator errors) {
    var lines = new ArrayList<String>();
    for (int time = 0; time < TIMES; time++) {
      lines.add("### 2026-11-20T10:%02d:00+00:00".formatted(time));
      for (int port = 0; port < PORTS; port++) {
        for (var data : List.of("port_rcv_data", "port_xmit_data")) {
          lines.add(file(port, "counters", data, 1_024 * MESSAGES * time));
        }
        lines.add(file(port, "counters", "symbol_error", errors.applyAsLong(port, time)));
      }
    }
    files.put(FOLDER + file, lines);
  }

  @Test
  void nothingOfLongAgo() {
    job();
    saved("rdma.txt", TIMES, (port, _) -> port == 2 ? 55_000 : 0);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingWhereAllPortsCount() {
    job();
    saved("rdma.txt", TIMES, (port, time) -> (2_800 + 100 * port) * time);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingOfAShortStorm() {
    job();
    saved("rdma.txt", 60, (port, time) -> port == 2 ? 3_000 * Math.clamp(time - 20, 0, 3) : 0);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingOfThePortThatCarriesAll() {
    job();
    saved("rdma.txt", TIMES, 10, Form.LINE, (port, time) -> port == 2 ? 30_000 * time : 0);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingOfAFileOfTwoMachines() {
    job();
    var lines = new ArrayList<String>();
    for (int time = 0; time < TIMES; time++) {
      lines.addAll(listing(time, 1, Form.LINE, (_, _) -> 0));
      lines.addAll(listing(time, 1, Form.LINE, (port, _) -> port == 2 ? 55_000 : 0));
    }
    files.put(FOLDER + "rdma.txt", lines);

    assertThat(found()).isEmpty();
  }

  @Test
  void nothingOfTwoTimes() {
    job();
    saved("rdma.txt", 2, (port, time) -> port == 2 ? 3_000 * time : 0);

    assertThat(found()).isEmpty();
  }

  @Test
  void theWorstWhereItsOtherEndCountsLess() {
    job();
    saved("rdma-rack1-00.txt", TIMES, (port, time) -> port == 1 ? 1_500 * time : 0);
    saved("rdma-rack1-01.txt", TIMES, (port, time) -> port == 2 ? 30_000 * time : 0);

    assertThat(found()).extracting(Finding::ranks).containsExactly(List.of(1));
  }

  private enum Form {
    LINE,
    PRETTY,
    JSON,
    FILES
  }

  private void job() {
    var lines = new ArrayList<String>();
    for (var phase : List.of("START", "COMPLETE")) {
      for (int rank = 0; rank < HOSTS; rank++) {
        lines.add(
            "rack1-%02d:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks %d cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc - Init %s"
                .formatted(rank, 100 + rank, 200 + rank, rank, HOSTS, phase));
      }
    }
    files.put(FOLDER + "job.log", lines);
  }

  private void saved(String file, int times, LongBinaryOperator errors) {
    saved(file, times, 1, Form.LINE, errors);
  }

  /// @param busy how many times the others' messages port 2 carries
  /// @param errors of a port up to a time
  private void saved(String file, int times, int busy, Form form, LongBinaryOperator errors) {
    var lines = new ArrayList<String>();
    for (int time = 0; time < times; time++) {
      lines.add("=== Fri Nov 20 10:%02d:00 2026".formatted(time));
      lines.addAll(listing(time, busy, form, errors));
    }
    files.put(FOLDER + file, lines);
  }

  private static List<String> listing(int time, int busy, Form form, LongBinaryOperator errors) {
    var ports = new ArrayList<Map<String, Long>>();
    for (int port = 0; port < PORTS; port++) {
      var counters = new TreeMap<String, Long>();
      counters.put("rx_write_requests", (port == 2 ? busy : 1) * MESSAGES * time + port);
      counters.put("out_of_buffer", 5_000L * time);
      counters.put("out_of_sequence", OLD + errors.applyAsLong(port, time));
      counters.put("local_ack_timeout_err", 2L);
      ports.add(counters);
    }
    return switch (form) {
      case LINE ->
          each(ports, (name, count) -> " " + name + " " + count, "link mlx5_%d/1", " ").toList();
      case PRETTY ->
          each(ports, (name, count) -> "\n    " + name + " " + count, "link mlx5_%d/1 ", " ")
              .flatMap(String::lines)
              .toList();
      case JSON ->
          List.of(
              each(
                      ports,
                      (name, count) -> ",\"" + name + "\":" + count,
                      "{\"ifindex\":0,\"ifname\":\"mlx5_%d\",\"port\":1",
                      "}")
                  .collect(joining(",", "[", "]")));
      case FILES ->
          Stream.iterate(0, port -> port < PORTS, port -> port + 1)
              .flatMap(
                  port ->
                      ports.get(port).entrySet().stream()
                          .map(it -> file(port, "hw_counters", it.getKey(), it.getValue())))
              .toList();
    };
  }

  private static String file(int port, String folder, String name, long count) {
    return "/sys/class/infiniband/mlx5_%d/ports/1/%s/%s:%d".formatted(port, folder, name, count);
  }

  private interface Word {
    String of(String name, long count);
  }

  private static Stream<String> each(
      List<Map<String, Long>> ports, Word word, String head, String foot) {
    return Stream.iterate(0, port -> port < ports.size(), port -> port + 1)
        .map(
            port ->
                head.formatted(port)
                    + ports.get(port).entrySet().stream()
                        .map(counter -> word.of(counter.getKey(), counter.getValue()))
                        .collect(joining())
                    + foot);
  }

  private List<Finding> found() {
    return Recorded.of(files).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NETWORK_ERRORS)
        .toList();
  }
}
