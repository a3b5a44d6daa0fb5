package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.KernelFacts;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// Gives a node's kernel messages to the jobs that they concern: an Xid to the job that held the
/// GPU then, messages about switches and links to all jobs that run on the node.
final class KernelLines {
  private KernelLines() {}

  static List<NodeJoin.Routed> place(LogChunk chunk, LogFacts facts, NodeState node) {
    var byJob = new TreeMap<String, List<KernelFacts.Placed>>();
    for (var line : lines(chunk, facts)) {
      if (line.event() instanceof FailureEvent.Xid xid) {
        node.holders(xid.busId(), line.atNanos())
            .forEach((process, job) -> add(job, process, line, byJob));
      } else if (line.event() instanceof FailureEvent.SwitchXid
          || line.event() instanceof FailureEvent.DriverNotice) {
        node.running(line.atNanos()).forEach(job -> add(job, "", line, byJob));
      }
    }
    var routed = new ArrayList<NodeJoin.Routed>();
    byJob.forEach(
        (job, lines) ->
            routed.add(new NodeJoin.Routed(job, new KernelFacts(facts.source(), lines))));
    return routed;
  }

  /// The lines that the parser recognises, and all other lines of the driver.
  private static List<Fact> lines(LogChunk chunk, LogFacts facts) {
    var lines =
        new ArrayList<>(
            facts.facts().stream()
                .filter(
                    fact ->
                        fact.event() instanceof FailureEvent.Xid
                            || fact.event() instanceof FailureEvent.SwitchXid)
                .toList());
    var known = new HashSet<Long>();
    lines.forEach(fact -> known.add(fact.offset()));
    var texts = chunk.text().toString().split("\n", -1);
    for (int i = 0; i < chunk.lines() && i < texts.length; i++) {
      if (!known.contains(chunk.offset(i))) {
        var words = texts[i].substring(0, Math.min(texts[i].length(), Fact.MAX_TEXT));
        lines.add(
            new Fact(
                Writer.NONE,
                null,
                chunk.timeNanos(i),
                chunk.offset(i),
                words,
                1,
                new FailureEvent.DriverNotice(words)));
      }
    }
    return lines;
  }

  private static void add(
      String job, String process, Fact line, TreeMap<String, List<KernelFacts.Placed>> byJob) {
    byJob.computeIfAbsent(job, _ -> new ArrayList<>()).add(new KernelFacts.Placed(process, line));
  }
}
