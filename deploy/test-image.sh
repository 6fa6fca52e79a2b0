#!/usr/bin/env bash
# Builds the image and tries it as in docs/guides/deployment.md: npm run test:image. Needs podman, and several minutes, so CI does not run it.
# Where no base image can be pulled, name one: NODE_IMAGE=localhost/node npm run test:image
set -euo pipefail
cd "$(dirname "$0")/.."

podman build --quiet --format docker --tag pentad-test ${NODE_IMAGE:+--build-arg NODE_IMAGE="$NODE_IMAGE"} ${BUILD_OPTIONS:-} .

volume=pentad-test-$$
container=
remove() {
  [ -z "$container" ] || podman rm --force --time 0 "$container" >/dev/null
  podman volume rm --force "$volume" >/dev/null
}
trap remove EXIT

container=$(podman run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --volume "$volume:/site" \
  --publish 127.0.0.1::8080 pentad-test)
url=http://$(podman port "$container" 8080/tcp)
in_container() { podman exec "$container" "$@"; }
expect() {
  # Not --quiet, which ends before the command has written everything.
  grep --extended-regexp "$1" >/dev/null || { echo "Not found: $1" >&2; podman logs "$container" >&2; exit 1; }
}

for _ in $(seq 60); do
  podman healthcheck run "$container" >/dev/null 2>&1 && break
  sleep 1
done
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
for _ in $(seq 60); do
  curl --silent --fail "$url/wp-json/host/v1/ready" >/dev/null && break
  sleep 1
done
in_container pentad extension list | expect '^active +my-extension '
echo "The image works ($(podman image inspect --format '{{.Size}}' pentad-test | awk '{ printf "%d MB", $1 / 1e6 }'))."
