package io.ringside.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.config.StreamsAppConfig;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.topology.RingsideTopology;
import io.ringside.streams.topology.ServicePace;
import io.ringside.streams.topology.Stores;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {
  @Test
  void processesExactlyOnceByDefault() {
    var settings = new StreamsConfig(StreamsSettings.of(StreamsAppConfig.defaults()));

    assertThat(settings.getString(StreamsConfig.PROCESSING_GUARANTEE_CONFIG))
        .isEqualTo("exactly_once_v2");
    assertThat(settings.getString(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG))
        .isEqualTo("ringside.dead-letter.v1");
  }

  @Test
  void givesUpADeadInstanceWithinSeconds() {
    var settings = new StreamsConfig(StreamsSettings.of(StreamsAppConfig.defaults()));

    assertThat(settings.getMainConsumerConfigs("g", "c", 1))
        .containsEntry("session.timeout.ms", 6_000)
        .containsEntry("heartbeat.interval.ms", 1_500);
    assertThat(settings.getProducerConfigs("c")).containsEntry("transaction.timeout.ms", 5_000);
  }

  @Test
  void letsTheUsersKafkaSettingsWin() {
    var config =
        StreamsAppConfig.of(
            Map.of("kafka.security.protocol", "SSL", "kafka.consumer.max.poll.records", "7"));

    var settings = new StreamsConfig(StreamsSettings.of(config));

    assertThat(settings.getString("security.protocol")).isEqualTo("SSL");
    assertThat(settings.getMainConsumerConfigs("g", "c", 1)).containsEntry("max.poll.records", "7");
    assertThat(StreamsSettings.ofAdmin(config)).containsEntry("security.protocol", "SSL");
  }

  @Test
  void buildsATopologyThatHasTheStoresOfTheViews() {
    var settings = new StreamsConfig(StreamsSettings.of(StreamsAppConfig.defaults()));

    var topology =
        RingsideTopology.build(settings, new Judge(Expectations.builtIn()), ServicePace.FLEET);

    assertThat(topology.describe().subtopologies())
        .flatExtracting(TopologyDescription.Subtopology::nodes)
        .filteredOn(TopologyDescription.Processor.class::isInstance)
        .flatExtracting(node -> ((TopologyDescription.Processor) node).stores())
        .contains(Stores.RUNS, Stores.FINDINGS);
  }
}
