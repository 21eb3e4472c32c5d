import { describe, expect, it } from "vitest";
import { storedOrder, syncPage, table } from "../test/builders.ts";
import { trustingSchemas } from "./trusting-schemas.ts";
import { readHubMessage } from "./read-hub-message.ts";

describe("readHubMessage", () => {
  it("unreadable parts of a SYNC are left out and reported [CLIENT-26]", () => {
    const page = syncPage({ orders: [storedOrder("A", 1), storedOrder("B", 1)], tables: [table(4)] });
    const odd = { ...page, orders: [page.orders[0], { posReference: "B", version: "one" }] };
    const { message, problems } = readHubMessage(odd);
    expect(message).toMatchObject({ type: "SYNC", orders: [{ posReference: "A" }], tables: [{ tableId: 4 }] });
    expect(problems.length).toBe(1);
    expect(readHubMessage(page)).toEqual({ message: page, problems: [] });
  });

  it.each([[null], [7], [{ type: "WEATHER" }], [{ type: "SYNC" }], [{ type: "ORDER_CHANGED", seq: "x" }]])(
    "nothing is read from %j [CLIENT-23]",
    (value) => {
      expect(readHubMessage(value)).toMatchObject({ message: null, problems: [expect.anything()] });
    },
  );

  it("a page accepts its hub's messages unchecked, but nothing that is no message [CLIENT-206]", () => {
    const odd = { type: "SYNC", orders: [{ posReference: "B", version: "one" }] };
    expect(trustingSchemas.readMessage(odd)).toEqual({ message: odd, problems: [] });
    for (const value of [null, 7, "SYNC", { seq: 1 }]) {
      expect(trustingSchemas.readMessage(value)).toMatchObject({ message: null, problems: [expect.anything()] });
    }
  });
});
