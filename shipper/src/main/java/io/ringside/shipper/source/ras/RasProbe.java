package io.ringside.shipper.source.ras;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability;
import io.ringside.shipper.source.WitnessReachability.Contact;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Queries NCCL's RAS about the jobs on this node, one address after another: often while the jobs
/// stand still, seldom otherwise. Whatever listens at an address, a query takes at most 5 s and 1
/// MiB.
///
/// An answer covers all ranks of a job, and RAS has to ask them all for it. So only the agent on
/// the node of the first communicator's rank 0 queries at the full rate. Agents on the job's other
/// nodes query a tenth as often, in case that agent is gone.
public final class RasProbe extends LoopingSource {
  /// Intervals of the queries.
  ///
  /// @param usual time between queries while all is well
  /// @param standing the same while the jobs seem to stand still
  /// @param look how often to check whether they do
  public record Timing(Duration usual, Duration standing, Duration look) {
    /// The configured intervals, checked every second.
    public static Timing of(Duration usual, Duration standing) {
      return new Timing(usual, standing, Duration.ofSeconds(1));
    }
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(RasProbe.class);
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration WHOLE = Duration.ofSeconds(5);
  private static final int COLLECT_SECONDS = 3;
  private static final int MOST_BYTES = 1 << 20;
  private static final int FOLLOWER = 10;

  private static final Pattern RANK_0 =
      Pattern.compile("\"rank\":\\s{0,4}0,\\s{0,64}\"host\":\\s{0,4}\"([^\"]{1,255})\"");

  private final List<Target> targets;
  private final Timing timing;
  private final StandstillGuess standstill;
  private final Predicate<String> here;
  private final UnaryOperator<String> mask;
  private final Consumer<LogChunk> sink;
  private final RasCounts counts;
  private final InstantSource clock;
  private final RasClient client;
  private final long epoch;

  /// @param addresses each as `host:port`
  /// @param here whether a host named in an answer is this machine
  /// @param mask hides secrets
  /// @param reachability records the addresses that do not answer
  public RasProbe(
      String cluster,
      String node,
      List<String> addresses,
      Timing timing,
      StandstillGuess standstill,
      Predicate<String> here,
      UnaryOperator<String> mask,
      Consumer<LogChunk> sink,
      RasCounts counts,
      WitnessReachability reachability,
      InstantSource clock,
      LongSupplier ticker) {
    super("ras", ticker);
    this.targets =
        addresses.stream()
            .map(
                address ->
                    new Target(
                        address,
                        LogSource.ofNode(cluster, node, "ras " + address),
                        reachability.contact(UnreachedWitness.RAS)))
            .toList();
    this.timing = timing;
    this.standstill = standstill;
    this.here = here;
    this.mask = mask;
    this.sink = sink;
    this.counts = counts;
    this.clock = clock;
    this.client = new RasClient(CONNECT, WHOLE, COLLECT_SECONDS, MOST_BYTES, ticker);
    this.epoch = clock.instant().toEpochMilli();
  }

  /// An address and its state. Only the probe's thread uses it.
  private static final class Target {
    final String address;
    final LogSource source;
    final Contact contact;
    long askedNanos;
    boolean asked;
    boolean json = true;
    boolean follower;
    boolean absent;
    long chunks;

    Target(String address, LogSource source, Contact contact) {
      this.address = address;
      this.source = source;
      this.contact = contact;
    }
  }

  @Override
  protected void round() {
    for (var target : targets) {
      beat();
      if (!stopping() && due(target)) {
        try {
          ask(target);
        } catch (RuntimeException e) {
          LOGGER.atError().setCause(e).log("asking RAS failed, going on");
        }
      }
    }
  }

  @Override
  protected Duration rest() {
    return timing.look();
  }

  private boolean due(Target target) {
    boolean often = standstill.isStandstill() && !target.absent;
    long interval = (often ? timing.standing() : timing.usual()).toNanos();
    return !target.asked
        || ticker.getAsLong() - target.askedNanos >= (target.follower ? FOLLOWER : 1) * interval;
  }

  private void ask(Target target) {
    target.asked = true;
    target.askedNanos = ticker.getAsLong();
    var at = clock.instant();
    switch (client.ask(resolved(target.address), target.json)) {
      case RasReply.None(var failure) -> {
        counts.failures.count(failure);
        target.contact.failed(why(target.address, failure), failure == Failure.ABSENT);
        target.absent = failure == Failure.ABSENT;
        // the agent that it would leave the queries to may be the one that is gone
        target.follower = false;
        // the text format is shorter, since it lists only the ranks that differ
        target.json = target.absent || target.json && failure != Failure.TOO_LARGE;
      }
      case RasReply.Answer(boolean json, String text) -> {
        target.contact.reached();
        target.absent = false;
        target.follower = json && leadsElsewhere(text);
        send(target, json, text, at);
      }
    }
  }

  private static String why(String address, Failure failure) {
    return switch (failure) {
      case ABSENT -> "nobody listens at " + address;
      case TIMEOUT -> address + " did not answer";
      case GARBAGE -> address + " answered something else, or not to the end";
      case TOO_LARGE -> address + " answered more than is read";
    };
  }

  private boolean leadsElsewhere(String text) {
    var first = RANK_0.matcher(text);
    return first.find() && !here.test(first.group(1));
  }

  private void send(Target target, boolean json, String text, Instant at) {
    double took = (ticker.getAsLong() - target.askedNanos) / 1e9;
    var asked =
        String.format(
            Locale.ROOT,
            "### %d.%03d %s %.3fs\n",
            at.getEpochSecond(),
            at.getNano() / 1_000_000,
            json ? "json" : "text",
            took);
    var line = PackedWitness.line(PackedWitness.RAS, (asked + mask.apply(text)).getBytes(UTF_8));
    if (line.isEmpty()) {
      counts.dropped.increment();
      return;
    }
    long number = target.chunks++;
    counts.answers.increment();
    sink.accept(
        LogChunk.ofLine(
            target.source, epoch, number, number, number + 1, clock.instant(), line.get()));
  }

  private static InetSocketAddress resolved(String address) {
    int colon = address.lastIndexOf(':');
    var host = address.substring(0, colon);
    return new InetSocketAddress(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(address.substring(colon + 1)));
  }
}
