import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookRefused } from "../src/index.ts";

const secret = "whsec_0123456789abcdef";
const body = JSON.stringify({
  id: 7,
  event: "table.updated",
  timestamp: "2026-11-20T18:04:11.512Z",
  data: { note: "Ñandú 🥟" },
});
const now = 1_795_000_000_000;
const timestamp = now / 1000;
/** Signed by an independent implementation. */
const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });

describe("verifying a webhook", () => {
  it("a webhook is accepted with its original bytes, as text or as bytes [INT-6]", async () => {
    expect(await verifyWebhook(body, signature, secret, { now })).toEqual(JSON.parse(body));
    expect(await verifyWebhook(Buffer.from(body), signature, secret, { now })).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, signature, ["whsec_new", secret], { now })).toEqual(JSON.parse(body));
  });

  it("a webhook is refused for every flipped bit of the body [INT-6]", async () => {
    const bytes = Buffer.from(body);
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (flipped[index] ?? 0) ^ 1;
      await expect(verifyWebhook(flipped, signature, secret, { now })).rejects.toBeInstanceOf(WebhookRefused);
    }
  });

  it("a webhook is refused with another secret, and with a missing, malformed or outdated signature [INT-6]", async () => {
    const refusedWith = (header: string | null | undefined, key: string | string[] = secret) =>
      expect(verifyWebhook(body, header, key, { now })).rejects.toBeInstanceOf(WebhookRefused);
    await refusedWith(signature, "whsec_other");
    await refusedWith(signature, []);
    for (const header of [
      null,
      undefined,
      "",
      "t=1",
      signature.slice(0, -1),
      `${signature}0`,
      signature.toUpperCase(),
      signature.replace("v1", "v0"),
    ]) {
      await refusedWith(header);
    }
    await refusedWith(signature.replace(String(timestamp), String(timestamp + 1)));
  });

  it("a webhook is accepted up to the tolerance before or after its time [INT-6]", async () => {
    const at = (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(body, signature, secret, {
        now: now + seconds * 1000,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      });
    await expect(at(300)).resolves.toBeDefined();
    await expect(at(-300)).resolves.toBeDefined();
    await expect(at(301)).rejects.toBeInstanceOf(WebhookRefused);
    await expect(at(-301)).rejects.toBeInstanceOf(WebhookRefused);
    await expect(at(86_400, Infinity)).resolves.toBeDefined();
  });
});
