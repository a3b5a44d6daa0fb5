#!/bin/sh
# Plays one life of a job in real time against a broker, agents and the service, and takes pictures of the page at each turn; with a
# Grafana also of the four dashboards over the whole life. Seven minutes. Needs chromium, and prometheus for the dashboards.
#
#   lab/life.sh FOLDER [GRAFANA_HOME]      pictures and told.txt are put into FOLDER
#   PODS=/var/log/life lab/life.sh …       where the jobs' logs lie meanwhile, since findings show their names
set -eu
clone=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
grafana=${2:-}
prometheus_port=${PROMETHEUS_PORT:-19390}
grafana_port=${GRAFANA_PORT:-19391}
started=
trap 'for pid in $started; do kill "$pid" 2>/dev/null || true; done' EXIT

if [ -n "$grafana" ]; then
  echo '[]' > "$folder/targets.json"
  cat > "$folder/prometheus.yaml" <<YAML
global: {scrape_interval: 2s, evaluation_interval: 2s}
rule_files: ["$clone/deploy/prometheus/rules/ringside.yaml"]
scrape_configs:
  - job_name: life
    honor_labels: true
    file_sd_configs: [{files: ["$folder/targets.json"], refresh_interval: 1s}]
YAML
  rm -rf "$folder/tsdb" "$folder/grafana"
  prometheus --config.file="$folder/prometheus.yaml" --storage.tsdb.path="$folder/tsdb" \
    --web.listen-address="127.0.0.1:$prometheus_port" > "$folder/prometheus.log" 2>&1 &
  started="$started $!"
  mkdir -p "$folder/grafana/provisioning/dashboards" "$folder/grafana/provisioning/datasources"
  cat > "$folder/grafana/provisioning/dashboards/ringside.yaml" <<YAML
apiVersion: 1
providers: [{name: ringside, type: file, options: {path: "$clone/grafana/dashboards"}}]
YAML
  cat > "$folder/grafana/provisioning/datasources/prometheus.yaml" <<YAML
apiVersion: 1
datasources: [{name: Prometheus, type: prometheus, access: proxy, url: "http://127.0.0.1:$prometheus_port", isDefault: true, jsonData: {timeInterval: 2s}}]
YAML
  cat > "$folder/grafana/custom.ini" <<INI
app_mode = production
[paths]
data = $folder/grafana/data
logs = $folder/grafana/logs
plugins = $folder/grafana/plugins
provisioning = $folder/grafana/provisioning
[server]
http_addr = 127.0.0.1
http_port = $grafana_port
[auth.anonymous]
enabled = true
org_role = Viewer
[analytics]
reporting_enabled = false
check_for_updates = false
check_for_plugin_updates = false
[news]
news_feed_enabled = false
[security]
disable_initial_admin_creation = true
[users]
default_theme = light
INI
fi

cd "$clone"
./mvnw -o -q test -Dquick -pl lab -am -Dtest=OneLife -Dringside.life.folder="$folder" -Dringside.life.pods="${PODS:-}" -Dsurefire.failIfNoSpecifiedTests=false

[ -n "$grafana" ] || exit 0
"$grafana/bin/grafana-server" --homepath "$grafana" --config "$folder/grafana/custom.ini" > "$folder/grafana.log" 2>&1 &
started="$started $!"
until curl -fs "http://127.0.0.1:$grafana_port/api/health" > /dev/null; do sleep 1; done
read -r from to < "$folder/span"
for board in fleet job node pipeline; do
  case $board in
    fleet) more= height=2900 ;;
    job) more='&var-job=llama' height=2500 ;;
    node) more='&var-node=gpu-node-2' height=2180 ;;
    pipeline) more= height=2900 ;;
  esac
  profile=$(mktemp -d)
  chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --user-data-dir="$profile" \
    --window-size="1440,$height" --virtual-time-budget=60000 --screenshot="$folder/life-dashboard-$board.png" \
    "http://127.0.0.1:$grafana_port/d/ringside-$board/$board?orgId=1&kiosk&from=$from&to=$to$more" > "$folder/browser.log" 2>&1
  rm -rf "$profile"
done
