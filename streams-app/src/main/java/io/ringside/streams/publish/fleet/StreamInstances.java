package io.ringside.streams.publish.fleet;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;

/// The instances according to Kafka Streams, from the group's last assignment.
///
/// @param own address of this instance, empty if it has none
/// @param store one of the jobs' stores
/// @param input topic that feeds that store, without the application's name in front
/// @param count number of that topic's partitions
public record StreamInstances(
    KafkaStreams streams, String own, String store, String input, IntSupplier count)
    implements Instances {

  @Override
  public Map<String, Set<Integer>> owners() {
    var owners = new TreeMap<String, Set<Integer>>();
    owners.put(own, new HashSet<>());
    for (var instance : streams.metadataForAllStreamsClients()) {
      if (instance.hostInfo().equals(HostInfo.unavailable())) {
        continue;
      }
      var partitions =
          owners.computeIfAbsent(
              instance.hostInfo().host() + ":" + instance.hostInfo().port(), _ -> new HashSet<>());
      for (var partition : instance.topicPartitions()) {
        if (partition.topic().endsWith(input) && instance.stateStoreNames().contains(store)) {
          partitions.add(partition.partition());
        }
      }
    }
    return owners;
  }

  @Override
  public int partitions() {
    return count.getAsInt();
  }
}
