package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.deploy.Repository;
import io.ringside.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class AclScriptTest {
  @Test
  void letsTheAgentWriteAndNothingElse() throws Exception {
    var agent = of("User:CN=ringside-shipper", AclScript.bindings());

    assertThat(agent)
        .extracting(acl -> acl.entry().operation())
        .containsOnly(AclOperation.WRITE, AclOperation.DESCRIBE);
    assertThat(agent).allMatch(acl -> acl.pattern().patternType() == PatternType.LITERAL);
    assertThat(agent)
        .extracting(acl -> acl.pattern().name())
        .containsOnly(
            Topics.LOGS.name(),
            Topics.GPU.name(),
            Topics.TOPOLOGY.name(),
            Topics.NODE.name(),
            Topics.DEAD_LETTER.name());
  }

  @Test
  void givesNobodyTheClusterOrEveryTopic() throws Exception {
    var all = AclScript.bindings("--create-topics", "--reader", "User:CN=reader");

    assertThat(all).allMatch(acl -> !acl.pattern().name().equals("*"));
    assertThat(all).allMatch(acl -> acl.pattern().resourceType() != ResourceType.CLUSTER);
    assertThat(all).allMatch(acl -> acl.entry().operation() != AclOperation.ALL);
  }

  @Test
  void namesEveryTopicOfTheProject() throws Exception {
    assertThat(AclScript.bindings())
        .extracting(acl -> acl.pattern().name())
        .containsAll(Topics.ALL.stream().map(topic -> topic.name()).toList());
  }

  @Test
  void boundsWhatAgentsWriteWhereThatIsAskedFor() throws Exception {
    assertThat(AclScript.lines()).noneMatch(line -> line.contains("producer_byte_rate"));
    assertThat(AclScript.lines("--agent-rate", "52428800"))
        .anyMatch(
            line ->
                line.startsWith("kafka-configs.sh ")
                    && line.contains("--add-config producer_byte_rate=52428800")
                    && line.endsWith("--entity-type users --entity-name 'CN=ringside-shipper'"));
    assertThatThrownBy(() -> AclScript.lines("--agent-rate", "1MB"))
        .hasMessageContaining("a number of bytes");
  }

  @Test
  void quotesWhatAShellWouldRead() throws Exception {
    assertThat(AclScript.lines("--shipper", "User:CN=a,O=it's $(me);"))
        .anyMatch(line -> line.contains("'User:CN=a,O=it'\\''s $(me);'"));
    assertThatThrownBy(() -> AclScript.lines("--what")).hasMessageContaining("no option --what");
  }

  @Test
  void saysTheSameAsTheUsersOfTheStrimziOverlay() throws Exception {
    var users = new ArrayList<AclBinding>();
    for (var user :
        Repository.documents(Repository.path("deploy/kubernetes/overlays/strimzi/users.yaml"))) {
      var principal = "User:CN=" + user.at("/metadata/name").asString();
      for (var acl : user.at("/spec/authorization/acls")) {
        for (var operation : acl.get("operations")) {
          users.add(
              AclScript.binding(
                  principal,
                  type(acl.at("/resource/type").asString()),
                  acl.at("/resource/name").asString(),
                  acl.at("/resource/patternType").asString().equals("prefix")
                      ? PatternType.PREFIXED
                      : PatternType.LITERAL,
                  AclScript.operation(operation.asString())));
        }
      }
    }

    assertThat(users).containsExactlyInAnyOrderElementsOf(AclScript.bindings());
  }

  private static ResourceType type(String name) {
    return ResourceType.fromString(name.replaceAll("(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
  }

  private static List<AclBinding> of(String principal, List<AclBinding> all) {
    return all.stream().filter(acl -> acl.entry().principal().equals(principal)).toList();
  }
}
