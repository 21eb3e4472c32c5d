import { expect, it } from "vitest";
import { isControlPath, isLoopback } from "./control-gate.ts";

it("only this machine's own addresses count as loopback [BO-69]", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].filter((address) => !isLoopback(address))).toEqual([]);
  expect(["192.168.1.127", "10.127.0.1", "::ffff:10.0.0.1", "fe80::1", "1127.0.0.1", ""].filter(isLoopback)).toEqual(
    [],
  );
});

it("the control surface is everything under /stub/v1 and nothing beside it [BO-69]", () => {
  expect(["/stub/v1", "/stub/v1/", "/stub/v1/faults"].every(isControlPath)).toBe(true);
  expect(["/stub/v10", "/stub", "/pos-api/v1/stub/v1"].some(isControlPath)).toBe(false);
});
