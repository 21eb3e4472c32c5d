import type { Block } from "@comanda/protocol";
import { bill, creditNote, drawerSlip, receipt, shiftPaper, stationSlip } from "../src/index.ts";
import { closedShift, paperContext, paidCheck, refund, signedNote, ticket, ticketLine } from "./paper.ts";

const check = { guestCount: 3, staffName: "Ana" };
const dishes = ticket().lines.map((line) => ({ line, quantity: line.quantity }));
const at = "2026-11-28T00:05:00.000Z";

const unsigned = { ncf: "E310000000042", status: "pending" } as const;
const signed = paidCheck().fiscal ?? { status: "none" };

/** One document of each kind. */
export const documents = {
  "station-new": stationSlip({ kind: "new", ticket: ticket(), dishes, check, at }, paperContext),
  "station-addition": stationSlip(
    {
      kind: "addition",
      ticket: ticket({ sentBy: "Luis", late: true, queuedAt: "2026-11-27T23:30:00.000Z" }),
      dishes: [{ line: ticketLine({ name: "Presidente pequeña", quantity: 0.5, soldOut: true }), quantity: 0.5 }],
      check,
      at,
    },
    paperContext,
  ),
  "station-void": stationSlip({ kind: "void", ticket: ticket(), dishes: dishes.slice(0, 1), check, at }, paperContext),
  "station-move": stationSlip(
    {
      kind: "move",
      ticket: ticket({ tableId: 8 }),
      dishes,
      check,
      from: { orderType: "dine_in", tableId: 5, ticketNumber: null, checkNumber: 12 },
      at,
    },
    paperContext,
  ),
  "station-note": stationSlip(
    {
      kind: "note",
      ticket: ticket(),
      dishes: [],
      check: { ...check, notes: "Alergia a mariscos en toda la mesa" },
      at,
    },
    paperContext,
  ),
  "station-note-removed": stationSlip({ kind: "note", ticket: ticket(), dishes: [], check, at }, paperContext),
  "station-takeout": stationSlip(
    {
      kind: "new",
      ticket: ticket({
        orderType: "takeout",
        tableId: null,
        ticketNumber: "L-014",
        customerName: "Sr. Peña",
        promisedAt: "2026-11-28T00:30:00.000Z",
        stationName: null,
      }),
      dishes: dishes.slice(1, 2),
      check: { ...check, notes: "sin cubiertos" },
      at,
    },
    paperContext,
  ),
  bill: bill(
    {
      snapshot: paidCheck({ status: "checkout", payments: undefined, ncf: undefined, fiscal: undefined }),
      printing: 2,
      parts: 3,
      at,
    },
    paperContext,
  ),
  "receipt-electronic": receipt(paidCheck(), paperContext),
  "receipt-pending": receipt(paidCheck({ fiscal: { ...signed, ecf: unsigned } }), paperContext),
  "receipt-paper": receipt(
    paidCheck({
      ncf: "B0200000123",
      fiscal: { status: "assigned", type: "B02", expiresOn: "2027-12-31" },
      payments: [{ methodId: 1, amount: 1596.64, tendered: 2000, change: 403.36 }],
    }),
    paperContext,
  ),
  "credit-note": creditNote(paidCheck(), refund, paperContext),
  "credit-note-signed": creditNote(paidCheck(), { ...refund, ecf: signedNote }, paperContext),
  "shift-closed": shiftPaper(closedShift, paperContext),
  drawer: drawerSlip({ till: "Caja 1", by: "Luz", reason: "Cambio de RD$2,000", at }, paperContext),
} satisfies Record<string, Block[]>;
