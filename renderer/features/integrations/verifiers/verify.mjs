import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether the hub signed these bytes in the last five minutes. `rawBody`: as it came, before anything parses it. */
export function isFromHub(rawBody, signature, secret) {
  const [, time, sent] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (sent === undefined || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(sent, "hex"));
}

// isFromHub(rawBody, request.headers["x-hub-signature"], process.env.WEBHOOK_SECRET)
