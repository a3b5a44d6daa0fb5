package io.ringside.shipper.source.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The program nvidia-smi on this node. It runs with UTC and the C locale, so that its times and
/// numbers have one meaning.
///
/// @param command path or name
public record NvidiaSmi(String command) {
  /// `Field "clocks_event_reasons.active" is not a valid field to query.` (driver 580)
  private static final Pattern UNKNOWN_FIELD =
      Pattern.compile("Field \"([^\"]+)\" is not a valid field to query");

  /// Runs the program to its end and returns its output.
  ///
  /// @throws IOException if it cannot be started, fails, or takes too long
  public String run(Duration patience, String... arguments) throws IOException {
    Process process = start(List.of(arguments));
    var text =
        CompletableFuture.supplyAsync(
            () -> read(process.getInputStream()), Thread::startVirtualThread);
    try {
      String printed = text.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        throw new IOException(command + " closed its output and goes on");
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "%s exited with %d: %s".formatted(command, process.exitValue(), firstLine(printed)));
      }
      return printed;
    } catch (TimeoutException e) {
      throw new IOException("%s gave no answer for %s".formatted(command, patience), e);
    } catch (ExecutionException e) {
      throw new IOException("cannot read from " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command + " ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /// Whether a run failed because it did not answer in time.
  public static boolean hung(IOException failure) {
    return failure.getCause() instanceof TimeoutException;
  }

  /// Starts a child process that prints all GPUs repeatedly.
  Process query(List<String> fields, Duration interval) throws IOException {
    return start(
        List.of(
            "--query-gpu=" + String.join(",", fields),
            "--format=csv",
            "-lms",
            Long.toString(interval.toMillis())));
  }

  private Process start(List<String> arguments) throws IOException {
    var words = new ArrayList<String>();
    words.add(command);
    words.addAll(arguments);
    var builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("TZ", "UTC");
    builder.environment().put("LC_ALL", "C");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new MissingProgram(e);
    }
    process.getOutputStream().close();
    return process;
  }

  private static String read(InputStream in) {
    try (in) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  private static String firstLine(String text) {
    return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("no output");
  }

  /// The name of each field on this driver. Fields that the driver does not know are left out.
  static final class Fields {
    private final Map<GpuField, String> names = new EnumMap<>(GpuField.class);

    /// Chooses the names listed by `--help-query-gpu`, or today's names if it lists nothing.
    static Fields of(String help) {
      var fields = new Fields();
      for (GpuField field : GpuField.SAMPLED) {
        for (String name : field.names) {
          if (help.isBlank() || help.contains('"' + name + '"')) {
            fields.names.put(field, name);
            break;
          }
        }
      }
      return fields;
    }

    List<String> names() {
      return List.copyOf(names.values());
    }

    /// Switches to the next older name of a field that this line reports as unknown. Returns false
    /// if the line is not such a report.
    boolean without(String line) {
      Matcher unknown = UNKNOWN_FIELD.matcher(line);
      if (!unknown.find()) {
        return false;
      }
      for (var entry : List.copyOf(names.entrySet())) {
        if (entry.getValue().equals(unknown.group(1))) {
          var all = entry.getKey().names;
          int next = all.indexOf(entry.getValue()) + 1;
          if (next < all.size()) {
            names.put(entry.getKey(), all.get(next));
          } else {
            names.remove(entry.getKey());
          }
          return true;
        }
      }
      return false;
    }
  }
}
