package io.ringside.shipper.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Settings of the sources that the agent reads besides logs and GPUs. Each needs a permission that
/// logs do not, so each is off by default.
public record Witnesses(
    Kernel kernel,
    Ras ras,
    Counters counters,
    Dumps dumps,
    Inspector inspector,
    Kubernetes kubernetes) {
  /// All witnesses turned off.
  public static final Witnesses NONE =
      new Witnesses(
          new Kernel(false, Path.of("/dev/kmsg")),
          new Ras(false, "localhost:28028", Duration.ofMinutes(1), Duration.ofSeconds(10)),
          new Counters(false, "", Duration.ofMinutes(1), Duration.ofMinutes(5)),
          new Dumps(false, List.of(), Duration.ofSeconds(3), false, List.of()),
          new Inspector(false, List.of(), List.of()),
          new Kubernetes(
              false, "https://kubernetes.default.svc", Path.of("token"), Path.of("ca.crt"), ""));

  /// The GPU driver's lines in the kernel log: Xid, SXid, NVLink and fabric.
  ///
  /// @param device must be the device itself: links are not followed
  public record Kernel(boolean enabled, Path device) {}

  /// Error counters of ports, TCP and GPUs, which go into the node's report.
  ///
  /// @param snmp the host's `/proc/net/snmp`, empty to skip TCP
  /// @param interval time between readings of ports and TCP
  /// @param gpuInterval time between readings of GPUs, if GPUs are sampled
  public record Counters(boolean enabled, String snmp, Duration interval, Duration gpuInterval) {
    public Counters {
      if (interval.toSeconds() < 1 || gpuInterval.toSeconds() < 1) {
        throw new IllegalArgumentException("interval and gpuInterval must be at least 1s");
      }
    }
  }

  /// NCCL's RAS service, read over its socket.
  ///
  /// @param addresses `host:port`, comma-separated
  /// @param interval time between queries to one address
  /// @param standing the same while the node's jobs are silent or their GPUs spin
  public record Ras(boolean enabled, String addresses, Duration interval, Duration standing) {
    private static final Pattern ADDRESS = Pattern.compile("[^\\s,]{1,253}:\\d{1,5}");
    private static final int MOST = 16;

    public Ras {
      var list = split(addresses);
      if (list.size() > MOST) {
        throw new IllegalArgumentException(
            "addresses must be at most %d, were %d".formatted(MOST, list.size()));
      }
      for (var address : list) {
        if (!ADDRESS.matcher(address).matches() || port(address) > 65_535) {
          throw new IllegalArgumentException("addresses must be like host:28028, was " + address);
        }
      }
      if (interval.toSeconds() < 1 || standing.toSeconds() < 1) {
        throw new IllegalArgumentException("interval and standing must be at least 1s");
      }
    }

    /// The addresses as a list.
    public List<String> list() {
      return split(addresses);
    }

    private static List<String> split(String addresses) {
      return Stream.of(addresses.split(","))
          .map(String::strip)
          .filter(it -> !it.isEmpty())
          .toList();
    }

    private static int port(String address) {
      return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
  }

  /// Dumps of PyTorch's flight recorder.
  ///
  /// @param settled how long a file must be unchanged before it is read
  /// @param ask whether to request dumps while the node's jobs stand still
  /// @param pipes named pipes through which dumps are requested
  public record Dumps(
      boolean enabled, List<String> globs, Duration settled, boolean ask, List<String> pipes) {
    public Dumps {
      globs = named(globs);
      pipes = named(pipes);
      if (settled.toSeconds() < 1) {
        throw new IllegalArgumentException("settled must be at least 1s, was " + settled);
      }
    }
  }

  /// Output files of NCCL Inspector.
  ///
  /// @param globs files with a JSON object for each call, followed line by line
  /// @param tables files in Prometheus' text format, read whole after each change
  public record Inspector(boolean enabled, List<String> globs, List<String> tables) {
    public Inspector {
      globs = named(globs);
      tables = named(tables);
    }
  }

  /// Facts from the Kubernetes API about this node's pods: how they ended and who owns them.
  ///
  /// @param server address of the API server
  /// @param token a file with the service account's token
  /// @param certificate a file with the CA certificates that the server's certificate is checked
  ///     against
  /// @param teamLabel pod label whose value names the team that pays; empty to use the namespace
  public record Kubernetes(
      boolean enabled, String server, Path token, Path certificate, String teamLabel) {
    private static final Pattern SERVER = Pattern.compile("https?://[^\\s/?#@]+/?");

    /// A prefix and a name, or only a name (Kubernetes, pkg/apis/core/validation).
    private static final Pattern LABEL =
        Pattern.compile("([a-z0-9][a-z0-9.-]{0,252}/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");

    public Kubernetes {
      if (!SERVER.matcher(server).matches()) {
        throw new IllegalArgumentException(
            "server must be like https://kubernetes.default.svc, was " + server);
      }
      if (!teamLabel.isEmpty() && !LABEL.matcher(teamLabel).matches()) {
        throw new IllegalArgumentException(
            "teamLabel must be a pod's label, like example.com/team, was " + teamLabel);
      }
    }
  }

  private static List<String> named(List<String> globs) {
    if (globs.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("globs must not be empty");
    }
    return List.copyOf(globs);
  }
}
