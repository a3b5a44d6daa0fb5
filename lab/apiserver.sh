#!/bin/sh
# A Kubernetes API server with its etcd, without nodes: takes all overlays and components of deploy/kubernetes, as a cluster would, and
# records what its watches answer an agent with the right that the component `kubernetes` gives. Both come as Go modules and are built
# here, which takes a quarter of an hour the first time. Needs Go, curl and openssl. All of it lies in .ringside/apiserver.
#
#   lab/apiserver.sh [FOLDER]
#
# FOLDER gets the recorded answers; shipper/src/test/resources/kubernetes holds those of Kubernetes 1.34. Exit code: 0 each manifest was taken.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$root/.ringside/apiserver
out=${1:-$work/answers}
kubernetes=1.34.3
staging="api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap code-generator component-base
  component-helpers controller-manager cri-api cri-client csi-translation-lib dynamic-resource-allocation endpointslice externaljwt kms
  kube-aggregator kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils pod-security-admission sample-apiserver"

build() {
  mkdir -p "$work/source"
  cat >"$work/source/main.go" <<'GO'
// One program for all three, by its first argument.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Args = os.Args[1:]
	switch os.Args[0] {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(app.NewAPIServerCommand()))
	case "kubectl":
		os.Exit(cli.Run(cmd.NewDefaultKubectlCommand()))
	}
}
GO
  {
    echo "module apiserver"
    echo "go 1.24.0"
    echo "require k8s.io/kubernetes v$kubernetes"
    for module in $staging; do
      echo "replace k8s.io/$module => k8s.io/$module v0${kubernetes#1}"
    done
  } >"$work/source/go.mod"
  (cd "$work/source" && go mod tidy && go build -o "$work/kubernetes" .)
}

# port: one that is free
port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

started=
end() {
  # shellcheck disable=SC2086 # ids are words
  [ -z "$started" ] || kill $started 2>/dev/null || true
}
trap end EXIT

start() { # NAME ARGUMENTS…
  "$work/kubernetes" "$@" >"$work/$1.log" 2>&1 &
  started="$started $!"
}

serve() {
  rm -rf "$work/run"
  mkdir -p "$work/run"
  openssl genrsa -out "$work/run/sa.key" 2048 2>/dev/null
  echo "admin-token,admin,admin,system:masters" >"$work/run/tokens.csv"
  etcd=$(port)
  api=$(port)
  start etcd "--data-dir=$work/run/etcd" "--listen-client-urls=http://127.0.0.1:$etcd" "--advertise-client-urls=http://127.0.0.1:$etcd" \
    "--listen-peer-urls=http://127.0.0.1:$(port)"
  start kube-apiserver "--etcd-servers=http://127.0.0.1:$etcd" --bind-address=127.0.0.1 "--secure-port=$api" "--cert-dir=$work/run/certificates" \
    --service-account-issuer=https://kubernetes.default.svc "--service-account-key-file=$work/run/sa.key" \
    "--service-account-signing-key-file=$work/run/sa.key" "--token-auth-file=$work/run/tokens.csv" --authorization-mode=RBAC \
    --disable-admission-plugins=ServiceAccount --service-cluster-ip-range=10.0.0.0/24
  tries=0
  until [ "$(ask admin-token /readyz 2>/dev/null)" = ok ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 240 ] || { tail -5 "$work/kube-apiserver.log" >&2; exit 1; }
    sleep 0.5
  done
}

ask() { # TOKEN PATH CURL-OPTIONS…
  token=$1
  path=$2
  shift 2
  curl -sS --http1.1 --cacert "$work/run/certificates/apiserver.crt" -H "Authorization: Bearer $token" "$@" "https://127.0.0.1:$api$path"
}

kubectl() {
  "$work/kubernetes" kubectl --server="https://127.0.0.1:$api" --certificate-authority="$work/run/certificates/apiserver.crt" --token=admin-token "$@"
}

# What a cluster says to the manifests; kinds that operators define are no part of it.
manifests() {
  for namespace in ringside ringside-agents kafka; do
    kubectl create namespace "$namespace" >/dev/null
  done
  for folder in "$root"/deploy/kubernetes/base "$root"/deploy/kubernetes/overlays/*; do
    kubectl kustomize "$folder" >"$work/run/all.yaml"
    kubectl apply --server-side --dry-run=server -f "$work/run/all.yaml" >"$work/run/applied" 2>"$work/run/refused" || {
      grep -v 'no matches for kind "\(Kafka\|PodMonitor\|ServiceMonitor\|PrometheusRule\|AlertmanagerConfig\)' "$work/run/refused" | grep -v 'ensure CRDs are installed' >"$work/run/errors" || true
      [ ! -s "$work/run/errors" ] || { echo "${folder##*/}:" >&2; cat "$work/run/errors" >&2; exit 1; }
    }
    echo "${folder##*/}: $(wc -l <"$work/run/applied") objects taken"
  done
}

