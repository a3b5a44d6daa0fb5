package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FallbackChainTest {
  @Test
  void tellsHowItCameToTheNetwork() {
    assertThat(FallbackChain.of(Fabricated.fallback()))
        .containsExactly(
            "libfabric offers no fit provider",
            "the plugin finds no way to the network",
            "NCCL takes Socket");
  }

  @Test
  void saysWhichWayDataGoes() {
    var finding =
        Fabricated.fallback()
            .with(
                its ->
                    its.evidence =
                        List.of(
                            Fabricated.evidence(
                                null, "f", 1, "x [0] NCCL INFO Using network Socket"),
                            Fabricated.evidence(
                                null,
                                "f",
                                2,
                                "NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0"),
                            Fabricated.evidence(
                                null, "other", 3, "No eligible providers were found")));

    assertThat(FallbackChain.of(finding))
        .containsExactly("NCCL takes Socket", "data goes via NET/Socket");
  }

  /// Libfabric over TCP is no EFA, and is what NCCL takes all the same.
  @Test
  void tellsWhichProviderWasTakenInstead() {
    var finding =
        Fabricated.fallback()
            .with(
                its ->
                    its.evidence =
                        List.of(
                            Fabricated.evidence(
                                null, "f", 1, "NET/OFI No eligible providers were found"),
                            Fabricated.evidence(
                                null,
                                "f",
                                2,
                                "NET/OFI Selected provider is tcp, fabric is 172.31.32.0/20"),
                            Fabricated.evidence(
                                null, "f", 3, "NCCL INFO Using network Libfabric")));

    assertThat(FallbackChain.of(finding))
        .containsExactly(
            "libfabric offers no fit provider",
            "the plugin takes the provider tcp",
            "NCCL takes Libfabric");
  }

  @Test
  void isNoChainOfOneLinkOrOfAnotherKind() {
    var one =
        Fabricated.fallback()
            .with(
                its ->
                    its.evidence =
                        List.of(Fabricated.evidence(null, "f", 1, "Using network Socket")));

    assertThat(FallbackChain.of(one)).isEmpty();
    assertThat(FallbackChain.of(Fabricated.straggler())).isEmpty();
  }
}
