import { afterAll, expect, it, vi } from "vitest";

vi.stubGlobal("sessionStorage", { getItem: () => null });
afterAll(() => vi.unstubAllGlobals());
const { addressOf } = await import("./hub-client.ts");

it("an order reference in a path is encoded as one segment, once [UI-14]", () => {
  expect(
    addressOf("/operator/v1/orders/:posReference/versions/:version", {
      params: { posReference: "EXT/a/1%", version: 2 },
    }),
  ).toBe("/operator/v1/orders/EXT%2Fa%2F1%25/versions/2");
});

it("absent query fields are left out", () => {
  expect(
    addressOf("/operator/v1/orders", { query: { search: "", status: "all", cursor: undefined, limit: 100 } }),
  ).toBe("/operator/v1/orders?status=all&limit=100");
});
