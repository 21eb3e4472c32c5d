import { describe, expect, it } from "vitest";
import { handoverLink, isReachable } from "./handover-link.ts";
import { readHandover } from "./read-handover.ts";

describe("the way to another device", () => {
  it("[TOUCH-61] leads to the same place and names whose PIN is asked for, and nothing else", () => {
    const link = handoverLink("http://192.168.1.20:8766", { place: "#/check/261122-K7QX2M", personId: 7 });
    expect(link).toBe("http://192.168.1.20:8766/terminal/?who=7#/check/261122-K7QX2M");
    expect(readHandover(new URL(link).search)).toBe("7");
    const nobody = handoverLink("http://192.168.1.20:8766", { place: "#/floor", personId: undefined });
    expect(nobody).toBe("http://192.168.1.20:8766/terminal/#/floor");
  });

  it("[TOUCH-61] takes nothing else from an address for a person", () => {
    for (const search of ["", "?name=caja", "?who=", "?who=<b>", `?who=${"7".repeat(65)}`]) {
      expect(readHandover(search), search).toBeNull();
    }
  });

  it("[TOUCH-61] is not offered by the address of the hub's own PC", () => {
    expect(["http://127.0.0.1:8766", "http://localhost:8766", "http://[::1]:8766"].map(isReachable)).not.toContain(
      true,
    );
    expect(["http://192.168.1.20:8766", "http://hub.local:8766"].map(isReachable)).not.toContain(false);
  });
});
