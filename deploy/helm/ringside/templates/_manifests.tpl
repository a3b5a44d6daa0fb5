{{/*
The base's manifests and components as data, so that the chart and kustomize cannot come to differ. Maps are changed in place.
*/}}

{{/* As kustomize merges a patch: maps by key, lists of things with a name by that name, everything else replaced. into, from */}}
{{- define "ringside.merge" -}}
{{- $into := .into -}}
{{- range $key, $value := .from -}}
  {{- $old := get $into $key -}}
  {{- if and (kindIs "map" $old) (kindIs "map" $value) -}}
    {{- include "ringside.merge" (dict "into" $old "from" $value) -}}
  {{- else if and (kindIs "slice" $old) (has $key (list "containers" "initContainers" "env" "volumes" "volumeMounts")) -}}
    {{- $by := ternary "mountPath" "name" (eq $key "volumeMounts") -}}
    {{- $all := $old -}}
    {{- range $item := $value -}}
      {{- $found := false -}}
      {{- range $there := $all -}}
        {{- if eq (get $there $by) (get $item $by) -}}
          {{- $found = true -}}
          {{- include "ringside.merge" (dict "into" $there "from" $item) -}}
        {{- end -}}
      {{- end -}}
      {{- if not $found -}}{{- $all = append $all $item -}}{{- end -}}
    {{- end -}}
    {{- $_ := set $into $key $all -}}
  {{- else -}}
    {{- $_ := set $into $key $value -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* One step of a JSON patch: adds a key, or to the end of a list. object, operation */}}
{{- define "ringside.operate" -}}
{{- if ne .operation.op "add" -}}{{- fail (printf "op %s is not known" .operation.op) -}}{{- end -}}
{{- $parts := splitList "/" (trimPrefix "/" .operation.path) -}}
{{- $end := eq (last $parts) "-" -}}
{{- if $end -}}{{- $parts = initial $parts -}}{{- end -}}
{{- $at := .object -}}
{{- range initial $parts -}}
  {{- if kindIs "slice" $at -}}{{- $at = index $at (int .) -}}{{- else -}}{{- $at = get $at . -}}{{- end -}}
{{- end -}}
{{- $key := last $parts -}}
{{- $_ := set $at $key (ternary (append (default list (get $at $key)) .operation.value) .operation.value $end) -}}
{{- end -}}

{{/* Names of the components that the values ask for, as JSON. */}}
{{- define "ringside.components" -}}
{{- $names := .Values.components -}}
{{- if ne .Values.kafka.security "none" -}}{{- $names = prepend $names (printf "kafka-%s" .Values.kafka.security) -}}{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Changes an object as the components do. root, object */}}
{{- define "ringside.patch" -}}
{{- $root := .root -}}
{{- $object := .object -}}
{{- range include "ringside.components" $root | fromJsonArray -}}
  {{- $component := $root.Files.Get (printf "files/components/%s/kustomization.yaml" .) | fromYaml -}}
  {{- range $component.patches -}}
    {{- if and (eq .target.kind $object.kind) (eq .target.name $object.metadata.name) -}}
      {{- if hasPrefix "- " .patch -}}
        {{- range fromYamlArray .patch -}}{{- include "ringside.operate" (dict "object" $object "operation" .) -}}{{- end -}}
      {{- else -}}
        {{- include "ringside.merge" (dict "into" $object "from" (omit (fromYaml .patch) "metadata")) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* Where an object is and whose it is; a name for those of one program. root, object, name, namespace */}}
{{- define "ringside.place" -}}
{{- $metadata := .object.metadata -}}
{{- if hasKey $metadata "namespace" -}}{{- $_ := set $metadata "namespace" .namespace -}}{{- end -}}
{{- $own := ternary (dict "app.kubernetes.io/name" .name "app.kubernetes.io/part-of" "ringside") (dict) (ne .name "") -}}
{{- $helm := dict "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/managed-by" .root.Release.Service "app.kubernetes.io/version" .root.Chart.AppVersion "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
{{- $_ := set $metadata "labels" (merge (default dict $metadata.labels) $own $helm) -}}
{{- end -}}

{{/* What the values set in a workload. root, object, name, values, checksum */}}
{{- define "ringside.workload" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $template := .object.spec.template -}}
{{- $pod := $template.spec -}}
{{- $image := printf "%s%s:%s" (ternary "" (printf "%s/" $root.Values.image.registry) (empty $root.Values.image.registry)) $values.image (default $root.Chart.AppVersion $root.Values.image.tag) -}}
{{- $_ := set $template.metadata "labels" (merge $template.metadata.labels (dict "app.kubernetes.io/part-of" "ringside" "app.kubernetes.io/version" $root.Chart.AppVersion)) -}}
{{- $_ := set $template.metadata "annotations" (merge (dict "checksum/config" .checksum) $values.podAnnotations (default dict $template.metadata.annotations)) -}}
{{- range concat $pod.containers (default list $pod.initContainers) -}}
  {{- $_ := set . "image" $image -}}
  {{- $_ := set . "imagePullPolicy" $root.Values.image.pullPolicy -}}
{{- end -}}
{{- $main := first $pod.containers -}}
{{- $_ := set $main "env" (concat $main.env $values.extraEnv) -}}
{{- if $values.resources -}}{{- $_ := set $main "resources" $values.resources -}}{{- end -}}
{{- if $values.affinity -}}{{- $_ := set $pod "affinity" $values.affinity -}}{{- end -}}
{{- if $values.nodeSelector -}}{{- $_ := set $pod "nodeSelector" $values.nodeSelector -}}{{- end -}}
{{- if $values.tolerations -}}{{- $_ := set $pod "tolerations" (concat (default list $pod.tolerations) $values.tolerations) -}}{{- end -}}
{{- if get $values "priorityClassName" -}}{{- $_ := set $pod "priorityClassName" $values.priorityClassName -}}{{- end -}}
{{- if $root.Values.image.pullSecrets -}}{{- $_ := set $pod "imagePullSecrets" $root.Values.image.pullSecrets -}}{{- end -}}
{{- end -}}

{{/* A program's configuration file: that of the base or of the component that replaces it, and the values over it. root, path, file, config */}}
{{- define "ringside.config" -}}
{{- $root := .root -}}
{{- $file := .file -}}
{{- $text := $root.Files.Get (printf "files/base/%s/%s" .path .file) -}}
{{- range include "ringside.components" $root | fromJsonArray -}}
  {{- $own := $root.Files.Get (printf "files/components/%s/%s" . $file) -}}
  {{- if $own -}}{{- $text = $own -}}{{- end -}}
{{- end -}}
{{- if .config -}}{{- mergeOverwrite (fromYaml $text) .config | toYaml -}}{{- else -}}{{- $text -}}{{- end -}}
{{- end -}}
