package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.Masking;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// How many of a public list's examples of secrets the masks change. The list is not ours to keep
/// here, so no build runs it: `-Dtest=MaskedExamplesRun -Dringside.secrets=FOLDER` with the rules
/// of Kingfisher (`data/rules`), or of Nosey Parker (`crates/noseyparker/data/default/builtin/rules`)
/// with `-Dringside.secrets.least=91`.
class MaskedExamplesRun {
  private static final Path RULES = Path.of(System.getProperty("ringside.secrets", ""));
  private static final double LEAST =
      Double.parseDouble(System.getProperty("ringside.secrets.least", "95"));
  private static final boolean SHOW = Boolean.getBoolean("ringside.secrets.show");

  @Test
  void changesMostOfThem() {
    var config = ShipperConfig.read(null, Map.of("node", "n"), _ -> null);
    var masking = new Masking(config.masks(), new LongAdder());
    int rules = 0;
    int examples = 0;
    List<String> missed = new ArrayList<>();
    for (var file : Repository.files(RULES, ".yml")) {
      for (var rule : Repository.YAML.readTree(Repository.text(file)).path("rules")) {
        rules++;
        for (var example : rule.path("examples")) {
          examples++;
          var text = example.asString();
          if (masking.of(text).equals(text)) {
            missed.add(rule.path("id").asString() + ": " + text);
          }
        }
      }
    }

    if (SHOW) {
      missed.forEach(System.err::println);
    }
    double share = 100.0 * (examples - missed.size()) / examples;
    System.err.printf("%,d rules, %,d examples, %.1f %% of them changed%n", rules, examples, share);
    assertThat(share).isGreaterThanOrEqualTo(LEAST);
  }
}
