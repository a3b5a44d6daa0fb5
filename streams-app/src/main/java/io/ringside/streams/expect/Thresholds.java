package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.time.Duration;

/// From where on a finding is worth telling, by what it is about. Shares are 0 to 1.
///
/// @param straggler when waits make a straggler
/// @param sporadic when waits each few steps make one
/// @param gpuPeers when a GPU stands apart from its peers
/// @param lateStart when a late start is told
/// @param hang when silence is a hang
/// @param timing when arrival times are not trusted
/// @param gpu when a GPU's own complaints are told
/// @param reading when unread lines are told
/// @param bandwidth when a measured bandwidth is too low
/// @param steps when steps take longer than they did
/// @param barrier when waits without a single culprit are told
/// @param regression when a run's transport is worse than that of the job's last good run
/// @param findings how findings come and go
/// @param nodes what is remembered of nodes
/// @param telemetry when Ringside's own eyes fail
/// @param network what network counters show
/// @param hardware when counters of errors are told
public record Thresholds(
    Straggler straggler,
    Sporadic sporadic,
    GpuPeers gpuPeers,
    LateStart lateStart,
    Hang hang,
    Timing timing,
    Gpu gpu,
    Reading reading,
    Bandwidth bandwidth,
    Steps steps,
    Barrier barrier,
    Regression regression,
    Findings findings,
    Nodes nodes,
    Telemetry telemetry,
    Network network,
    Hardware hardware) {

  /// One rank that keeps the others waiting.
  ///
  /// @param episodes in how many steps the others must have waited for it
  /// @param least least time from its first to its last late arrival
  /// @param share least share of the time lost to it
  /// @param waits least share of the steps with a wait in which it was the late one
  /// @param criticalShare share of the run's time from which on it is critical
  public record Straggler(
      int episodes, Duration least, double share, double waits, double criticalShare) {
    public Straggler {
      Require.between("episodes", 1, 1_000_000, episodes);
      Require.positive("least", least);
      Require.share("share", share);
      Require.share("waits", waits);
      Require.share("criticalShare", criticalShare);
    }
  }

  /// One rank that keeps the others waiting dearly, but in few of the steps.
  ///
  /// @param episodes in how many steps they must have waited for it
  /// @param share least share of the time lost to it
  /// @param steps most steps between two of its late arrivals, on average
  /// @param rare the same as episodes where they are farther apart, of a rank that has no duties
  ///   beside training
  public record Sporadic(int episodes, double share, double steps, int rare) {
    public Sporadic {
      Require.between("episodes", 1, 1_000_000, episodes);
      Require.between("rare", 1, 1_000_000, rare);
      Require.share("share", share);
      Require.between("steps", 1, 1_000_000, steps);
    }
  }

  /// A GPU against its peers, where arrival times tell nothing.
  ///
  /// @param busyPercent utilization from which on a GPU works
  /// @param idlePercent utilization up to which it idles
  /// @param hotter how many times its peers' power it draws if it alone works
  /// @param alike how many times the least of its peers' power the most may be
  /// @param slowerClock share of its peers' clock below which its clock is low
  /// @param moreMemoryMiB memory above its peers' that somebody else holds
  /// @param idleFor how long it must idle alone
  /// @param busyFor how long it must work alone
  /// @param contendedFor the same if somebody else's process shares it
  /// @param mostOfRun least share of the run in which it works alone
  /// @param rounds rounds after which training is under way
  /// @param slowLines least step lines of a slow stretch in which it stands apart, and as many
  ///   outside
  /// @param slowFor least time of such a stretch
  /// @param lessBusy points of utilization that it lies below all its peers there, and that it did
  ///   not before
  /// @param lessPower share of their power before down to which peers fall that wait for it
  public record GpuPeers(
      double busyPercent,
      double idlePercent,
      double hotter,
      double alike,
      double slowerClock,
      double moreMemoryMiB,
      Duration idleFor,
      Duration busyFor,
      Duration contendedFor,
      double mostOfRun,
      int rounds,
      int slowLines,
      Duration slowFor,
      double lessBusy,
      double lessPower) {
    public GpuPeers {
      Require.between("busyPercent", 0, 100, busyPercent);
      Require.between("idlePercent", 0, 100, idlePercent);
      Require.between("hotter", 1, 100, hotter);
      Require.between("alike", 1, 100, alike);
      Require.share("slowerClock", slowerClock);
      Require.between("moreMemoryMiB", 0, 1_000_000, moreMemoryMiB);
      Require.positive("idleFor", idleFor);
      Require.positive("busyFor", busyFor);
      Require.positive("contendedFor", contendedFor);
      Require.share("mostOfRun", mostOfRun);
      Require.between("rounds", 0, 1_000_000, rounds);
      Require.between("slowLines", 1, 1000, slowLines);
      Require.positive("slowFor", slowFor);
      Require.between("lessBusy", 1, 100, lessBusy);
      Require.share("lessPower", lessPower);
    }
  }

  /// Ranks that waited at start-up.
  ///
  /// @param note least wait that is told
  /// @param warning from where on it is a warning
  /// @param ownWait share of the longest wait up to which a rank counts as the late one
  /// @param rest share of a rank's total below which time that no field accounts for is no wait
  /// @param remember how long a late start is news
  public record LateStart(
      Duration note, Duration warning, double ownWait, double rest, Duration remember) {
    public LateStart {
      Require.positive("note", note);
      Require.positive("warning", warning);
      Require.share("ownWait", ownWait);
      Require.share("rest", rest);
      Require.positive("remember", remember);
    }
  }

  /// A run that stands still.
  ///
  /// @param silence how long all ranks of a live run may be silent
  /// @param spinning the same while GPUs are seen to spin in a call that others have not made
  public record Hang(Duration silence, Duration spinning) {
    public Hang {
      Require.positive("spinning", spinning);
      Require.positive("silence", silence);
    }
  }

  /// Arrival times.
  ///
  /// @param mismatchShare share of rounds whose calls disagree from which on times are not trusted
  public record Timing(double mismatchShare) {
    public Timing {
      Require.share("mismatchShare", mismatchShare);
    }
  }

  /// A GPU's own complaints.
  ///
  /// @param throttledFor how long it must have been throttled
  public record Gpu(Duration throttledFor) {
    public Gpu {
      Require.positive("throttledFor", throttledFor);
    }
  }

  /// Lines that no parser knows.
  ///
  /// @param unparsedShare share of a job's NCCL lines above which that is told
  public record Reading(double unparsedShare) {
    public Reading {
      Require.share("unparsedShare", unparsedShare);
    }
  }

  /// How findings come and go.
  ///
  /// @param hold how long a finding must have been over, milder or gone before that is told
  public record Findings(Duration hold) {
    public Findings {
      Require.positive("hold", hold);
    }
  }

  /// What is remembered of nodes.
  ///
  /// @param memory how long a node's blame is remembered
  /// @param runs how many runs must blame a node within that time for it to be suspect
  /// @param blames how many findings are remembered of a node
  public record Nodes(Duration memory, int runs, int blames) {
    public Nodes {
      Require.positive("memory", memory);
      Require.between("runs", 1, 1000, runs);
      Require.between("blames", 1, 1000, blames);
    }
  }

  /// Ringside's own eyes.
  ///
  /// @param missedPolls how many polls of the GPUs in a row may fail to come
  /// @param leastPause shorter pauses between samples are none, where no report tells
  /// @param missedReports how many reports of an agent in a row may fail to come …
  /// @param absent … and least time without one while the job goes on
  /// @param behind how long lines may wait to be delivered
  /// @param remember how long lost lines are news
  public record Telemetry(
      int missedPolls,
      Duration leastPause,
      int missedReports,
      Duration absent,
      Duration behind,
      Duration remember) {
    public Telemetry {
      Require.between("missedPolls", 1, 10_000, missedPolls);
      Require.positive("leastPause", leastPause);
      Require.between("missedReports", 1, 10_000, missedReports);
      Require.positive("absent", absent);
      Require.positive("behind", behind);
      Require.positive("remember", remember);
    }
  }

  /// The nodes' network counters.
  ///
  /// @param least how long they must have been counted
  /// @param silentShare share of all bytes up to which EFA counts as silent
  /// @param busyMBps rate a node from which on Ethernet counts as busy, MB/s
  public record Network(Duration least, double silentShare, double busyMBps) {
    public Network {
      Require.positive("least", least);
      Require.share("silentShare", silentShare);
      Require.between("busyMBps", 0, 1_000_000, busyMBps);
    }
  }

  /// What nccl-tests measured.
  ///
  /// @param share least share of the links' bandwidth that a healthy ring reaches at large sizes
  /// @param leastBytes smaller sizes say nothing about bandwidth
  public record Bandwidth(double share, long leastBytes) {
    public Bandwidth {
      Require.share("share", share);
      Require.between("leastBytes", 0, 1e15, leastBytes);
    }
  }

  /// Training steps, as frameworks' lines tell their times.
  ///
  /// @param warmUpSteps the first steps, which compile, allocate and connect
  /// @param windowLines how many lines' median is what steps take now
  /// @param baselineLines least healthy lines to compare with …
  /// @param baselineSteps … and least steps that they tell of
  /// @param ratio how many times longer a step must take than before
  /// @param overNoise and how many standard deviations of healthy ones
  /// @param slowLines least lines of a slow stretch
  /// @param slowSteps least steps of a slow stretch
  /// @param slowFor least time of a slow stretch
  /// @param runRatio how many times longer than in the job's last good run
  /// @param runSteps least steps of both runs
  public record Steps(
      int warmUpSteps,
      int windowLines,
      int baselineLines,
      int baselineSteps,
      double ratio,
      double overNoise,
      int slowLines,
      int slowSteps,
      Duration slowFor,
      double runRatio,
      int runSteps) {
    public Steps {
      Require.between("warmUpSteps", 0, 1_000_000, warmUpSteps);
      Require.between("windowLines", 1, 1000, windowLines);
      Require.between("baselineLines", 1, 100_000, baselineLines);
      Require.between("baselineSteps", 1, 1_000_000, baselineSteps);
      Require.between("ratio", 1, 1000, ratio);
      Require.between("overNoise", 0, 1000, overNoise);
      Require.between("slowLines", 1, 100_000, slowLines);
      Require.between("slowSteps", 1, 1_000_000, slowSteps);
      Require.positive("slowFor", slowFor);
      Require.between("runRatio", 1, 1000, runRatio);
      Require.between("runSteps", 1, 1_000_000, runSteps);
    }
  }

  /// Time lost in waits for which no single rank is to blame.
  ///
  /// @param share least share of the ranks' time that they wait
  /// @param note share from which on that is worth a note
  /// @param blame share of it from which on one rank is to blame, which makes it a straggler
  /// @param least least time over which they do
  /// @param ownShare least share of its time that one rank says it waited, by its own timers
  public record Barrier(double share, double note, double blame, Duration least, double ownShare) {
    public Barrier {
      Require.share("share", share);
      Require.share("note", note);
      Require.share("blame", blame);
      Require.positive("least", least);
      Require.share("ownShare", ownShare);
    }
  }

  /// Counters of ports, NVLinks and PCIe.
  ///
  /// @param retransmits share of a port's packets from which on they are many
  /// @param tcpRetransmits the same of TCP's segments
  /// @param timeouts events a packet from which on they are many
  /// @param damaged the same of damaged packets
  /// @param drops the same of dropped ones
  /// @param least events of these between two looks below which they are few whatever their share
  /// @param timesPast how many times the port's own past they must be
  /// @param timesPeers how many times the middle one of the run's other ports
  /// @param linkErrors replays and damaged packets of a GPU's NVLinks between two looks from which
  ///   on they are many
  /// @param recoveries of a GPU's NVLinks that are told
  /// @param busyPercent utilization from which on a GPU's PCIe does not sleep
  /// @param corrected single-bit ECC errors between two looks from which on they are many
  public record Hardware(
      double retransmits,
      double tcpRetransmits,
      double timeouts,
      double damaged,
      double drops,
      int least,
      double timesPast,
      double timesPeers,
      int linkErrors,
      int recoveries,
      double busyPercent,
      int corrected) {
    public Hardware {
      Require.share("retransmits", retransmits);
      Require.share("tcpRetransmits", tcpRetransmits);
      Require.share("timeouts", timeouts);
      Require.share("damaged", damaged);
      Require.share("drops", drops);
      Require.between("least", 1, 1_000_000_000, least);
      Require.between("timesPast", 1, 1_000_000, timesPast);
      Require.between("timesPeers", 1, 1_000_000, timesPeers);
      Require.between("linkErrors", 1, 1_000_000_000, linkErrors);
      Require.between("recoveries", 1, 1_000_000, recoveries);
      Require.between("busyPercent", 1, 100, busyPercent);
      Require.between("corrected", 1, 1_000_000_000, corrected);
    }
  }

  /// A run beside the job's last good one.
  ///
  /// @param channelShare share of the channels up to which there are too few
  public record Regression(double channelShare) {
    public Regression {
      Require.share("channelShare", channelShare);
    }
  }
}
