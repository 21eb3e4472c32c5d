import hashlib, hmac, re, time


def is_from_hub(raw_body: bytes, signature: str, secret: str) -> bool:
    """Whether the hub signed these bytes in the last five minutes. raw_body: as it came, before anything parses it."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature or "")
    if match is None or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])


# is_from_hub(raw_body, request.headers["X-Hub-Signature"], os.environ["WEBHOOK_SECRET"])
