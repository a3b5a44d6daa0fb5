package io.ringside.streams.fact;

import java.util.Arrays;
import java.util.List;

/// Kinds of trouble of a port, with the counters that show them. Counters of what a *remote* end
/// does wrong are left out (EFA's `unresponsive_remote_events`): they would accuse the port that
/// notices.
public enum PortErrorKind {
  RETRANSMITS(
      "retransmits",
      "retrans_pkts",
      "out_of_sequence",
      "packet_seq_err",
      "roce_adp_retrans",
      "RetransSegs"),
  TIMEOUTS("time-outs", "retrans_timeout_events", "local_ack_timeout_err"),
  DAMAGED(
      "damaged packets",
      "symbol_error",
      "port_rcv_errors",
      "local_link_integrity_errors",
      "link_error_recovery",
      "rx_icrc_encapsulated"),
  DROPS("drops", "rx_drops", "port_xmit_discards"),
  LINK_DOWN("link down", "link_downed");

  /// Counters of packets sent or received.
  public static final List<String> PACKETS =
      List.of("port_rcv_packets", "port_xmit_packets", "tx_pkts", "rx_pkts", "OutSegs");

  private final String words;
  private final List<String> counters;

  PortErrorKind(String words, String... counters) {
    this.words = words;
    this.counters = Arrays.asList(counters);
  }

  public String words() {
    return words;
  }

  /// The kernel's names of the counters that show it.
  public List<String> counters() {
    return counters;
  }
}
