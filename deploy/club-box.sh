#!/bin/sh
# Make a Raspberry Pi or an old laptop with Debian, Raspberry Pi OS or Ubuntu the club's own box. Run it again to
# install a new version. The box starts BridgeBuddy whenever it has power; phones find http://bridgebuddy.local
#
#   sudo sh deploy/club-box.sh          install, or update; the old version runs until the new one works
#   sudo sh deploy/club-box.sh back     return to the version before the last update
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
var=${BRIDGEBUDDY_VAR:-/var/lib/bridgebuddy}
environment=${BRIDGEBUDDY_ENV:-/etc/bridgebuddy.env}
units=${BRIDGEBUDDY_UNITS:-/etc/systemd/system}
python=/usr/bin/python3 # the system's: the program's user cannot read one in somebody's home
release() { "$python" "$here/deploy/release.py" "$@"; }

if [ "$(id -u)" != 0 ]; then
  echo "Run it as root: sudo sh $0"
  exit 1
fi
case ${1:-} in
  "") ;;
  back) release back && exit 0 || exit 1 ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
sh "$here/docs/admin/system-packages.sh" python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-droid-fallback mdbtools openssl avahi-daemon
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "BridgeBuddy needs Python 3.11: Debian 12, Ubuntu 24.04 or newer."
  exit 1
}
id bridgebuddy >/dev/null 2>&1 || useradd --system --home-dir "$var" --shell /usr/sbin/nologin bridgebuddy
mkdir -p "$var" "$units"
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
# up to three searches run at once, each in a quarter of the memory at most
if ! grep -q '^SEARCH_MEMORY=' "$environment"; then
  memory=$(awk '/^MemTotal:/ { quarter = int($2 / 4096); print (quarter < 2048 ? quarter : 2048) }' /proc/meminfo)
  printf '\nSEARCH_MEMORY=%s\n' "$memory" >>"$environment"
fi

release install

for unit in bridgebuddy.service bridgebuddy-night.service bridgebuddy-night.timer; do
  cp "$here/deploy/systemd/$unit" "$units/"
done
install -m 755 "$here/deploy/bridgebuddy-command" "${BRIDGEBUDDY_BIN:-/usr/local/bin}/bridgebuddy"
if [ -d /run/systemd/system ]; then
  hostnamectl set-hostname bridgebuddy
  systemctl daemon-reload
  systemctl enable --quiet --now avahi-daemon bridgebuddy-night.timer
  systemctl enable --quiet --now bridgebuddy
  systemctl start --no-block bridgebuddy-night # the first backup; the others at night
  echo "BridgeBuddy answers on http://bridgebuddy.local"
else
  echo "This machine has no systemd: start it with $units/bridgebuddy.service in mind."
fi
