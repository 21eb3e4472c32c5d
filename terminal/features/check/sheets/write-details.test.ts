import type { Snapshot } from "@comanda/protocol";
import type { OrderContent } from "@comanda/terminal";
import { expect, it } from "vitest";
import { contactDraft } from "./contact-draft.ts";
import { writeDetails, type TypedDetails } from "./write-details.ts";

/** Saves a sheet opened on `opened`, with the fields `typed` in it, to the check's current `content`. */
function write(opened: OrderContent, content: OrderContent, typed: Partial<TypedDetails>): OrderContent {
  const snapshot = opened as unknown as Snapshot;
  const { customerName, notes, guestCount, orderType } = snapshot;
  const untouched = { customerName: customerName ?? "", notes: notes ?? "", contact: contactDraft(opened) };
  return writeDetails(
    content,
    { typed: { ...untouched, guestCount, orderType, ...typed }, opened: snapshot },
    { now: Date.parse("2026-07-30T18:00:00"), timeZone: undefined, menu: { products: [], taxes: [] } },
  );
}

it("the details sheet writes only what was changed in it [TOUCH-437]", () => {
  const opened: OrderContent = {
    customerName: null,
    notes: "",
    guestCount: 2,
    orderType: "dine_in",
    tableId: 4,
    lines: [],
  };
  // It has since become a takeaway with a name, changed elsewhere.
  const now: OrderContent = { ...opened, orderType: "takeout", tableId: null, customerName: "Ana" };
  expect(write(opened, now, { notes: "Sin prisa" })).toEqual({ ...now, notes: "Sin prisa" });
  expect(write(opened, now, { customerName: "Luis " })).toEqual({ ...now, customerName: "Luis" });
  expect(write(opened, now, { orderType: "delivery", contact: { phone: "809", address: "", time: "" } })).toMatchObject(
    {
      orderType: "delivery",
      customerName: "Ana",
      pluginData: { contact: { phone: "809" } },
    },
  );
});

it("the details sheet leaves a check at the tables that it has by then [TOUCH-437]", () => {
  const opened: OrderContent = { guestCount: 2, orderType: "takeout", tableId: 4, lines: [] };
  const moved: OrderContent = { ...opened, tableId: 7, tableIds: [7, 8] };
  expect(write(opened, moved, { orderType: "dine_in" })).toMatchObject({ ...moved, orderType: "dine_in" });
  const seated: OrderContent = { ...moved, orderType: "dine_in" };
  expect(write(opened, seated, { orderType: "dine_in" })).toEqual(seated);
  // A check without a table cannot become dine-in.
  const takeout: OrderContent = { ...opened, tableId: null };
  expect(write(opened, takeout, { orderType: "dine_in" })).toEqual(takeout);
});

it("telephone, address and promised time are written independently [TOUCH-437]", () => {
  const promised = (time: string) => new Date(`2026-07-30T${time}`).toISOString();
  const checkOf = (contact: Record<string, unknown>): OrderContent => {
    return { guestCount: 1, orderType: "delivery", tableId: null, lines: [], pluginData: { contact } };
  };
  const opened = checkOf({ phone: "809", address: "Calle 1", promisedAt: promised("19:00") });
  const now = checkOf({ phone: "829", address: "Calle 2", promisedAt: promised("20:15"), zone: "norte" });
  const contact = contactDraft(opened);
  const contactWith = (typed: Partial<typeof contact>) =>
    write(opened, now, { contact: { ...contact, ...typed } }).pluginData?.["contact"];
  const there = now.pluginData?.["contact"];
  expect(contactWith({ phone: "849" })).toEqual({ ...there, phone: "849" });
  expect(contactWith({ address: "Calle 3 " })).toEqual({ ...there, address: "Calle 3" });
  expect(contactWith({ time: "21:30" })).toEqual({ ...there, promisedAt: promised("21:30") });
  expect(contactWith({ phone: "" })).toEqual({ address: "Calle 2", promisedAt: promised("20:15"), zone: "norte" });
});
