package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.publish.NodeViews;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class NodesEndpointTest {
  private static final List<NodeMemory> NODES =
      List.of(blamed("east", "a", 1), blamed("east", "b", 4), blamed("west", "c", 2));

  private final NodesEndpoint endpoint =
      new NodesEndpoint(
          new NodeViews() {
            @Override
            public List<NodeMemory> nodes() {
              return NODES;
            }

            @Override
            public NodesSnapshot lookAtNodes() {
              return new NodesSnapshot(NODES, List.of("10.0.0.7:9095: no answer in time"));
            }
          },
          Expectations::builtIn);

  @Test
  void listsTheNodesThatMostRunsBlameFirst() {
    var all = answer(Map.of());

    assertThat(all.get("nodes").findValuesAsString("node")).containsExactly("b", "c", "a");
    assertThat(all.get("nodes").findValuesAsString("suspect"))
        .containsExactly("true", "true", "false");
    assertThat(all.get("total").asInt()).isEqualTo(3);
    assertThat(all.get("missing").get(0).asString()).contains("10.0.0.7");
  }

  @Test
  void narrowsByClusterAndSuspicion() {
    assertThat(names(answer(Map.of("suspect", "true")))).containsExactly("b", "c");
    assertThat(names(answer(Map.of("suspect", "false")))).containsExactly("a");
    assertThat(names(answer(Map.of("cluster", "west")))).containsExactly("c");
    assertThatThrownBy(() -> answer(Map.of("suspect", "maybe"))).isInstanceOf(RefusedRequest.class);
  }

  @Test
  void givesOnePageAfterTheOther() {
    var first = answer(Map.of("limit", "2"));
    var second = answer(Map.of("limit", "2", "cursor", first.get("next").asString()));

    assertThat(names(first)).containsExactly("b", "c");
    assertThat(names(second)).containsExactly("a");
    assertThat(second.get("next").isNull()).isTrue();
  }

  private JsonNode answer(Map<String, String> query) {
    var request = new Request(List.of("api", "nodes"), query, "", "");
    return EventJson.MAPPER.readTree(endpoint.answer(request).orElseThrow().body());
  }

  private static List<String> names(JsonNode answer) {
    return answer.get("nodes").findValuesAsString("node");
  }

  private static NodeMemory blamed(String cluster, String node, int runs) {
    var memory = NodeMemory.of(cluster, node);
    for (int run = 0; run < runs; run++) {
      memory =
          memory.with(
              new Blame(
                  cluster,
                  node,
                  "training",
                  "llama",
                  "0x" + run,
                  "f" + run,
                  FindingKind.STRAGGLER,
                  Severity.WARNING,
                  List.of(),
                  List.of(),
                  Instant.EPOCH,
                  false),
              8);
    }
    return memory;
  }
}
