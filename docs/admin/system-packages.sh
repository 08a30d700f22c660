#!/bin/sh
# Install Debian packages that are missing, when we may; otherwise say exactly what to install.
missing=""
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "This system has no apt-get. Please make sure that you have what Debian calls:$missing"
  exit 0
fi
if [ "$(id -u)" = 0 ]; then
  echo "Installing$missing"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  echo "Installing$missing"
  sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
fi
echo "BridgeBuddy needs these system packages. Please run, then try again:"
echo "  sudo apt-get install$missing"
exit 1
