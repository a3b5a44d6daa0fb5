package io.ringside.deploy.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/// What `deploy/kafka/acls` prints, read as kafka-acls.sh reads it.
final class AclScript {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|([^ ']+)");

  private AclScript() {}

  static List<AclBinding> bindings(String... arguments) throws IOException, InterruptedException {
    return lines(arguments).stream()
        .filter(line -> !line.startsWith("#"))
        .flatMap(line -> bindings(line).stream())
        .toList();
  }

  static List<String> lines(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sh", Repository.path("deploy/kafka/acls").toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("exit " + process.exitValue() + ": " + lines);
    }
    return lines;
  }

  private static List<AclBinding> bindings(String line) {
    var words =
        WORD.matcher(line)
            .results()
            .map(m -> m.group(1) == null ? m.group(2) : m.group(1))
            .toList();
    var principal = "";
    var pattern = PatternType.LITERAL;
    var operations = new ArrayList<AclOperation>();
    record Named(ResourceType type, String name) {}
    var resources = new ArrayList<Named>();
    for (int i = 0; i + 1 < words.size(); i++) {
      var value = words.get(i + 1);
      switch (words.get(i)) {
        case "--allow-principal" -> principal = value;
        case "--operation" -> operations.add(operation(value));
        case "--topic" -> resources.add(new Named(ResourceType.TOPIC, value));
        case "--group" -> resources.add(new Named(ResourceType.GROUP, value));
        case "--transactional-id" -> resources.add(new Named(ResourceType.TRANSACTIONAL_ID, value));
        case "--resource-pattern-type" ->
            pattern = PatternType.fromString(value.toUpperCase(Locale.ROOT));
        default -> {}
      }
    }
    var bindings = new ArrayList<AclBinding>();
    for (var resource : resources) {
      for (var operation : operations) {
        bindings.add(binding(principal, resource.type(), resource.name(), pattern, operation));
      }
    }
    if (bindings.isEmpty()) {
      throw new IllegalStateException("grants nothing: " + line);
    }
    return bindings;
  }

  static AclBinding binding(
      String principal,
      ResourceType type,
      String name,
      PatternType pattern,
      AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW));
  }

  /// `DescribeConfigs` as Kafka's tools spell it.
  static AclOperation operation(String name) {
    return AclOperation.fromString(
        name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
  }
}
