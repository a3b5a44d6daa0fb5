package io.ringside.benchmarks.parse;

import java.util.List;
import java.util.stream.Stream;

/// The kinds of lines in the corpus as regular expressions, the frequent ones first. They are tried
/// in this order, as a log shipper's pattern list would be. They are anchored at the beginning of
/// the line, which makes them faster than the parser's job allows: wrappers in front of a line are
/// then not found.
final class Patterns {

  private static final String HEAD =
      "^(?:\\[[^\\]]*\\] )?(?<host>[^\\s:\\[\\]]+):(?<pid>\\d+):(?<tid>\\d+) \\[(?<dev>-?\\d+)\\] NCCL INFO ";

  private Patterns() {}

  /// Thirteen kinds that matter most.
  static final List<String> THIRTEEN =
      List.of(
          HEAD
              + "Channel (?<channel>\\d+)(?:/(?<conn>\\d+))? : (?<source>\\d+)\\[(?<sb>[0-9a-f]+)\\] ->"
              + " (?<target>\\d+)\\[(?<tb>[0-9a-f]+)\\](?: \\[(?<direction>send|receive)\\])? via"
              + " (?<via>.+)$",
          "^\\s*(?<percent>\\d{1,3})%\\|[^|]*\\| *(?<done>\\d+)/(?<total>\\d+) \\[(?<elapsed>[\\d:]+)<(?<eta>[\\d:?]+),"
              + " +(?<rate>[\\d.?]+)(?<unit>s/it|it/s)",
          "^\\{'loss': (?<loss>[^,}]+), 'grad_norm': (?<norm>[^,}]+), 'learning_rate': (?<lr>[^,}]+)",
          "^MA (?<ma>[\\d.]+) GB\\s+Max_MA (?<maxma>[\\d.]+) GB\\s+CA (?<ca>[\\d.]+) GB\\s+Max_CA (?<maxca>\\d+) GB",
          "^CPU Virtual Memory:\\s+used = (?<used>[\\d.]+) GB, percent = (?<share>[\\d.]+)%",
          HEAD + "(?<variable>NCCL_\\w+) set by environment to (?<value>.+)$",
          HEAD
              + "(?:(?<api>nccl\\w+) )?comm (?<comm>0x[0-9a-f]+) rank (?<rank>\\d+) nranks (?<nranks>\\d+)"
              + " cudaDev (?<cuda>\\d+)(?: nvmlDev (?<nvml>\\d+))?(?: busId (?<bus>[0-9a-f]+))?(?:"
              + " parent (?<parent>0x[0-9a-f]+))?(?: splitCount (?<split>\\d+))?(?: color"
              + " (?<color>-?\\d+) key (?<key>-?\\d+))?(?: commId (?<commid>0x[0-9a-f]+))? ?-"
              + " (?<phase>Init START|Init COMPLETE|Destroy COMPLETE|Abort COMPLETE)$",
          HEAD + "Channel (?<ring>\\d+)/(?<rings>\\d+) :(?<order>(?: +-?\\d+)+)",
          HEAD + "\\[(?<thread>Proxy [A-Za-z ]+)\\] Device (?<device>\\d+) CPU core (?<core>\\d+)",
          HEAD
              + "Init timings(?: - (?<call>\\w+))?: rank (?<irank>\\d+) nranks (?<inranks>\\d+) total"
              + " (?<seconds>[\\d.]+) \\((?<parts>.*)\\)$",
          HEAD
              + "Bootstrap timings total (?<btotal>[\\d.]+) \\(create (?<create>[\\d.]+), send (?<send>[\\d.]+),"
              + " recv (?<recv>[\\d.]+), ring (?<bring>[\\d.]+), delay (?<delay>[\\d.]+)\\)$",
          HEAD + "Using network (?<network>.+)$",
          HEAD + "Connected all rings(?:, use ring PXN (?<pxn>\\d+) GDR (?<gdr>\\d+))?");

