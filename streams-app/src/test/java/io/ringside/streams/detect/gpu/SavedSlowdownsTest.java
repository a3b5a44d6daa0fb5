package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavedSlowdownsTest {
  @ParameterizedTest
  @CsvSource({
    "'        HW Power Brake Slowdown           : Active', power brake",
    "'        HW Thermal Slowdown               : Active', too hot",
    "'        SW Thermal Slowdown               : Active', temperature",
    "'\t\t\t<clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>', too hot",
    "'\t\t\t<clocks_throttle_reason_hw_power_brake_slowdown>Active</clocks_throttle_reason_hw_power_brake_slowdown>', power brake",
    "'        HW Slowdown                       : Active', hardware",
  })
  void isANoteOfOneLook(String line, String cause) {
    assertThat(told("GPU 00000000:9B:00.0", "    Clocks Event Reasons", line))
        .singleElement()
        .satisfies(
            slow -> {
              assertThat(slow.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(slow.severity()).isEqualTo(Severity.INFO);
              assertThat(slow.gpus()).containsExactly("0000:9b:00.0");
              assertThat(slow.cause()).contains(cause);
            });
  }

  @Test
  void saysWhyWhereTheReasonIsThere() {
    assertThat(
            told(
                "Clocks Throttle Reasons",
                "    Idle                              : Not Active",
                "    SW Power Cap                      : Not Active",
                "    HW Slowdown                       : Active",
                "        HW Thermal Slowdown           : Not Active",
                "        HW Power Brake Slowdown       : Active"))
        .singleElement()
        .satisfies(
            slow ->
                assertThat(slow.summary())
                    .isEqualTo(
                        "a GPU was throttled when nvidia-smi looked (HW Power Brake Slowdown)"));
  }

  @Test
  void isNothingOfWhatIsIdleCappedOrOverByTheNextLook() {
    assertThat(
            told(
                "GPU 00000000:9B:00.0",
                "    Clocks Event Reasons",
                "        Idle                          : Active",
                "        Applications Clocks Setting   : Active",
                "        SW Power Cap                  : Active",
                "        HW Slowdown                   : Not Active",
                "        HW Thermal Slowdown           : N/A",
                "        Sync Boost                    : Not Active",
                "    Clocks Event Reasons Counters",
                "        HW Thermal Slowdown           : 120034 us"))
        .isEmpty();
    assertThat(
            told(
                "GPU 00000000:9B:00.0",
                "        HW Thermal Slowdown           : Active",
                "GPU 00000000:9B:00.0",
                "        HW Thermal Slowdown           : Not Active"))
        .isEmpty();
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("smi.log", List.of(lines))).judged().findings();
  }
}
