#!/usr/bin/env bash
# Builds the image from the package in dist/ and tries it as in docs/guides/deployment.md; `npm run test:image` builds the package first.
# The base image is made from Debian's packages, because there may be no registry to pull it from; NODE_IMAGE names another one.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo 'Skipped: the kernel does not allow this user to run containers.'
  exit 0
}
unshare --mount true 2>/dev/null || unshare --map-root-user --mount true 2>/dev/null || skip

temporary=$(mktemp -d)
chmod 755 "$temporary"
volume=pentad-test-$$
container=
remove() {
  [ -z "$container" ] || podman rm --force --time 0 "$container" >/dev/null
  podman volume rm --force "$volume" >/dev/null 2>&1 || true
  podman image rm --force pentad-test localhost/pentad-test-base >/dev/null 2>&1 || true
  rm -rf "$temporary"
}
trap remove EXIT

# The limits that the guide recommends: podman's own defaults, which are larger, may be forbidden. crun rejects some control group setups.
cat >"$temporary/containers.conf" <<END
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "$(command -v runc >/dev/null && echo runc || echo crun)"
END
export CONTAINERS_CONF=$temporary/containers.conf

# What the Dockerfile needs of node:24-trixie-slim: Debian, Node, npm, and the user; and the certificates that this machine trusts.
make_base() {
  local files=$temporary/local
  mkdir -p "$files/bin"
  cp --dereference node_modules/node/bin/node "$files/bin/"
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$files/ca.crt"
  npm install --silent --global --prefix "$files" --no-audit --no-fund npm@11
  mmdebstrap --quiet --variant=apt --include=passwd --dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' \
    --chrooted-customize-hook='useradd --uid 1000 --create-home node' --customize-hook="cp -r '$files/.' \"\$1/usr/local\"" \
    trixie - http://deb.debian.org/debian |
    podman import --quiet --change 'ENV NODE_EXTRA_CA_CERTS=/usr/local/ca.crt' - "$1" >/dev/null
}
base=${NODE_IMAGE:-localhost/pentad-test-base}
[ -n "${NODE_IMAGE:-}" ] || make_base "$base"
podman run --rm --network none "$base" node --version || skip

# npm opens many files at once.
podman build --quiet --format docker --layers=false --tag pentad-test --network host --build-arg NODE_IMAGE="$base" \
  --ulimit "nofile=$(ulimit -Hn)" \
  --build-context package=dist/pentad --volume "$(npm config get cache):/root/.npm" .

# A network of its own would add an interface to this machine, and then Chromium ends all requests: tests run meanwhile.
port=$(node --eval 'const server = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close() })')
container=$(podman run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --volume "$volume:/site" \
  --network host --env PENTAD_HOST=127.0.0.1 --env "PENTAD_PORT=$port" pentad-test)
url=http://127.0.0.1:$port
in_container() { podman exec "$container" "$@"; }
expect() {
  # Not --quiet, which ends before the command has written everything.
  grep --extended-regexp "$1" >/dev/null || { echo "Not found: $1" >&2; podman logs "$container" >&2; exit 1; }
}
await_ready() {
  for _ in $(seq 60); do
    curl --silent --fail "$url/wp-json/host/v1/ready" >/dev/null && return
    sleep 1
  done
  echo 'The site does not become ready.' >&2
}

await_ready
podman healthcheck run "$container"
curl --silent "$url/wp-json/host/v1/ready" | expect '"name":"database","state":"ok"'
podman logs "$container" | expect 'password {3}[^ ]+'
in_container id --user | expect '^1000$'
! in_container sh -c 'touch /app/file' 2>/dev/null || { echo 'The image is writable.' >&2; exit 1; }
in_container pg_dump --version | expect '17'

podman cp test/fixtures/wordpress-export.xml "$container:/site/export.xml"
in_container pentad import export.xml | expect '[0-9]'
in_container pentad extension new my-extension | expect my-extension
in_container pentad extension activate my-extension
in_container pentad extension list | expect '^active +my-extension '
in_container pentad backup create
curl --silent "$url/" | expect '</html>'

podman stop --time 15 "$container" >/dev/null
podman inspect --format '{{.State.ExitCode}}' "$container" | expect '^0$'
podman start "$container" >/dev/null
await_ready
in_container pentad extension list | expect '^active +my-extension '
echo "The image works ($(podman image inspect --format '{{.Size}}' pentad-test | awk '{ printf "%d MB", $1 / 1e6 }'))."
