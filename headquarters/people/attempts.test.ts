import { describe, expect, it } from "vitest";
import { createClock } from "../test/clock.ts";
import { createAttempts } from "./attempts.ts";

describe("attempts", () => {
  const attempt = { state: "s", nonce: "n", verifier: "v" };

  it("sign-in attempts are sealed by a key of this run and reveal nothing to the browser [HQ-115]", () => {
    const clock = createClock();
    const attempts = createAttempts(clock.now);
    const sealed = attempts.seal(attempt);
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("verifier");
    const bytes = Buffer.from(sealed, "base64url");
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(attempts.take(changed.toString("base64url"), "s")).toBeNull();
      expect(attempts.take(bytes.subarray(0, at).toString("base64url"), "s")).toBeNull();
    }
    expect(createAttempts(clock.now).take(sealed, "s")).toBeNull();
    expect(attempts.take(sealed, "other")).toBeNull();
    expect(attempts.take(sealed, "s")).toEqual(expect.objectContaining(attempt));
    expect(attempts.take(sealed, "s")).toBeNull();
  });
});