  private static final List<String> OTHERS =
      List.of(
          HEAD + "NET/OFI Adding (?<added>\\w+)=(?<addedto>.+) to environment$",
          "^\\s*(?<setting>Num examples|Num Epochs|Instantaneous batch size per device|Total train batch size .*|Gradient"
              + " Accumulation steps|Total optimization steps|Number of trainable parameters) = (?<number>[\\d,]+)$",
          "^(?<stage>Stage 3 initialize (?:beginning|end)|DeepSpeedZeRoOffload initialize \\[\\w+\\]|(?:Before|After)"
              + " (?:creating|initializing) .*)$",
          HEAD
              + "comm (?<ncomm>0x[0-9a-f]+) rank (?<nrank>\\d+) nRanks (?<nnranks>\\d+) nNodes (?<nodes>\\d+) localRanks"
              + " (?<localranks>\\d+) localRank (?<localrank>\\d+)",
          HEAD
              + "(?<coll>\\d+) coll channels, (?<collnet>\\d+) collnet channels, (?<nvls>\\d+) nvls channels,"
              + " (?<p2p>\\d+) p2p channels, (?<perpeer>\\d+) p2p channels per peer$",
          HEAD + "Comm config (?<field>.+) set to (?<fieldvalue>.+)$",
          HEAD + "Connected (?:all|binomial) trees$",
          HEAD + "Setting affinity for GPU (?<gpu>\\d+) to (?<cpus>.+)$",
          HEAD + "Assigned NET plugin (?<assigned>.+) to comm$",
          HEAD + "P2P Chunksize set to (?<chunk>\\d+)$",
          HEAD + "Check P2P Type isAllDirectP2p (?<alldirect>\\d+) directMode (?<direct>\\d+)",
          HEAD + "NET/OFI Running on (?<platform>\\S+) platform",
          HEAD + "NET/OFI NCCL_OFI_TUNER is not available for platform : (?<tuner>[^,]+),",
          HEAD + "NET/OFI Support for (?<kind>.+) registrations: (?<supported>true|false)$",
          HEAD + "NET/OFI Internode latency set at (?<latency>[\\d.]+) us$",
          HEAD + "NET/Plugin: Loaded net plugin (?<plugin>.+) \\(v(?<pluginversion>\\d+)\\)$",
          HEAD + "NET/Plugin: Plugin name set by env to (?<library>.+)$",
          HEAD + "TUNER/Plugin: Plugin name set by env to (?<tunerlibrary>.+)$",
          HEAD + "NET/OFI Setting provider_filter to (?<filter>\\S+)$",
          HEAD + "NET/OFI Initializing aws-ofi-nccl (?<ofi>\\S+)$",
          HEAD + "NET/OFI Using Libfabric version (?<libfabric>\\S+)$",
          HEAD + "Bootstrap ?: Using (?<nic>[^:]+):(?<address>[^<]+)<\\d+>$",
          HEAD + "Initialized NET plugin (?<initialised>.+)$",
          HEAD + "NET/(?<devnet>IB|Socket) : Using (?<devices>.*)$",
          HEAD + "NCCL version (?<nccl>[^+]+)\\+cuda(?<cudaversion>.+)$",
          HEAD + "cudaDriverVersion (?<driver>\\d+)$",
          HEAD
              + "NET/OFI Selected [Pp]rovider is (?<provider>[^, ]+)(?:, fabric is (?<fabric>\\S+))?(?: \\(found"
              + " (?<nics>\\d+) nics\\))?",
          HEAD + "NET/OFI Need to force simple protocol: (?<reason>.+)$",
          HEAD
              + "NET/OFI Using transport protocol (?<protocol>\\S+)(?: \\((?<setby>\\w+) set\\))?$",
          HEAD + "NET/OFI No eligible providers were found",
          HEAD + "NET/IB : No device found",
          "^(?:\\[(?<wts>[^\\]]*)\\] )?(?<whost>[^\\s:\\[\\]]+):(?<wpid>\\d+):(?<wtid>\\d+) \\[(?<wdev>-?\\d+)\\]"
              + " (?<loc>.+?):(?<line>\\d+)(?: \\((?<fn>[^()]*)\\))? NCCL WARN (?<warning>.*)$",
          "^\\[rank(?<prank>\\d+)\\]:(?<sev>[VIWEC])(?<mmdd>\\d{4}) (?<time>[\\d:.]+) (?<ppid>\\d+) ",
          "^\\*\\*\\*\\*\\* (?<section>.+) \\*\\*\\*\\*\\*$");

  /// The same task as the parser's: every kind in the corpus of which it makes an event.
  static final List<String> ALL = Stream.concat(THIRTEEN.stream(), OTHERS.stream()).toList();
}
