package io.ringside.deploy.kubernetes;

import static io.ringside.deploy.Repository.YAML;

import io.ringside.deploy.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// As much of kustomize as our kustomizations use, and strict: a field that is not known here, a
/// file that is not there, a patch without a target are errors. Names of generated ConfigMaps get
/// no hash.
public final class Kustomize {
  private static final Set<String> FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "resources",
          "components",
          "labels",
          "configMapGenerator",
          "generatorOptions",
          "images",
          "patches");

  private final List<ObjectNode> objects = new ArrayList<>();
  private final Set<Path> used = new HashSet<>();

  private Kustomize() {}

  /// What `kubectl apply -k` of this folder would send.
  static List<ObjectNode> render(Path folder) {
    var kustomize = new Kustomize();
    kustomize.add(folder);
    return kustomize.objects;
  }

  /// The same with components that it does not name itself.
  public static List<ObjectNode> render(Path folder, List<Path> components) {
    var kustomize = new Kustomize();
    kustomize.add(folder);
    components.forEach(kustomize::add);
    return kustomize.objects;
  }

  /// Every file that this folder's kustomization reads, with those of its resources and components.
  static Set<Path> used(Path folder) {
    var kustomize = new Kustomize();
    kustomize.add(folder);
    return kustomize.used;
  }

  private void add(Path folder) {
    var file = folder.resolve("kustomization.yaml");
    used.add(file.normalize());
    var kustomization = Repository.documents(file).getFirst();
    kustomization.propertyNames().forEach(name -> require(FIELDS.contains(name), file, name));
    int before = objects.size();
    for (var resource : kustomization.path("resources")) {
      resource(folder.resolve(resource.asString()), file);
    }
    for (var component : kustomization.path("components")) {
      add(folder.resolve(component.asString()));
    }
    kustomization
        .path("configMapGenerator")
        .forEach(generator -> generate(generator, kustomization, folder));
    kustomization.path("patches").forEach(patch -> patch(patch, folder));
    var own = objects.subList(before, objects.size());
    kustomization.path("images").forEach(image -> own.forEach(object -> image(object, image)));
    kustomization.path("labels").forEach(labels -> own.forEach(object -> label(object, labels)));
    var namespace = kustomization.path("namespace").asString("");
    if (!namespace.isEmpty()) {
      for (var object : own) {
        var given = object.path("metadata").path("namespace").asString(namespace);
        require(given.equals(namespace), file, name(object) + " is in " + given);
      }
    }
  }

  private void resource(Path path, Path from) {
    require(Files.exists(path), from, path + " does not exist");
    if (Files.isDirectory(path)) {
      add(path);
    } else {
      used.add(path.normalize());
      for (var object : Repository.documents(path)) {
        require(find(same(object)).isEmpty(), from, name(object) + " is given twice");
        objects.add(object);
      }
    }
  }

  private void generate(JsonNode generator, ObjectNode kustomization, Path folder) {
    var namespace =
        generator.path("namespace").asString(kustomization.path("namespace").asString(""));
    var name = generator.path("name").asString();
    var there =
        find(
            object ->
                object.path("kind").asString().equals("ConfigMap")
                    && object.at("/metadata/name").asString().equals(name)
                    && object.at("/metadata/namespace").asString().equals(namespace));
    ObjectNode map;
    if (generator.path("behavior").asString("create").equals("merge")) {
      require(
          there.size() == 1, folder, "no ConfigMap %s/%s to merge with".formatted(namespace, name));
      map = there.getFirst();
    } else {
      require(
          there.isEmpty(), folder, "ConfigMap %s/%s is there already".formatted(namespace, name));
      map = YAML.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
      map.putObject("metadata").put("name", name).put("namespace", namespace);
      map.putObject("data");
      var labels = kustomization.at("/generatorOptions/labels");
      if (labels.isObject()) {
        map.withObject("/metadata").set("labels", labels);
      }
      objects.add(map);
    }
    var data = (ObjectNode) map.get("data");
    for (var file : generator.path("files")) {
      var path = folder.resolve(file.asString());
      require(path.normalize().startsWith(folder.normalize()), folder, path + " is outside");
      used.add(path.normalize());
      data.put(path.getFileName().toString(), Repository.text(path));
    }
    for (var literal : generator.path("literals")) {
      var text = literal.asString();
      data.put(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
    }
  }

  private void patch(JsonNode patch, Path folder) {
    JsonNode body;
    if (patch.has("path")) {
      var path = folder.resolve(patch.get("path").asString());
      used.add(path.normalize());
      body = Repository.documents(path).getFirst();
    } else {
      body = YAML.readTree(patch.get("patch").asString());
    }
    var target = patch.path("target");
    var targets =
        target.isObject()
            ? find(
                object ->
                    object.path("kind").equals(target.path("kind"))
                        && object.at("/metadata/name").equals(target.path("name")))
            : find(same((ObjectNode) body));
    // a patch that selects may find nothing, as that of PodMonitors where nobody has them; one that
    // names has to
    require(target.isObject() || !targets.isEmpty(), folder, "a patch has no target: " + body);
    for (var object : targets) {
      if (body instanceof ArrayNode operations) {
        operations.forEach(operation -> operate(object, operation, folder));
      } else {
        require(
            same((ObjectNode) body).test(object),
            folder,
            "a patch names another object than its target");
        merge(object, (ObjectNode) body);
      }
    }
  }

  /// A JSON patch: to remove a key, and to add one, or to the end of a list.
  private static void operate(ObjectNode object, JsonNode operation, Path folder) {
    var path = operation.path("path").asString();
    var parent = object.at(path.substring(0, path.lastIndexOf('/')));
    var last = path.substring(path.lastIndexOf('/') + 1);
    switch (operation.path("op").asString()) {
      case "remove" ->
          require(
              parent instanceof ObjectNode node && node.remove(last) != null,
              folder,
              path + " is not there to be removed");
      case "add" -> {
        if (parent instanceof ObjectNode node) {
          node.set(last, operation.get("value"));
        } else {
          require(last.equals("-") && parent.isArray(), folder, path + " is no end of a list");
          ((ArrayNode) parent).add(operation.get("value"));
        }
      }
      case String other -> require(false, folder, "op: " + other + " is not known");
    }
  }

  /// Strategic merge: objects by key, lists of things with a name by that name, everything else
  /// replaced.
  private static void merge(ObjectNode into, ObjectNode from) {
    for (var entry : from.properties()) {
      var old = into.get(entry.getKey());
      if (old instanceof ObjectNode oldObject && entry.getValue() instanceof ObjectNode fresh) {
        merge(oldObject, fresh);
      } else if (old instanceof ArrayNode oldList
          && entry.getValue() instanceof ArrayNode fresh
          && Set.of("containers", "initContainers", "env", "volumes", "volumeMounts")
              .contains(entry.getKey())) {
        merge(oldList, fresh, entry.getKey().equals("volumeMounts") ? "mountPath" : "name");
      } else {
        into.set(entry.getKey(), entry.getValue());
      }
    }
  }

  private static void merge(ArrayNode into, ArrayNode from, String key) {
    for (var item : from) {
      ObjectNode found = null;
      for (var old : into) {
        if (old.get(key).equals(item.get(key))) {
          found = (ObjectNode) old;
        }
      }
      if (found == null) {
        into.add(item);
      } else {
        merge(found, (ObjectNode) item);
      }
    }
  }

  private static void image(ObjectNode object, JsonNode image) {
    for (var container : containers(object)) {
      if (container.path("image").equals(image.path("name"))) {
        var name = image.path("newName").asString(image.path("name").asString());
        ((ObjectNode) container).put("image", name + ":" + image.path("newTag").asString());
      } else if (container
          .path("image")
          .asString()
          .startsWith(image.path("name").asString() + ":")) {
        var name = image.path("newName").asString(image.path("name").asString());
        ((ObjectNode) container).put("image", name + ":" + image.path("newTag").asString());
      }
    }
  }

  static List<JsonNode> containers(JsonNode object) {
    var containers = new ArrayList<JsonNode>();
    object.at("/spec/template/spec/containers").forEach(containers::add);
    object.at("/spec/template/spec/initContainers").forEach(containers::add);
    return containers;
  }

  private static void label(ObjectNode object, JsonNode labels) {
    var pairs = (ObjectNode) labels.get("pairs");
    object.withObject("/metadata").withObject("/labels").setAll(pairs);
    if (labels.path("includeTemplates").asBoolean(false)
        && object.at("/spec/template").isObject()) {
      object.withObject("/spec/template/metadata/labels").setAll(pairs);
    }
  }

  private List<ObjectNode> find(Predicate<ObjectNode> wanted) {
    return objects.stream().filter(wanted).toList();
  }

  private static Predicate<ObjectNode> same(ObjectNode one) {
    return other ->
        other.path("kind").equals(one.path("kind"))
            && other.at("/metadata/name").equals(one.at("/metadata/name"))
            && other.at("/metadata/namespace").equals(one.at("/metadata/namespace"));
  }

  private static String name(ObjectNode object) {
    return object.path("kind").asString() + " " + object.at("/metadata/name").asString();
  }

  private static void require(boolean held, Path where, String message) {
    if (!held) {
      throw new IllegalStateException(where + ": " + message);
    }
  }
}
