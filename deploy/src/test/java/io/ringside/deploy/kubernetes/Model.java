package io.ringside.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Map;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// Kubernetes' own types, strictly: a field that its API does not have is refused, where the
/// library would keep it aside.
final class Model {
  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry("v1/Namespace", Namespace.class),
          Map.entry("v1/ServiceAccount", ServiceAccount.class),
          Map.entry("v1/Service", Service.class),
          Map.entry("v1/ConfigMap", ConfigMap.class),
          Map.entry("v1/Pod", Pod.class),
          Map.entry("apps/v1/DaemonSet", DaemonSet.class),
          Map.entry("apps/v1/StatefulSet", StatefulSet.class),
          Map.entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("scheduling.k8s.io/v1/PriorityClass", PriorityClass.class),
          Map.entry("monitoring.coreos.com/v1/PodMonitor", CustomResource.PodMonitor.class),
          Map.entry("monitoring.coreos.com/v1/PrometheusRule", CustomResource.PrometheusRule.class),
          Map.entry(
              "monitoring.coreos.com/v1alpha1/AlertmanagerConfig",
              CustomResource.AlertmanagerConfig.class),
          Map.entry("kafka.strimzi.io/v1/Kafka", CustomResource.Kafka.class),
          Map.entry("kafka.strimzi.io/v1/KafkaNodePool", CustomResource.KafkaNodePool.class),
          Map.entry("kafka.strimzi.io/v1/KafkaTopic", CustomResource.KafkaTopic.class),
          Map.entry("kafka.strimzi.io/v1/KafkaUser", CustomResource.KafkaUser.class),
          Map.entry("trainer.kubeflow.org/v1alpha1/TrainJob", CustomResource.TrainJob.class));

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .addModule(
              new SimpleModule()
                  .setDeserializerModifier(
                      new ValueDeserializerModifier() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public BeanDeserializerBuilder updateBuilder(
                            DeserializationConfig config,
                            BeanDescription.Supplier description,
                            BeanDeserializerBuilder builder) {
                          builder.setAnySetter(null);
                          return builder;
                        }
                      }))
          .build();

  private Model() {}

  /// The object as its type has it.
  ///
  /// @throws tools.jackson.core.JacksonException for a field that its type does not have
  static Object strict(JsonNode object) {
    var name = object.path("apiVersion").asString() + "/" + object.path("kind").asString();
    var type = TYPES.get(name);
    if (type == null) {
      throw new IllegalStateException("no model for " + name);
    }
    return STRICT.treeToValue(object, type);
  }

  static <T extends HasMetadata> T strict(JsonNode object, Class<T> type) {
    return type.cast(strict(object));
  }
}