pod() { # NAME TEAM GPUS
  kubectl apply -f - >/dev/null <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: ml, labels: {example.com/team: $2}}
spec:
  nodeName: gpu-1
  containers:
    - {name: train, image: trainer, env: [{name: TOKEN, value: secret}], resources: {limits: {$3}}}
YAML
  kubectl wait -n ml pod "$1" --for=create --timeout=20s >/dev/null
}

status() { # KIND NAME JSON
  kubectl patch "$1" "$2" -n ml --subresource=status --type=merge -p "{\"status\": $3}" >/dev/null
  sleep 0.3 # each change is an answer of its own
}

ended() { # NAME REASON CODE
  status pod "$1" "{\"phase\": \"Failed\", \"containerStatuses\": [{\"name\": \"train\", \"image\": \"trainer\", \"imageID\": \"\", \"ready\": false, \"restartCount\": 0,
    \"state\": {\"terminated\": {\"exitCode\": $3, \"reason\": \"$2\", \"startedAt\": \"2026-11-30T05:00:00Z\", \"finishedAt\": \"2026-11-30T06:00:00Z\"}}}]}"
}

condition() { # TYPE STATUS REASON MESSAGE
  status node gpu-1 "{\"conditions\": [{\"type\": \"$1\", \"status\": \"$2\", \"reason\": \"$3\", \"message\": \"$4\",
    \"lastHeartbeatTime\": \"2026-11-30T06:00:00Z\", \"lastTransitionTime\": \"2026-11-30T06:00:00Z\"}]}"
}

record() {
  mkdir -p "$out"
  pods='/api/v1/pods?fieldSelector=spec.nodeName%3Dgpu-1&watch=true&allowWatchBookmarks=true'
  kubectl create serviceaccount ringside-shipper -n ringside-agents >/dev/null
  kubectl create namespace ml >/dev/null
  agent=$(kubectl create token ringside-shipper -n ringside-agents)
  ask wrong "$pods&timeoutSeconds=5" --raw -i >"$out/unauthorized.http"
  ask "$agent" "$pods&timeoutSeconds=5" --raw -i >"$out/forbidden.http"
  kubectl apply -f "$root/deploy/kubernetes/components/kubernetes/cluster-role.yaml" >/dev/null
  until ask "$agent" "$pods&timeoutSeconds=1" -o "$work/run/try" -w '%{http_code}' | grep -q 200; do
    sleep 0.5 # the server learns of the binding
  done
  kubectl apply -f - >/dev/null <<YAML
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
YAML
  pod llama-0 nlp 'nvidia.com/gpu: 8'
  status pod llama-0 '{"phase": "Running"}'
  ask "$agent" "$pods&timeoutSeconds=20" --raw -i >"$out/pods.http" &
  watching=$!
  ask "$agent" '/api/v1/nodes?fieldSelector=metadata.name%3Dgpu-1&watch=true&allowWatchBookmarks=true&timeoutSeconds=20' --raw -i >"$out/nodes.http" &
  watchingToo=$!
  sleep 1
  pod llama-1 nlp 'nvidia.com/gpu: 8'
  status pod llama-1 '{"phase": "Running"}'
  pod llama-2 nlp 'nvidia.com/gpu: 8'
  status pod llama-2 '{"phase": "Running"}'
  pod web-0 web 'cpu: 1'
  status pod web-0 '{"phase": "Running"}'
  condition MemoryPressure True KubeletHasInsufficientMemory 'kubelet has insufficient memory available'
  ended llama-0 OOMKilled 137
  status pod llama-1 '{"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory. Threshold quantity: 100Mi, available: 91Mi. "}'
  kubectl delete pod llama-2 -n ml --grace-period=0 --force >/dev/null 2>&1
  ended web-0 Error 1
  condition Ready Unknown NodeStatusUnknown 'Kubelet stopped posting node status.'
  wait "$watching" "$watchingToo"
  ask "$agent" "$pods&timeoutSeconds=5&resourceVersion=999999" --raw -i >"$out/ahead.http"
  wc -c "$out"/*.http
}

[ -x "$work/kubernetes" ] || build
serve
manifests
record
