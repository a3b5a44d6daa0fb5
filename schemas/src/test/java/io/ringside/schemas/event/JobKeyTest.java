package io.ringside.schemas.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobKeyTest {
  private static final List<String> NAMES =
      List.of(
          "", "a", "b", "|", "a|b", "a|", "|b", "\n", "a\nb", "\\", "\\p", "\\n", "a\\|b", "a\\pb");

  @Test
  void leavesOrdinaryNamesAsTheyAre() {
    assertThat(new JobKey("east", "team-a", "llama-3.1_8b").text())
        .isEqualTo("east|team-a|llama-3.1_8b");
    assertThat(new JobKey("", "", "llama").text()).isEqualTo("||llama");
  }

  @Test
  void keepsApartWhatNamesTryToJoin() {
    var keys = new ArrayList<JobKey>();
    for (var cluster : NAMES) {
      for (var namespace : NAMES) {
        NAMES.forEach(job -> keys.add(new JobKey(cluster, namespace, job)));
      }
    }
    var texts = keys.stream().map(JobKey::text).toList();

    assertThat(texts).doesNotHaveDuplicates().noneMatch(text -> text.contains("\n"));
    for (var text : texts) {
      // results of a job are found by its key and a bar
      assertThat(texts.stream().filter(other -> other.startsWith(text + "|"))).isEmpty();
    }
  }

  @Test
  void ordersJobsOfOneNameByClusterAndNamespace() {
    var first = new JobKey("east", "a", "llama");
    var second = new JobKey("east", "b", "llama");

    assertThat(first).isLessThan(second).isLessThan(new JobKey("west", "a", "llama"));
    assertThat(new JobKey("west", "b", "bert")).isLessThan(first);
  }
}
