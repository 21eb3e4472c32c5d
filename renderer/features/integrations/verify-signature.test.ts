import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifySignature } from "./verify-signature.ts";

const secret = "whsec_dos_mesas";
const body = '{"id":1,"event":"order.created"}';
const sign = (t: number, text = body) =>
  `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${text}`).digest("hex")}`;

describe("webhook signatures", () => {
  it("a signature of the hub is accepted and its time shown [UI-19]", async () => {
    expect(await verifySignature(sign(1_790_000_000), body, secret)).toEqual({
      ok: true,
      signedAt: "2026-09-21T14:13:20.000Z",
    });
  });

  it("a signature does not match another body, another secret or another time [UI-19]", async () => {
    const refused = { ok: false, reason: "badSignature" };
    expect(await verifySignature(sign(1), `${body} `, secret)).toEqual(refused);
    expect(await verifySignature(sign(1), body, "whsec_otro")).toEqual(refused);
    expect(await verifySignature(sign(1).replace("t=1", "t=2"), body, secret)).toEqual(refused);
  });

  it("a header that is not a signature is reported as such [UI-19]", async () => {
    expect(await verifySignature("v1=abc", body, secret)).toEqual({ ok: false, reason: "badHeader" });
  });
});
