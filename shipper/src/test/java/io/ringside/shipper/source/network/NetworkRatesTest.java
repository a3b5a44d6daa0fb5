package io.ringside.shipper.source.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NetworkInterface.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkRatesTest {
  @TempDir private Path sysfs;
  private final AtomicLong now = new AtomicLong(1);

  @Test
  void anEfaThatFallsSilentWhileEthernetIsBusyShowsInTheRates() throws Exception {
    efa("rdmap16s27", 1_000, 2_000);
    ethernet("eth0", true, 5_000, 6_000);
    var rates = new NetworkRates(new KernelCounters(sysfs), now::get);
    rates.sample();
    ethernet("eth0", true, 5_000 + 2_000_000, 6_000 + 1_000_000);
    now.addAndGet(2_000_000_000);

    assertThat(rates.sample())
        .containsExactly(
            new NetworkInterface("rdmap16s27", 1, Kind.EFA, 1_000, 2_000, 0.0, 0.0),
            new NetworkInterface("eth0", 0, Kind.ETHERNET, 2_005_000, 1_006_000, 1e6, 5e5));
  }

  @Test
  void theFirstLookAndACounterThatBeganAnewHaveNoRate() throws Exception {
    ethernet("eth0", true, 5_000, 6_000);
    var rates = new NetworkRates(new KernelCounters(sysfs), now::get);
    assertThat(rates.sample().getFirst().receivedPerSecond()).isNull();
    ethernet("eth0", true, 10, 7_000);
    now.addAndGet(1_000_000_000);

    var again = rates.sample().getFirst();
    assertThat(again.receivedPerSecond()).isNull();
    assertThat(again.sentPerSecond()).isEqualTo(1_000.0);
  }

  @Test
  void whatRdmaMovedCountsWhereThePortDoesNotCountIt() throws Exception {
    efa("efa_0", 1_000, 2_000);
    Path counters = sysfs.resolve("class/infiniband/efa_0/ports/1/hw_counters");
    write(counters.resolve("rdma_read_bytes"), "700000");
    write(counters.resolve("rdma_write_recv_bytes"), "50");
    write(counters.resolve("rdma_write_bytes"), "900000");

    var efa = new NetworkRates(new KernelCounters(sysfs), now::get).sample().getFirst();
    assertThat(efa.receivedBytes()).isEqualTo(700_050);
    assertThat(efa.sentBytes()).isEqualTo(900_000);
  }

  @Test
  void infinibandCountsInWordsAndIsToldFromRoceByItsLinkLayer() throws Exception {
    infiniband("mlx5_0", "InfiniBand", 250, 500);
    infiniband("mlx5_1", "Ethernet", 1, 2);

    assertThat(new NetworkRates(new KernelCounters(sysfs), now::get).sample())
        .containsExactly(
            new NetworkInterface("mlx5_0", 1, Kind.INFINIBAND, 1_000, 2_000, null, null),
            new NetworkInterface("mlx5_1", 1, Kind.ROCE, 4, 8, null, null));
  }

  @Test
  void bridgesAndTheLoopbackDoNotCountBesideHardware() throws Exception {
    ethernet("lo", false, 1, 1);
    ethernet("cni0", false, 2, 2);
    ethernet("eth0", true, 3, 3);
    assertThat(new KernelCounters(sysfs).read()).extracting(Reading::name).containsExactly("eth0");
  }

  @Test
  void aPodsOwnInterfaceCountsWhereThereIsNoHardware() throws Exception {
    ethernet("lo", false, 1, 1);
    ethernet("eth0", false, 2, 2);
    assertThat(new KernelCounters(sysfs).read()).extracting(Reading::name).containsExactly("eth0");
  }

  @Test
  void aNodeWithoutCountersGivesNone() throws Exception {
    write(sysfs.resolve("class/net/eth0/statistics/rx_bytes"), "no number");
    assertThat(new KernelCounters(sysfs).read()).isEmpty();
    assertThat(new KernelCounters(sysfs.resolve("absent")).read()).isEmpty();
  }

  private void efa(String name, long received, long sent) throws IOException {
    Path counters = sysfs.resolve("class/infiniband/" + name + "/ports/1/hw_counters");
    write(counters.resolve("rx_bytes"), Long.toString(received));
    write(counters.resolve("tx_bytes"), Long.toString(sent));
  }

  private void infiniband(String name, String layer, long received, long sent) throws IOException {
    Path port = sysfs.resolve("class/infiniband/" + name + "/ports/1");
    write(port.resolve("link_layer"), layer);
    write(port.resolve("counters/port_rcv_data"), Long.toString(received));
    write(port.resolve("counters/port_xmit_data"), Long.toString(sent));
  }

  private void ethernet(String name, boolean hardware, long received, long sent)
      throws IOException {
    Path device = sysfs.resolve("class/net/" + name);
    write(device.resolve("statistics/rx_bytes"), Long.toString(received));
    write(device.resolve("statistics/tx_bytes"), Long.toString(sent));
    if (hardware) {
      Files.createDirectories(device.resolve("device"));
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }
}
