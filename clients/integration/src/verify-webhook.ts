import { WebhookRefused } from "./errors.ts";
import type { WebhookDelivery } from "./types.ts";

/** The ping of the test endpoint. It cannot be subscribed to. */
export interface WebhookPing {
  id: "test";
  event: "webhook.test";
  timestamp: string;
  data: { subscriptionId: string };
}

/** A sample event, sent from the hub's screens. It describes nothing that happened. */
export type WebhookSample = SampleOf<WebhookDelivery>;

/** Distributes over the deliveries, so that `event` still determines the type of `data`. */
type SampleOf<D> = D extends WebhookDelivery ? Omit<D, "id"> & { id: "test"; test: true } : never;

export interface VerifyOptions {
  /** Maximum age of a signature; 5 minutes by default, Infinity for any age. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; now by default. */
  now?: number;
}

/**
 * Verifies `X-Hub-Signature` against the raw body, which must not be parsed before, and returns the delivery. Pass all valid
 * secrets while one is being replaced. Throws WebhookRefused.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  signature: string | null | undefined,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookDelivery | WebhookSample | WebhookPing> {
  const [, seconds = "", hex = ""] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (hex === "") throw new WebhookRefused("the signature is missing or malformed");
  const ageSeconds = Math.abs((options.now ?? Date.now()) / 1000 - Number(seconds));
  if (ageSeconds > (options.toleranceSeconds ?? 300)) throw new WebhookRefused("the signature is too old");

  const encoder = new TextEncoder();
  const body = typeof rawBody === "string" ? encoder.encode(rawBody) : rawBody;
  const head = encoder.encode(`${seconds}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const digest = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = await crypto.subtle.importKey("raw", encoder.encode(each), { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    // Compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, digest, signed)) {
      return JSON.parse(new TextDecoder().decode(body)) as WebhookDelivery | WebhookSample | WebhookPing;
    }
  }
  throw new WebhookRefused("the signature does not fit the body");
}
