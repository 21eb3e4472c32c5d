export type SignatureCheck =
  | { ok: true; signedAt: string }
  | { ok: false; reason: "badHeader" | "badSignature" | "notHere" };

/** Checks `t={seconds},v1={hex}`: HMAC-SHA256 of `{t}.{body}` with the whole secret as key. Nothing leaves the page. */
export async function verifySignature(header: string, body: string, secret: string): Promise<SignatureCheck> {
  const parts = /^\s*t=(\d{1,12}),v1=([0-9a-f]{64})\s*$/i.exec(header);
  const [, seconds, hex] = parts ?? [];
  if (seconds === undefined || hex === undefined) return { ok: false, reason: "badHeader" };
  // Browsers offer cryptography only over https or on localhost.
  if (!globalThis.isSecureContext && globalThis.crypto.subtle === undefined) return { ok: false, reason: "notHere" };
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const ok = await crypto.subtle.verify("HMAC", key, signature, text.encode(`${seconds}.${body}`));
  return ok ? { ok, signedAt: new Date(Number(seconds) * 1000).toISOString() } : { ok, reason: "badSignature" };
}
