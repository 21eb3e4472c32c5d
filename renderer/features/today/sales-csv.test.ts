import type { SalesReport } from "@comanda/protocol";
import { expect, it } from "vitest";
import { csvTime } from "@comanda/ui/csv.ts";
import { salesCsv } from "./sales-csv.ts";

const place = { orderType: "takeout" as const, tableId: null, ticketNumber: "4", checkNumber: null };
const nothing = { count: 0, amount: 0, largest: [], byReason: [], byPerson: [] };
const report: SalesReport = {
  since: "2026-11-20T09:00:00.000Z",
  until: "2026-11-21T09:00:00.000Z",
  day: "2026-11-20",
  through: null,
  today: "2026-11-27",
  keptSince: null,
  session: null,
  asOf: "2026-11-27T12:00:00.000Z",
  timeZone: "America/Santo_Domingo",
  totals: {
    paidOrders: 1,
    paidAmount: 118.1,
    byMethod: [{ methodId: "1", amount: 118.1, payments: 1, refunded: 18.2 }],
  },
  parts: { net: 100, refundedNet: 0, taxes: [], charges: 0, rounding: 0 },
  hours: [{ from: "2026-11-20T23:00:00.000Z", checks: 1, guests: 2, amount: 118.1, refunded: 0, tips: 10 }],
  days: [{ day: "2026-11-20", checks: 1, guests: 2, amount: 118.1, refunded: 0, tips: 10 }],
  dishes: [{ productId: "1", quantity: 3, refundedQuantity: 1, amount: 118.1, refunded: 18.2 }],
  waiters: [{ name: null, checks: 1, guests: 2, amount: 118.1, refunded: 0, tips: 10 }],
  discounts: nothing,
  voids: {
    ...nothing,
    count: 1,
    amount: 50,
    byReason: [{ name: "=frío", count: 1, amount: 50 }],
    byPerson: [{ name: "Ana", count: 1, amount: 50 }],
  },
  comps: nothing,
  refunds: [
    { posReference: "A", place, at: "2026-11-20T23:30:00.000Z", amount: 18.2, by: "Luz", reason: null, ncf: null },
  ],
  unreadable: 0,
};

it("the sales of a day are CSV tables without anything that a spreadsheet would run [UI-481]", () => {
  const text = salesCsv(report, {
    section: (name) => name.toUpperCase(),
    column: (name) => name.replace("common:", ""),
    dish: (productId) => `Dish ${productId}`,
    method: (methodId) => `Method, ${methodId}`,
    unnamed: "Nobody",
    time: (iso) => csvTime(iso, report.timeZone),
    parts: [{ name: "Net", amount: 100 }],
  });
  expect(text.replace("\uFEFF", "").split("\r\n")).toEqual([
    "2026-11-20,2026-11-20 05:00,2026-11-21 05:00",
    "",
    "TAXES",
    "Net,100",
    "",
    "BYMETHOD",
    "method,payments,amount,refunded,net,tips",
    '"Method, 1",1,118.1,18.2,99.9,0',
    "",
    "BYHOUR",
    "hour,checks,guests,amount,refunded,net,tips",
    "2026-11-20 19:00,1,2,118.1,0,118.1,10",
    "",
    "BYDAY",
    "kind.day,checks,guests,amount,refunded,net,tips",
    "2026-11-20,1,2,118.1,0,118.1,10",
    "",
    "BYWAITER",
    "role.waiter,checks,guests,amount,refunded,net,tips",
    "Nobody,1,2,118.1,0,118.1,10",
    "",
    "BYDISH",
    "dish,quantity,amount,refunded,net",
    "Dish 1,2,118.1,18.2,99.9",
    "",
    "VOIDS",
    "reason,count,amount",
    "'=frío,1,50",
    "",
    "VOIDS",
    "who,count,amount",
    "Ana,1,50",
    "",
    "REFUNDS",
    "order,when,who,reason,amount",
    "A,2026-11-20 19:30,Luz,,18.2",
    "",
    "",
  ]);
});
