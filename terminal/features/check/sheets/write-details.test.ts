import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { contactDraft } from "./contact-draft.ts";
import { writeDetails } from "./write-details.ts";

it("[TOUCH-437] the details write only what was changed here", () => {
  const opened = { customerName: null, notes: "", guestCount: 2, orderType: "dine_in", tableId: 4, lines: [] };
  const snapshot = opened as unknown as Snapshot;
  const untouched = { customerName: "", notes: "", guestCount: 2, contact: contactDraft({}), orderType: "dine_in" };
  // Meanwhile somebody else has made it a takeaway with a name.
  const now = { ...opened, orderType: "takeout", tableId: null, customerName: "Ana" } as const;
  const write = (typed: object) =>
    writeDetails(
      now,
      { typed: { ...untouched, ...typed } as Parameters<typeof writeDetails>[1]["typed"], opened: snapshot },
      { now: 0, menu: { products: [], taxes: [] } },
    );
  expect(write({ notes: "Sin prisa" })).toEqual({ ...now, notes: "Sin prisa" });
  expect(write({ customerName: "Luis " })).toEqual({ ...now, customerName: "Luis" });
  expect(write({ orderType: "delivery", contact: { phone: "809", address: "", time: "" } })).toMatchObject({
    orderType: "delivery",
    customerName: "Ana",
    pluginData: { contact: { phone: "809" } },
  });
});
