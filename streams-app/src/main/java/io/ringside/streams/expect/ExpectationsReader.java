package io.ringside.streams.expect;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.config.Yaml;
import io.ringside.streams.expect.Expectations.ForJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Merges a user's YAML into the built-in expectations, key by key. Unknown keys and impossible
/// values are refused with a message that names the key and says what is allowed.
public final class ExpectationsReader {
  private static final String BUILT_IN = "/expectations.yaml";
  private static final String JOBS = "jobs";
  private static final String MATCH = "match";

  /// Tables from which an empty value removes the entry.
  private static final List<String> TABLES =
      List.of("instanceTypes", "gpuModels", "costPerGpuHour", "harmless");

  private static final Set<String> PER_JOB =
      new TreeSet<>(List.of(MATCH, "instanceType", "thresholds", "harmless"));

  private ExpectationsReader() {}

  static Expectations builtIn() {
    return read("", "built-in expectations");
  }

  /// Reads a user's YAML over the built-in expectations.
  ///
  /// @param yaml only the differences
  /// @param origin name of the YAML for messages
  /// @throws InvalidConfig with a message for people
  public static Expectations read(String yaml, String origin) {
    var tree = Yaml.resource(BUILT_IN);
    change(tree, Yaml.parse(yaml, origin), origin);
    var jobs = tree.get(JOBS);
    tree.putArray(JOBS);
    var common = Yaml.bind(tree, Expectations.class, origin);
    return common.withJobs(forJobs(jobs, tree, origin));
  }

  private static void change(ObjectNode tree, ObjectNode user, String origin) {
    refuseEmpty(user, "", origin);
    Yaml.overlay(tree, user);
    for (var table : TABLES) {
      if (user.get(table) instanceof ObjectNode changes
          && tree.get(table) instanceof ObjectNode all) {
        changes.forEachEntry(
            (key, value) -> {
              if (value.isNull()) {
                all.remove(key);
              }
            });
      }
    }
    // default for a machine described without a fabric, such as all machines with EFA
    if (tree.get("instanceTypes") instanceof ObjectNode types) {
      types.forEachEntry(
          (key, type) -> {
            if (type instanceof ObjectNode machine && !machine.has("fabric")) {
              machine.put("fabric", "");
            }
          });
    }
  }

  private static void refuseEmpty(ObjectNode user, String path, String origin) {
    user.forEachEntry(
        (key, value) -> {
          if (value instanceof ObjectNode inner) {
            refuseEmpty(inner, path + key + ".", origin);
          } else if (value.isNull() && TABLES.stream().noneMatch(t -> path.equals(t + "."))) {
            throw new InvalidConfig(
                "%s: %s%s must not be empty; leave the key out to keep its default"
                    .formatted(origin, path, key));
          }
        });
  }

  private static List<ForJobs> forJobs(JsonNode jobs, ObjectNode common, String origin) {
    if (!jobs.isArray()) {
      throw new InvalidConfig(origin + ": jobs must be a list of entries with match: NAME");
    }
    var special = new ArrayList<ForJobs>();
    for (var job : jobs) {
      var at = "%s: jobs[%d]".formatted(origin, special.size());
      if (!(job instanceof ObjectNode entry)) {
        throw new InvalidConfig(at + " must hold keys and values");
      }
      entry
          .propertyNames()
          .forEach(
              key -> {
                if (!PER_JOB.contains(key)) {
                  throw new InvalidConfig(
                      "%s.%s is not a known key, known here: %s"
                          .formatted(at, key, String.join(", ", PER_JOB)));
                }
              });
      var match = entry.path(MATCH).asString("");
      if (match.isBlank()) {
        throw new InvalidConfig(at + ".match must be a job's name; * stands for any characters");
      }
      var tree = common.deepCopy();
      var changes = entry.deepCopy();
      changes.remove(MATCH);
      change(tree, changes, at);
      special.add(new ForJobs(match, Yaml.bind(tree, Expectations.class, at)));
    }
    return special;
  }
}
