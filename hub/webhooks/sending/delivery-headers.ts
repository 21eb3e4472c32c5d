import { createHmac } from "node:crypto";

/** Returns the headers of one attempt. The signature has the attempt's time, and is omitted without a secret. */
export function deliveryHeaders(delivery: {
  id: number | string;
  event: string;
  secret: string | null;
  /** Wall time of the attempt, ms since 1970. */
  at: number;
  body: Buffer;
}): Record<string, string> {
  const { id, event, secret, at, body } = delivery;
  return {
    "content-type": "application/json",
    "user-agent": "Comanda-Hub",
    "x-hub-event": event,
    "x-hub-delivery": String(id),
    ...(secret !== null && { "x-hub-signature": sign(secret, Math.floor(at / 1000), body) }),
  };
}

/** Returns `X-Hub-Signature`: HMAC-SHA256 over `{t}.{body}` with the whole secret as key and the exact body bytes. */
function sign(secret: string, unixSeconds: number, body: Buffer): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
