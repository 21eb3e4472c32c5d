import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifySignature } from "./verify-signature.ts";

interface Vector {
  name: string;
  file: string;
  signature: string;
  publicKey: string;
  expect: "OK" | "KEY_MISMATCH" | "INVALID" | "LEGACY" | "ALGORITHM" | "ENCODING";
  version?: string;
  message?: string;
}

const folder = path.resolve(import.meta.dirname, "../test/vectors");
const text = (name: string) => readFileSync(path.join(folder, name), "utf8");
const vectors = JSON.parse(text("vectors.json")) as Vector[];

describe("signature vectors", () => {
  it("all 24 signature vectors are present", () => expect(vectors).toHaveLength(24));

  it.each(vectors.filter((vector) => vector.expect === "OK"))(
    "the signature of $name is accepted [UPD-40]",
    async (vector) => {
      const verified = await verifySignature(path.join(folder, vector.file), text(vector.signature), [
        text(vector.publicKey),
      ]);
      expect(verified.version).toBe(vector.version);
    },
  );

  it.each(vectors.filter((vector) => vector.expect !== "OK"))(
    "the signature of $name is refused as $expect [UPD-41]",
    async (vector) => {
      const verified = verifySignature(path.join(folder, vector.file), text(vector.signature), [
        text(vector.publicKey),
      ]);
      await expect(verified).rejects.toMatchObject({ reason: vector.expect, message: vector.message });
    },
  );
});

it("the key is chosen by its id, so that an old and a new key can both be trusted [UPD-42]", async () => {
  const keys = [text("tauri-b.pub"), text("minisign.pub"), text("tauri-a.pub")];
  const verified = await verifySignature(path.join(folder, "payload.bin"), text("good-tauri-version.sig"), keys);
  expect(verified).toMatchObject({ keyId: "63E19D71D8BD6FD2", version: "1.4.0" });
});

it("a refusal names the key id found and those expected [UPD-43]", async () => {
  const keys = [text("tauri-b.pub"), text("minisign.pub")];
  const verified = verifySignature(path.join(folder, "payload.bin"), text("good-tauri.sig"), keys);
  await expect(verified).rejects.toMatchObject({
    reason: "KEY_MISMATCH",
    detail: expect.stringMatching(/^signed with key 63E19D71D8BD6FD2, expected 916D15480E645651 or [0-9A-F]{16}$/),
  });
});

it("no signature is trusted without an embedded key [UPD-44]", async () => {
  const verified = verifySignature(path.join(folder, "payload.bin"), text("good-tauri.sig"), []);
  await expect(verified).rejects.toMatchObject({ reason: "KEY_MISMATCH" });
});

it("a signature with any changed bit is refused, except in the untrusted comment [UPD-41]", async () => {
  const good = Buffer.from(text("good-tauri-version.sig"), "base64");
  const covered = good.indexOf("\n") + 1;
  const end = good.lastIndexOf("=") + 1;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: covered, max: end - 1 }), fc.integer({ min: 0, max: 7 }), async (byte, bit) => {
      const changed = Buffer.from(good);
      changed[byte]! ^= 1 << bit;
      const verified = verifySignature(path.join(folder, "payload.bin"), changed.toString("base64"), [
        text("tauri-a.pub"),
      ]);
      await expect(verified).rejects.toMatchObject({ name: "SignatureRefused" });
    }),
    { numRuns: 500 },
  );
});
