package io.ringside.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Lines of a file in which many pods' lines follow each other, from its beginning again at its
/// end. A line without a pod's name in front belongs to the pod of the line before.
final class RecordedTurns implements Turns {
  private static final Pattern POD = Pattern.compile("^(\\S+?)-node-\\d+-\\d+(?=:\\d+:\\d+ )");

  private final Path file;
  private final Map<String, Integer> hosts = new HashMap<>();
  private BufferedReader in;
  private String pod = "job-node-0-0";
  private String job = "job";

  RecordedTurns(Path file) throws IOException {
    this.file = file;
    in = Files.newBufferedReader(file);
  }

  @Override
  public Turn next() throws IOException {
    var line = in.readLine();
    if (line == null) {
      in.close();
      in = Files.newBufferedReader(file);
      return next();
    }
    var head = POD.matcher(line);
    if (head.find()) {
      pod = head.group();
      job = head.group(1);
    }
    return new Turn(hosts.computeIfAbsent(pod, _ -> hosts.size()), job, pod, List.of(line));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
