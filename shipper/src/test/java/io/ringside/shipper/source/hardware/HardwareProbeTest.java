package io.ringside.shipper.source.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.HardwareCounters.Kind;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.WitnessReachability;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HardwareProbeTest {
  private static final String LINKS =
      """
      GPU 0: NVIDIA H200 (UUID: GPU-aa)
      \t Link 0: 26.562 GB/s
      \t Link 1: <inactive>
      GPU 1: NVIDIA H200 (UUID: GPU-bb)
      \t Link 0: 26.562 GB/s
      \t Link 1: 26.562 GB/s
      """;

  private static final String ERRORS =
      """
      GPU 0: NVIDIA H200 (UUID: GPU-aa)
      \t Link 0: Replay Errors: 3
      \t Link 0: Recovery Errors: 1
      \t Link 0: CRC Errors: 2

      \t Link 1: Replay Errors: 4
      \t Link 1: Recovery Errors: 0
      \t Link 1: CRC Errors: 0
      """;

  private static final String QUERY =
      """
      GPU-aa, 00000000:0B:00.0, 97, 4, 5, 16, 16, 12, No, Yes, 24
      GPU-bb, 00000000:0C:00.0, 0, 1, 5, 16, 16, [N/A], [N/A], [N/A], [N/A]
      """;

  @TempDir private Path folder;
  private final LongAdder failures = new LongAdder();
  private final WitnessReachability reachability = new WitnessReachability(() -> Instant.EPOCH);
  private final AtomicLong now = new AtomicLong();

  @Test
  void readsTheErrorsOfPorts() throws IOException {
    write("sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "2\n");
    write("sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_packets", "981203123\n");
    write("sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence", "7\n");
    write("sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "no number");
    write("sys/class/infiniband/rdmap16s27/ports/1/hw_counters/retrans_pkts", "11\n");

    assertThat(probe(null, null).read())
        .containsExactly(
            new HardwareCounters(
                Kind.PORT,
                "mlx5_0/1",
                Map.of("link_downed", 2L, "port_rcv_packets", 981203123L, "out_of_sequence", 7L)),
            new HardwareCounters(Kind.PORT, "rdmap16s27/1", Map.of("retrans_pkts", 11L)));
  }

  @Test
  void readsWhatTcpSentAgain() throws IOException {
    var snmp =
        write(
            "snmp",
            """
            Ip: Forwarding DefaultTTL
            Ip: 1 64
            Tcp: RtoAlgorithm OutSegs RetransSegs InErrs
            Tcp: 1 123456 78 0
            """);

    assertThat(probe(snmp, null).read())
        .containsExactly(
            new HardwareCounters(Kind.TCP, "", Map.of("OutSegs", 123456L, "RetransSegs", 78L)));
  }

  @Test
  void asksNvidiaSmiForLinksAndRows() throws IOException {
    var smi =
        smi(
            """
            case "$1 $2" in
              "nvlink -s") cat "$0.links" ;;
              "nvlink -e") cat "$0.errors" ;;
              *) cat "$0.query" ;;
            esac
            """);

    assertThat(probe(null, smi).read())
        .extracting(HardwareCounters::name, HardwareCounters::values)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "0000:0b:00.0",
                Map.ofEntries(
                    Map.entry("nvlinks", 1L),
                    Map.entry("nvlinks_inactive", 1L),
                    Map.entry("nvlink_replays", 7L),
                    Map.entry("nvlink_recoveries", 1L),
                    Map.entry("nvlink_crc", 2L),
                    Map.entry("busy", 97L),
                    Map.entry("pcie_gen", 4L),
                    Map.entry("pcie_gen_max", 5L),
                    Map.entry("pcie_width", 16L),
                    Map.entry("pcie_width_max", 16L),
                    Map.entry("ecc_corrected", 12L),
                    Map.entry("rows_pending", 0L),
                    Map.entry("rows_failed", 1L),
                    Map.entry("thermal_margin", 24L))),
            org.assertj.core.groups.Tuple.tuple(
                "0000:0c:00.0",
                Map.of(
                    "nvlinks",
                    2L,
                    "nvlinks_inactive",
                    0L,
                    "busy",
                    0L,
                    "pcie_gen",
                    1L,
                    "pcie_gen_max",
                    5L,
                    "pcie_width",
                    16L,
                    "pcie_width_max",
                    16L)));
  }

  @Test
  void takesAnOldDriversAnswerWithoutRows() throws IOException {
    var smi =
        smi(
            """
            case "$*" in
              *remapped*) echo 'Field "remapped_rows.pending" is not a valid field to query.'; exit 2 ;;
              nvlink*) exit 1 ;;
              *) echo "GPU-aa, 00000000:0B:00.0, 97, 4, 5, 16, 16, 12" ;;
            esac
            """);

    assertThat(probe(null, smi).read())
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.values()).containsEntry("pcie_gen", 4L).hasSize(6));
  }

  @ParameterizedTest
  @CsvSource({"-2, -2", "24, 24", "[N/A],"})
  void readsHowFarAGpuIsFromSlowingDown(String cell, @Nullable Long expected) throws IOException {
    var smi =
        smi(
            """
            case "$*" in
              *remapped_rows.failure,temperature.gpu.tlimit*)
                echo "GPU-aa, 00000000:0B:00.0, 97, 4, 5, 16, 16, 12, No, No, %s" ;;
              *) exit 1 ;;
            esac
            """
                .formatted(cell));

    assertThat(probe(null, smi).read())
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.values().get("thermal_margin")).isEqualTo(expected));
  }

  @Test
  void asksADriverThatKnowsNoMarginForRowsAllTheSame() throws IOException {
    var smi =
        smi(
            """
            case "$*" in
              *tlimit*) echo 'Field "temperature.gpu.tlimit" is not a valid field to query.'; exit 2 ;;
              *remapped*) echo "GPU-aa, 00000000:0B:00.0, 97, 4, 5, 16, 16, 12, Yes, No" ;;
              *) exit 1 ;;
            esac
            """);

    assertThat(probe(null, smi).read())
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.values()).containsEntry("rows_pending", 1L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 9", "head -c 100000 /dev/urandom", "echo GPU-aa, 0, ,,,,,,,,,,,"})
  void goesOnWithoutWhatNvidiaSmiDoesNotTell(String script) throws IOException {
    write("sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "2\n");

    assertThat(probe(null, smi(script)).read()).extracting("kind").containsOnly(Kind.PORT);
  }

  @Test
  void tellsWhatCannotBeRead() throws IOException {
    Files.createDirectories(folder.resolve("sys/class/infiniband/mlx5_0/ports/1/counters"));
    var snmp = folder.resolve("none");
    var probe = probe(snmp, smi("exit 9"));

    probe.read();
    assertThat(reachability.unreached()).isEmpty();
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    probe.read();

    assertThat(reachability.unreached())
        .extracting(UnreachedWitness::witness, said -> said.why().replace(folder.toString(), "…"))
        .containsExactly(
            tuple("error counters", "cannot read those of mlx5_0/1"),
            tuple("error counters", "cannot read …/none"),
            tuple(
                "error counters", "cannot ask nvidia-smi: …/nvidia-smi exited with 9: no output"));
  }

  @Test
  void tellsWhereNvidiaSmiKnowsNoLinks() throws IOException {
    var probe =
        probe(
            null,
            smi(
                """
                case "$*" in
                  nvlink*) echo "Invalid combination of input arguments."; exit 1 ;;
                  *) cat "$0.query" ;;
                esac
                """));
    probe.read();
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    probe.read();

    assertThat(reachability.unreached())
        .singleElement()
        .satisfies(
            said -> {
              assertThat(said.witness()).isEqualTo("NVLink");
              assertThat(said.why())
                  .startsWith("cannot ask nvidia-smi nvlink: ")
                  .endsWith("Invalid combination of input arguments.");
            });
  }

  /// A machine without RDMA adapters has no folder of them.
  @Test
  void missesNothingWhereAllIsThere() throws IOException {
    var smi =
        smi(
            """
            case "$1 $2" in
              "nvlink -s") cat "$0.links" ;;
              "nvlink -e") cat "$0.errors" ;;
              *) cat "$0.query" ;;
            esac
            """);
    var probe = probe(null, smi);
    probe.read();
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    probe.read();

    assertThat(reachability.unreached()).isEmpty();
  }

  private HardwareProbe probe(@Nullable Path snmp, @Nullable NvidiaSmi smi) {
    return new HardwareProbe(
        new HardwareProbe.Settings(
            folder.resolve("sys"), snmp, smi, Duration.ofMinutes(1), Duration.ofMinutes(5)),
        failures,
        reachability,
        now::get);
  }

  private NvidiaSmi smi(String script) throws IOException {
    var file = write("nvidia-smi", "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    write("nvidia-smi.links", LINKS);
    write("nvidia-smi.errors", ERRORS);
    write("nvidia-smi.query", QUERY);
    return new NvidiaSmi(file.toString());
  }

  private Path write(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
