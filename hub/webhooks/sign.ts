import { createHmac } from "node:crypto";

/** The value of `X-Hub-Signature`: HMAC-SHA256 over `{t}.{body}` keyed with the whole secret; the body byte for byte. */
export function sign(secret: string, unixSeconds: number, body: Buffer): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
