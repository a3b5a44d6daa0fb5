package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.time.Duration;

/// Limits above which a finding is reported, by subject. Shares are 0 to 1.
///
/// @param straggler when waits make a straggler
/// @param sporadic when waits every few steps make a straggler
/// @param gpuPeers when a GPU differs from its peers
/// @param lateStart when a late start is reported
/// @param hang when silence counts as a hang
/// @param timing when arrival times are not trusted
/// @param gpu when a GPU's own error reports are reported
/// @param reading when unparsed lines are reported
/// @param bandwidth when a measured bandwidth is too low
/// @param steps when steps take longer than before
/// @param barrier when waits without a single culprit are reported
/// @param regression when a run's transport is worse than that of the job's last good run
/// @param findings how findings appear and disappear
/// @param nodes what is remembered of nodes
/// @param telemetry when Ringside's own sensors fail
/// @param network how network counters are interpreted
/// @param hardware when error counters are reported
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
  /// @param episodes least number of steps in which the others waited for it
  /// @param least least time from its first to its last late arrival
  /// @param share least share of the time lost to it
  /// @param waits least share of the steps with a wait in which this rank was late
  /// @param criticalShare share of the run's time from which the finding is critical
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

  /// One rank that keeps the others waiting at great cost, but in few of the steps.
  ///
  /// @param episodes least number of steps in which they waited for it
  /// @param share least share of the time lost to it
  /// @param steps most steps between two of its late arrivals, on average
  /// @param rare the same as episodes for late arrivals that are further apart, for a rank without
  ///   duties besides training
  public record Sporadic(int episodes, double share, double steps, int rare) {
    public Sporadic {
      Require.between("episodes", 1, 1_000_000, episodes);
      Require.between("rare", 1, 1_000_000, rare);
      Require.share("share", share);
      Require.between("steps", 1, 1_000_000, steps);
    }
  }

  /// A GPU compared with its peers, if arrival times show nothing.
  ///
  /// @param busyPercent utilization in percent from which a GPU counts as working
  /// @param idlePercent utilization in percent up to which it counts as idle
  /// @param hotter factor by which its power exceeds its peers' if it alone works
  /// @param alike largest factor between the lowest and the highest power of its peers
  /// @param slowerClock share of its peers' clock below which its clock is low
  /// @param moreMemoryMiB memory in MiB above its peers' that another process must hold
  /// @param idleFor how long it alone must idle
  /// @param busyFor how long it alone must work
  /// @param contendedFor the same if a foreign process shares the GPU
  /// @param mostOfRun least share of the run in which it alone works
  /// @param rounds number of rounds after which training is under way
  /// @param slowLines least step lines of a slow stretch in which it differs, and as many outside
  /// @param slowFor least duration of such a stretch
  /// @param lessBusy percentage points of utilization that it is below all its peers there, but was
  ///   not before
  /// @param lessPower share of their earlier power to which peers fall that wait for it
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
  /// @param note least wait that is reported
  /// @param warning wait from which it is a warning
  /// @param ownWait share of the longest wait up to which a rank counts as the late one
  /// @param rest share of a rank's total time; unaccounted time below this share is not a wait
  /// @param remember how long a late start is reported
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

  /// A run that makes no progress.
  ///
  /// @param silence how long all ranks of a live run may be silent
  /// @param spinning the same while GPUs visibly spin in a call that others have not made
  public record Hang(Duration silence, Duration spinning) {
    public Hang {
      Require.positive("spinning", spinning);
      Require.positive("silence", silence);
    }
  }

  /// Arrival times.
  ///
  /// @param mismatchShare share of rounds with differing calls from which times are not trusted
  public record Timing(double mismatchShare) {
    public Timing {
      Require.share("mismatchShare", mismatchShare);
    }
  }

  /// A GPU's own error reports.
  ///
  /// @param throttledFor how long a GPU must have been throttled
  public record Gpu(Duration throttledFor) {
    public Gpu {
      Require.positive("throttledFor", throttledFor);
    }
  }

  /// Lines that no parser knows.
  ///
  /// @param unparsedShare share of a job's NCCL lines from which this is reported
  public record Reading(double unparsedShare) {
    public Reading {
      Require.share("unparsedShare", unparsedShare);
    }
  }

  /// How findings appear and disappear.
  ///
  /// @param hold how long a finding must have been over, milder or gone before this is shown
  public record Findings(Duration hold) {
    public Findings {
      Require.positive("hold", hold);
    }
  }

  /// What is remembered of nodes.
  ///
  /// @param memory how long a blame of a node is remembered
  /// @param runs number of runs that must blame a node within that time to make it suspect
  /// @param blames most findings that are remembered for a node
  public record Nodes(Duration memory, int runs, int blames) {
    public Nodes {
      Require.positive("memory", memory);
      Require.between("runs", 1, 1000, runs);
      Require.between("blames", 1, 1000, blames);
    }
  }

  /// Ringside's own sensors.
  ///
  /// @param missedPolls number of GPU polls in a row that may be missing
  /// @param leastPause least pause between samples that counts as a gap, if no report shows it
  /// @param missedReports number of an agent's reports in a row that may be missing …
  /// @param absent … and least time without a report while the job runs
  /// @param behind how long lines may wait for delivery
  /// @param remember how long lost lines are reported
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
  /// @param least how long the counters must have been read
  /// @param silentShare share of all bytes up to which EFA counts as unused
  /// @param busyMBps rate of a node in MB/s from which Ethernet counts as busy
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
  /// @param leastBytes least size in bytes that shows the bandwidth
  public record Bandwidth(double share, long leastBytes) {
    public Bandwidth {
      Require.share("share", share);
      Require.between("leastBytes", 0, 1e15, leastBytes);
    }
  }

  /// Training steps, with times from frameworks' lines.
  ///
  /// @param warmUpSteps number of first steps to skip, which compile, allocate and connect
  /// @param windowLines number of newest lines whose median is the current step time
  /// @param baselineLines least number of healthy lines for comparison …
  /// @param baselineSteps … and least number of steps that they report
  /// @param ratio factor by which a step must be longer than before
  /// @param overNoise number of standard deviations of healthy steps by which it must also be
  ///   longer
  /// @param slowLines least lines of a slow stretch
  /// @param slowSteps least steps of a slow stretch
  /// @param slowFor least duration of a slow stretch
  /// @param runRatio factor by which steps must be longer than in the job's last good run
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

  /// Time lost in waits that no single rank causes.
  ///
  /// @param share least share of the ranks' time that they wait
  /// @param note share from which this is worth a note
  /// @param blame share of it from which one rank is blamed, which makes it a straggler
  /// @param least least duration of the waits
  /// @param ownShare least share of its time that one rank waited by its own timers
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
  /// @param retransmits retransmits per packet of a port from which they are too many
  /// @param tcpRetransmits the same for TCP segments
  /// @param timeouts timeouts per packet from which they are too many
  /// @param damaged the same for damaged packets
  /// @param drops the same for dropped packets
  /// @param least number of these events between two readings below which they are few, whatever
  ///   their share
  /// @param timesPast least factor above the port's own past
  /// @param timesPeers least factor above the median of the run's other ports
  /// @param linkErrors replays and damaged packets of a GPU's NVLinks between two readings from
  ///   which they are too many
  /// @param recoveries number of recoveries of a GPU's NVLinks from which they are reported
  /// @param busyPercent utilization in percent from which a GPU's PCIe link is not in power saving
  /// @param corrected single-bit ECC errors between two readings from which they are too many
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

  /// A run compared with the job's last good one.
  ///
  /// @param channelShare share of the channels up to which there are too few
  public record Regression(double channelShare) {
    public Regression {
      Require.share("channelShare", channelShare);
    }
  }
}
