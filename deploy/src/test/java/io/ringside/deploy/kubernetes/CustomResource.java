package io.ringside.deploy.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.List;
import java.util.Map;

/// The fields of other people's resources that our manifests use; anything else in one is refused.
@SuppressWarnings({"unused", "SameNameButDifferent"}) // each resource has a Spec of its own
final class CustomResource {
  private CustomResource() {}

  record PodMonitor(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(LabelSelector selector, List<Endpoint> podMetricsEndpoints) {}

    record Endpoint(
        String port,
        String path,
        String interval,
        Boolean honorLabels,
        List<Relabeling> relabelings,
        String scheme,
        Tls tlsConfig,
        Authorization authorization) {}

    record Tls(String serverName, Ca ca) {}

    record Ca(SecretKeySelector secret) {}

    record Authorization(SecretKeySelector credentials) {}

    record Relabeling(List<String> sourceLabels, String targetLabel) {}
  }

  record PrometheusRule(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(List<Group> groups) {}

    record Group(String name, String interval, List<Rule> rules) {}

    record Rule(
        String record,
        String alert,
        String expr,
        @JsonProperty("for") String hold,
        @JsonProperty("keep_firing_for") String keepFiringFor,
        Map<String, String> labels,
        Map<String, String> annotations) {}
  }

  record AlertmanagerConfig(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(Route route, List<Receiver> receivers, List<Inhibition> inhibitRules) {}

    record Route(String receiver, List<String> groupBy, List<Matcher> matchers) {}

    record Receiver(String name) {}

    record Inhibition(List<Matcher> sourceMatch, List<Matcher> targetMatch, List<String> equal) {}

    record Matcher(String name, String matchType, String value) {}
  }

  record Kafka(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(Cluster kafka, EntityOperator entityOperator) {}

    record Cluster(
        String version,
        List<Listener> listeners,
        Authorization authorization,
        Rack rack,
        MetricsConfig metricsConfig,
        Map<String, String> config) {}

    record Rack(String topologyKey) {}

    record MetricsConfig(String type, Reported values) {}

    record Reported(List<String> allowList) {}

    record Listener(
        String name, int port, String type, boolean tls, Authentication authentication) {}

    record Authentication(String type) {}

    record Authorization(String type) {}

    record EntityOperator(Map<String, String> topicOperator, Map<String, String> userOperator) {}
  }

  record KafkaNodePool(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(
        int replicas, List<String> roles, Storage storage, ResourceRequirements resources) {}

    record Storage(String type, List<Volume> volumes) {}

    record Volume(int id, String type, String size, boolean deleteClaim, String kraftMetadata) {}
  }

  record KafkaTopic(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(int partitions, int replicas, Map<String, String> config) {}
  }

  record KafkaUser(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(Kafka.Authentication authentication, Quotas quotas, Authorization authorization) {}

    record Quotas(int producerByteRate) {}

    record Authorization(String type, List<Acl> acls) {}

    record Acl(Resource resource, List<String> operations, String host) {}

    record Resource(String type, String name, String patternType) {}
  }

  record TrainJob(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(RuntimeRef runtimeRef, Trainer trainer) {}

    record RuntimeRef(String name) {}

    record Trainer(
        int numNodes,
        int numProcPerNode,
        String image,
        List<String> command,
        ResourceRequirements resourcesPerNode,
        List<EnvVar> env) {}
  }
}
