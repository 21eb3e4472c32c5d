#!/usr/bin/env bash
# WEBHOOK_SECRET=whsec_… ./verify.sh 't=…,v1=…' < body.json
# body.json: the bytes of the body as they came, not a formatted copy.
if [[ ! $1 =~ ^t=([0-9]{1,12}),v1=([0-9a-f]{64})$ ]]; then echo "not a signature"; exit 1; fi
time=${BASH_REMATCH[1]}
sent=${BASH_REMATCH[2]}
expected=$({ printf '%s.' "$time"; cat; } | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.*= *//')
age=$(($(date +%s) - 10#$time))
if [[ $expected != "$sent" ]]; then echo "signed with another secret, or changed"; exit 1; fi
if ((${age#-} > 300)); then echo "signed more than five minutes ago"; exit 1; fi
echo "signed by the hub"
