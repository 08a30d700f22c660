#!/bin/sh
# Make a Raspberry Pi or an old laptop with Debian, Raspberry Pi OS or Ubuntu the club's own box, or bring it up to
# date: run it again for that. It starts by itself whenever it has power; phones find it as http://bridgebuddy.local
#
#   sudo sh deploy/club-box.sh
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
opt=${BRIDGEBUDDY_OPT:-/opt/bridgebuddy}
var=${BRIDGEBUDDY_VAR:-/var/lib/bridgebuddy}
environment=${BRIDGEBUDDY_ENV:-/etc/bridgebuddy.env}
units=${BRIDGEBUDDY_UNITS:-/etc/systemd/system}
as="runuser -u bridgebuddy --"

if [ "$(id -u)" != 0 ]; then
  echo "Run it as root: sudo sh $0"
  exit 1
fi
sh "$here/docs/admin/system-packages.sh" python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-droid-fallback mdbtools openssl avahi-daemon
id bridgebuddy >/dev/null 2>&1 || useradd --system --home-dir "$var" --shell /usr/sbin/nologin bridgebuddy
mkdir -p "$opt" "$var"
chown bridgebuddy: "$var"
chmod 700 "$var"

if [ ! -e "$environment" ]; then
  (
    umask 077
    {
      echo "PUBLIC_URL=${BRIDGEBUDDY_URL:-http://bridgebuddy.local}"
      echo "VAR_DIR=$var"
    } >"$environment"
  )
fi

run() { # a command of BridgeBuddy, as the user and with the settings it has when it runs
  (cd "$opt" && set -a && . "$environment" && set +a && $as "$opt/.venv/bin/python" manage.py "$@")
}

if [ -s "$var/bridgebuddy.sqlite3" ] && [ -x "$opt/.venv/bin/python" ]; then # what is there is kept first, by the version that wrote it
  run backup "$var/before-update"
  echo "What was there is kept for a week: $var/before-update"
fi
# what the program is made of, and nothing that somebody has put beside it
for part in bridgebuddy movements static templates manage.py requirements.lock; do
  rm -rf "${opt:?}/$part"
  cp -R "$here/$part" "$opt/$part"
done
[ -x "$opt/.venv/bin/python" ] || /usr/bin/python3 -m venv "$opt/.venv" # the system’s: others cannot read one in a home
"$opt/.venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$opt/requirements.lock"
(cd "$opt" && set -a && . "$environment" && set +a && .venv/bin/python manage.py compile_translations)
chown bridgebuddy: "$var"/* 2>/dev/null || true
run migrate --no-input --verbosity 0

cp "$here/deploy/systemd/bridgebuddy.service" "$here/deploy/systemd/bridgebuddy-night.service" \
  "$here/deploy/systemd/bridgebuddy-night.timer" "$units/"
if [ -d /run/systemd/system ]; then
  hostnamectl set-hostname bridgebuddy
  systemctl daemon-reload
  systemctl enable --quiet --now avahi-daemon bridgebuddy-night.timer
  systemctl enable --quiet bridgebuddy
  systemctl restart bridgebuddy
  systemctl start --no-block bridgebuddy-night # the first backup; the others at night
  echo "BridgeBuddy answers on http://bridgebuddy.local"
else
  echo "This machine has no systemd: start it with $units/bridgebuddy.service in mind."
fi
