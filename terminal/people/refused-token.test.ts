import { expect, it } from "vitest";
import { tokenEndOf } from "./refused-token.ts";

it("the text says what happened to a token, and less if the hub did not say it [TOUCH-166]", () => {
  const ends = (["expired", "pin_revoked", "device_forgotten", "early", "unknown"] as const).map((why) =>
    tokenEndOf({ of: "actor", why }),
  );
  expect(ends).toEqual(["expired", "revoked", "forgotten", "other", "other"]);
  expect(tokenEndOf({ of: "approval", why: "pin_revoked" })).toBe("approval");
  expect(tokenEndOf(null)).toBe("other");
});
