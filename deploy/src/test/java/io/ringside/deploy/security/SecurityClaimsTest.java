package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every claim of SECURITY.md names the tests that would fail without it, and these are there.
class SecurityClaimsTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\|([^|]+)\\|([^|]+)\\|$");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern SCRIPT = Pattern.compile("`((?:lab|\\.ci)/[\\w./]+)`");

  private static final String PROOF =
      Repository.text(Repository.path("SECURITY.md"))
          .replaceAll("(?s).*## Proof|## Known limits.*", "");

  private static final Map<String, String> TESTS =
      Stream.of("schemas", "platform", "shipper", "streams-app", "standalone", "lab", "deploy")
          .map(module -> Repository.path(module + "/src/test"))
          .flatMap(folder -> Repository.files(folder, ".java").stream())
          .collect(Collectors.toMap(SecurityClaimsTest::name, Repository::text, (one, _) -> one));

  @Test
  void haveATestEach() {
    var claims = ROW.matcher(PROOF).results().map(row -> row.group(1).strip()).skip(1).toList();
    var proofs = ROW.matcher(PROOF).results().map(row -> row.group(2)).skip(1).toList();

    assertThat(claims).hasSizeGreaterThan(30);
    for (int i = 0; i < claims.size(); i++) {
      if (!claims.get(i).startsWith("---")) {
        assertThat(proofs.get(i)).as(claims.get(i)).containsPattern(TEST);
      }
    }
  }

  @Test
  void nameTestsThatAreThere() {
    for (var test : TEST.matcher(PROOF).results().toList()) {
      assertThat(TESTS).as(test.group()).containsKey(test.group(1));
      assertThat(TESTS.get(test.group(1))).as(test.group()).contains("void " + test.group(2) + "(");
    }
  }

  @Test
  void nameScriptsThatAreThere() {
    assertThat(SCRIPT.matcher(PROOF).results().map(script -> script.group(1)))
        .isNotEmpty()
        .allSatisfy(script -> assertThat(Repository.path(script)).exists());
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
