#!/bin/sh
# Run each night from cron or a timer: backup.sh postgres://... /srv/backups/headquarters
set -eu
# The dump contains people's names and the digests of their passwords.
umask 077
url=$1
folder=$2
file="$folder/headquarters-$(date +%Y-%m-%d).dump"
pg_dump --format=custom --file="$file.part" "$url"
# A dump that cannot be listed cannot be restored.
pg_restore --list "$file.part" > /dev/null
mv "$file.part" "$file"
find "$folder" -name 'headquarters-*.dump' -mtime +30 -delete
