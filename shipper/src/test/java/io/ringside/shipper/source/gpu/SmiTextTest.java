package io.ringside.shipper.source.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSample;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SmiTextTest {
  private static final String CSV =
      """
      timestamp, index, pci.bus_id, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], enforced.power.limit [W], temperature.gpu, clocks.current.sm [MHz], clocks.max.sm [MHz], clocks_event_reasons.sw_power_cap, clocks_event_reasons.hw_slowdown, clocks_event_reasons.hw_thermal_slowdown, clocks_event_reasons.hw_power_brake_slowdown, clocks_event_reasons.sw_thermal_slowdown, ecc.errors.uncorrected.volatile.total, pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max
      2026/11/20 20:27:21.000, 0, 00000000:00:06.0, GPU-a, NVIDIA H200, 97 %, 1200 MiB, 143771 MiB, 613.80 W, 700.00 W, 67, 810 MHz, 1980 MHz, Not Active, Active, Active, Not Active, Not Active, 2, 5, 5, 16, 16
      """;

  private static final String TEXT =
      """

      ==============NVSMI LOG==============

      Timestamp                                              : Fri Nov 20 20:27:21 2026
      Driver Version                                         : 580.159.04
      CUDA Version                                           : 13.0

      Attached GPUs                                          : 1
      GPU 00000000:00:06.0
          Product Name                                       : NVIDIA H200
          GPU UUID                                           : GPU-a
          GPU Recovery Action                                : None
          PCI
              GPU Link Info
                  PCIe Generation
                      Max                                    : 5
                      Current                                : 5
                  Link Width
                      Max                                    : 16x
                      Current                                : 16x
          Clocks %s Reasons
              Idle                                           : Not Active
              SW Power Cap                                   : Not Active
              HW Slowdown                                    : Active
                  HW Thermal Slowdown                        : Active
                  HW Power Brake Slowdown                    : Not Active
              SW Thermal Slowdown                            : Not Active
          FB Memory Usage
              Total                                          : 143771 MiB
              Used                                           : 1200 MiB
          BAR1 Memory Usage
              Total                                          : 262144 MiB
              Used                                           : 1 MiB
          Utilization
              GPU                                            : 97 %%
              Memory                                         : 3 %%
          ECC Errors
              Volatile
                  SRAM Uncorrectable Parity                  : 1
                  SRAM Uncorrectable SEC-DED                 : 0
                  DRAM Correctable                           : 7
                  DRAM Uncorrectable                         : 1
              Aggregate
                  DRAM Uncorrectable                         : 90
          Temperature
              GPU Current Temp                               : 67 C
          GPU Power Readings
              Average Power Draw                             : 613.80 W
              Current Power Limit                            : 700.00 W
          Clocks
              SM                                             : 810 MHz
          Max Clocks
              SM                                             : 1980 MHz
      """;

  private static final String XML =
      """
      <?xml version="1.0" ?>
      <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v13.dtd">
      <nvidia_smi_log>
      	<timestamp>Fri Nov 20 20:27:21 2026</timestamp>
      	<attached_gpus>1</attached_gpus>
      	<gpu id="00000000:00:06.0">
      		<product_name>NVIDIA H200</product_name>
      		<uuid>GPU-a</uuid>
      		<gpu_recovery_action>%s</gpu_recovery_action>
      		<pci>
      			<pci_gpu_link_info>
      				<pcie_gen>
      					<max_link_gen>5</max_link_gen>
      					<current_link_gen>5</current_link_gen>
      				</pcie_gen>
      				<link_widths>
      					<max_link_width>16x</max_link_width>
      					<current_link_width>16x</current_link_width>
      				</link_widths>
      			</pci_gpu_link_info>
      		</pci>
      		<clocks_event_reasons>
      			<clocks_event_reason_sw_power_cap>Not Active</clocks_event_reason_sw_power_cap>
      			<clocks_event_reason_hw_slowdown>Active</clocks_event_reason_hw_slowdown>
      			<clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>
      			<clocks_event_reason_hw_power_brake_slowdown>Not Active</clocks_event_reason_hw_power_brake_slowdown>
      			<clocks_event_reason_sw_thermal_slowdown>Not Active</clocks_event_reason_sw_thermal_slowdown>
      		</clocks_event_reasons>
      		<fb_memory_usage>
      			<total>143771 MiB</total>
      			<used>1200 MiB</used>
      		</fb_memory_usage>
      		<utilization>
      			<gpu_util>97 %%</gpu_util>
      		</utilization>
      		<ecc_errors>
      			<volatile>
      				<sram_uncorrectable_parity>1</sram_uncorrectable_parity>
      				<sram_uncorrectable_secded>0</sram_uncorrectable_secded>
      				<dram_uncorrectable>1</dram_uncorrectable>
      			</volatile>
      			<aggregate>
      				<dram_uncorrectable>90</dram_uncorrectable>
      			</aggregate>
      		</ecc_errors>
      		<temperature>
      			<gpu_temp>67 C</gpu_temp>
      		</temperature>
      		<gpu_power_readings>
      			<average_power_draw>613.80 W</average_power_draw>
      			<current_power_limit>700.00 W</current_power_limit>
      		</gpu_power_readings>
      		<clocks>
      			<sm_clock>810 MHz</sm_clock>
      		</clocks>
      		<max_clocks>
      			<sm_clock>1980 MHz</sm_clock>
      		</max_clocks>
      	</gpu>
      </nvidia_smi_log>
      """;

  @Test
  void readsTheSameFromEachForm() {
    var expected = samples(CSV);

    assertThat(expected).hasSize(1);
    assertThat(expected.getFirst().gpus().getFirst().eccUncorrected()).isEqualTo(2);
    assertThat(samples(TEXT.formatted("Event"))).isEqualTo(expected);
    assertThat(samples(TEXT.formatted("Throttle"))).isEqualTo(expected);
    assertThat(samples(XML.formatted("None"))).isEqualTo(expected);
  }

  @Test
  void takesEachQueryForAPoll() {
    var second = TEXT.formatted("Event").replace("20:27:21", "20:28:21");
    var both = samples(TEXT.formatted("Event") + second);

    assertThat(both)
        .extracting(GpuSample::at)
        .containsExactly(
            Instant.parse("2026-11-20T20:27:21Z"), Instant.parse("2026-11-20T20:28:21Z"));
    assertThat(both).allMatch(sample -> sample.gpus().size() == 1);
  }

  /// These are lines of a log as well: what the driver asks for is told once.
  @Test
  void tellsQueriesFromSamples() {
    assertThat(SmiText.queried(TEXT.formatted("Event"))).isTrue();
    assertThat(SmiText.queried(XML.formatted("None"))).isTrue();
    assertThat(SmiText.queried(CSV)).isFalse();
    assertThat(samples(XML.formatted("Reset"))).isEqualTo(samples(XML.formatted("None")));
  }

  @Test
  void takesALogThatBeginsWithAQueryForALog() {
    assertThat(SmiText.recognises(TEXT.formatted("Event"))).isTrue();
    assertThat(SmiText.recognises(XML.formatted("None"))).isTrue();
    assertThat(SmiText.recognises(CSV)).isTrue();
    assertThat(SmiText.recognises(TEXT.formatted("Event") + "n:1:1 [0] NCCL INFO Bootstrap"))
        .isFalse();
    assertThat(SmiText.recognises("<?xml version=\"1.0\"?><other/>")).isFalse();
    assertThat(SmiText.recognises("")).isFalse();
  }

  private static final String WITHOUT_TIME =
      """
      index, pci.bus_id, temperature.gpu, power.draw [W], clocks_throttle_reasons.hw_thermal_slowdown
      0, 00000000:1B:00.0, 59, 371.67 W, Not Active
      1, 00000000:43:00.0, 91, 176.68 W, Active
      """;

  /// Who calls it in a loop has a header each time.
  @Test
  void numbersThePollsOfATableWithoutTimes() {
    var row = "0, 00000000:1B:00.0, 60, 372.00 W, Not Active\n";
    var read = samples(WITHOUT_TIME + WITHOUT_TIME + "Unable to talk to the driver\n" + row);

    assertThat(SmiText.recognises(WITHOUT_TIME)).isTrue();
    assertThat(SmiText.queried(WITHOUT_TIME)).isFalse();
    assertThat(read).extracting(sample -> sample.gpus().size()).containsExactly(2, 2, 1);
    assertThat(read).allMatch(sample -> GpuSample.isUntimed(sample.at()));
    assertThat(read.get(1).at()).isEqualTo(read.getFirst().at().plusSeconds(1));
    assertThat(read.getFirst().gpus().getLast().throttleReasons()).isEqualTo(0x40);
    assertThat(GpuSample.isUntimed(samples(CSV).getFirst().at())).isFalse();
  }

  private static final String TABLE =
      """
      Fri Nov 20 20:27:2%d 2026       \s
      +-----------------------------------------------------------------------------------------+
      | NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |
      |-----------------------------------------+------------------------+----------------------+
      | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
      | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
      |=========================================+========================+======================|
      |   0  NVIDIA H100 80GB HBM3           On  |   00000000:1B:00.0 Off |                    0 |
      | N/A   65C    P0             616W /  700W |   71200MiB /  81559MiB |    100%%      Default |
      |                                         |                        |             Disabled |
      +-----------------------------------------+------------------------+----------------------+
      |   1  NVIDIA H100 80GB HBM3           On  |   00000000:43:00.0 Off |                    2 |
      | 30%%   63C    P0             628W /  700W |   71300MiB /  81559MiB |     98%%      Default |
      +-----------------------------------------+------------------------+----------------------+
      |   2  NVIDIA H100 80GB HBM3           On  |   00000000:52:00.0 Off |                 ERR! |
      |ERR!  ERR! ERR!            ERR! / ERR! |    ERR!  /   ERR!      |    ERR!          ERR! |
      +-----------------------------------------+------------------------+----------------------+
      """;

  /// A GPU without numbers is told by the lines themselves.
  @Test
  void readsTheTablesThatAreAmongAJobsLines() {
    var log = TABLE.formatted(1) + "step 1 loss 2.5\n" + TABLE.formatted(9) + "step 2 loss 2.4\n";
    var read = samples(log);

    assertThat(SmiText.recognises(log)).isFalse();
    assertThat(SmiText.mixed(log)).isTrue();
    assertThat(SmiText.mixed(TABLE.formatted(1) + "step 1 loss 2.5\n")).isFalse();
    assertThat(read)
        .extracting(GpuSample::at)
        .containsExactly(
            Instant.parse("2026-11-20T20:27:21Z"), Instant.parse("2026-11-20T20:27:29Z"));
    assertThat(read.getLast().gpus())
        .hasSize(2)
        .last()
        .satisfies(
            gpu -> {
              assertThat(gpu.index()).isEqualTo(1);
              assertThat(gpu.busId()).isEqualTo("0000:43:00.0");
              assertThat(gpu.name()).isEqualTo("NVIDIA H100 80GB HBM3");
              assertThat(gpu.utilizationPercent()).isEqualTo(98);
              assertThat(gpu.powerWatts()).isEqualTo(628);
              assertThat(gpu.powerLimitWatts()).isEqualTo(700);
              assertThat(gpu.memoryUsedMiB()).isEqualTo(71_300);
              assertThat(gpu.temperatureCelsius()).isEqualTo(63);
              assertThat(gpu.eccUncorrected()).isEqualTo(2);
            });
  }

  /// Jobs print what they run on.
  @Test
  void takesALogThatBeginsWithATableForALog() {
    var job = "Epoch 1 begins\nEpoch 2 begins\n";

    assertThat(SmiText.recognises(WITHOUT_TIME + job)).isFalse();
    assertThat(SmiText.recognises(DMON + job)).isFalse();
    assertThat(SmiText.recognises("index, name, loss\n0, resnet, 2.5\n")).isFalse();
    assertThat(SmiText.recognises("# gpu run of monday\n1 2 3\n")).isFalse();
  }

  private static final String DMON =
      """
      #Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk  pviol  tviol     fb
      #YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %    MHz    MHz      %   bool     MB
       20261103   04:10:00      0    607     57     70    100     49      0      0   2619   1965      3      0  67211
       20261103   04:10:00      1    388     89      -     99     41      0      0   2619   1095      0      1  67275
      #Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk  pviol  tviol     fb
      #YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %    MHz    MHz      %   bool     MB
       20261103   04:10:01      0    611     57     70     98     49      0      0   2619   1980     99      0  67211
       20261103   04:10:01      1      -     89      -      -     41      0      0   2619   1095      0      1  67275
      """;

  @Test
  void readsTheTableOfDmon() {
    var read = samples(DMON);

    assertThat(SmiText.recognises(DMON)).isTrue();
    assertThat(SmiText.queried(DMON)).isFalse();
    assertThat(read)
        .extracting(GpuSample::at)
        .containsExactly(
            Instant.parse("2026-11-03T04:10:00Z"), Instant.parse("2026-11-03T04:10:01Z"));
    var hot = read.getFirst().gpus().getLast();
    assertThat(hot.index()).isEqualTo(1);
    assertThat(hot.powerWatts()).isEqualTo(388);
    assertThat(hot.temperatureCelsius()).isEqualTo(89);
    assertThat(hot.smClockMHz()).isEqualTo(1095);
    assertThat(hot.memoryUsedMiB()).isEqualTo(67275);
    assertThat(hot.throttleReasons()).isEqualTo(0x20);
    var busy = read.getLast().gpus();
    assertThat(busy.getFirst().throttleReasons()).isZero();
    assertThat(busy.getLast().utilizationPercent()).isNull();
    assertThat(busy.getLast().error()).isNull();
  }

  @Test
  void numbersThePollsOfDmonWithoutTheDay() {
    var table =
        """
        # gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk
        # Idx      W      C      C      %      %      %      %    MHz    MHz
            0    117     45      -     13      6      0      0   6250   1710
            1    120     46      -     12      6      0      0   6250   1710
            0    118     45      -     13      6      0      0   6250   1710
        """;

    assertThat(samples(table)).hasSize(2).allMatch(sample -> GpuSample.isUntimed(sample.at()));
    assertThat(samples(table.replaceAll("(?<=\\S) +(?=\\S)", ", ").replace("#, ", "#")))
        .isEqualTo(samples(table));
  }

  private static List<GpuSample> samples(String text) {
    var smi = new SmiText("c", "n", ZoneOffset.UTC);
    var samples = new ArrayList<GpuSample>();
    text.lines().forEach(line -> smi.line(line).ifPresent(samples::add));
    for (Optional<GpuSample> last = smi.finish(); last.isPresent(); last = smi.finish()) {
      samples.add(last.get());
    }
    return samples;
  }
}
