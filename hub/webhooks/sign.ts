import { createHmac } from "node:crypto";

/** The value of `X-Hub-Signature`: HMAC-SHA256 over `{t}.{body}` keyed with the whole secret. */
export function sign(secret: string, unixSeconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.${body}`).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
