package io.ringside.benchmarks.parse;

import java.util.List;

/// Thirteen kinds of lines as regular expressions: a part of what the line parser knows, the frequent ones first. They are tried in
/// this order, as a log shipper's pattern list would.
final class ThirteenPatterns {

  private static final String HEAD =
      "(?<host>[^\\s:\\[\\]]+):(?<pid>\\d+):(?<tid>\\d+) \\[(?<dev>-?\\d+)\\] NCCL INFO ";

  private ThirteenPatterns() {}

  static final List<String> ALL =
      List.of(
          HEAD
              + "Channel (?<channel>\\d+)(?:/(?<conn>\\d+))? : (?<source>\\d+)\\[(?<sb>[0-9a-f]+)\\] ->"
              + " (?<target>\\d+)\\[(?<tb>[0-9a-f]+)\\](?: \\[(?<direction>send|receive)\\])? via"
              + " (?<via>.+)$",
          "(?<percent>\\d{1,3})%\\|[^|]*\\| *(?<done>\\d+)/(?<total>\\d+) \\[(?<elapsed>[\\d:]+)<(?<eta>[\\d:?]+),"
              + " +(?<rate>[\\d.?]+)(?<unit>s/it|it/s)",
          "\\{'loss': (?<loss>[^,}]+), 'grad_norm': (?<norm>[^,}]+), 'learning_rate': (?<lr>[^,}]+)",
          "MA (?<ma>[\\d.]+) GB\\s+Max(?:_)MA (?<maxma>[\\d.]+) GB\\s+CA (?<ca>[\\d.]+) GB\\s+Max_CA (?<maxca>\\d+) GB",
          "CPU Virtual Memory:\\s+used = (?<used>[\\d.]+) GB, percent = (?<share>[\\d.]+)%",
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
          HEAD
              + "Connected all rings(?:, use ring PXN (?<pxn>\\d+) GDR (?<gdr>\\d+))?");
}
