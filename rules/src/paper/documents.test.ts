import type { Block } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { house, paidCheck, refund, ticket, ticketLine } from "../../test/paper.ts";
import { bill, creditNote, drawerSlip, layOut, receipt, stationSlip } from "../index.ts";

const check = { guestCount: 3, staffName: "Ana" };
const dishes = ticket().lines.map((line) => ({ line, quantity: line.quantity }));
const at = "2026-11-28T00:05:00.000Z";

const unsigned = { ncf: "E310000000042", status: "pending" } as const;
const signed = paidCheck().fiscal ?? { status: "none" };

const documents: Record<string, Block[]> = {
  "station-new": stationSlip({ kind: "new", ticket: ticket(), dishes, check, at }, house),
  "station-addition": stationSlip(
    {
      kind: "addition",
      ticket: ticket({ sentBy: "Luis", late: true, queuedAt: "2026-11-27T23:30:00.000Z" }),
      dishes: [{ line: ticketLine({ name: "Presidente pequeña", quantity: 0.5, soldOut: true }), quantity: 0.5 }],
      check,
      at,
    },
    house,
  ),
  "station-void": stationSlip({ kind: "void", ticket: ticket(), dishes: dishes.slice(0, 1), check, at }, house),
  "station-move": stationSlip(
    {
      kind: "move",
      ticket: ticket({ tableId: 8 }),
      dishes,
      check,
      from: { orderType: "dine_in", tableId: 5, ticketNumber: null, checkNumber: 12 },
      at,
    },
    house,
  ),
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
    house,
  ),
  bill: bill(
    {
      snapshot: paidCheck({ status: "checkout", payments: undefined, ncf: undefined, fiscal: undefined }),
      printing: 2,
      parts: 3,
      at,
    },
    house,
  ),
  "receipt-electronic": receipt(paidCheck(), house),
  "receipt-pending": receipt(paidCheck({ fiscal: { ...signed, ecf: unsigned } }), house),
  "receipt-paper": receipt(
    paidCheck({
      ncf: "B0200000123",
      fiscal: { status: "assigned", type: "B02", expiresOn: "2027-12-31" },
      payments: [{ methodId: 1, amount: 1596.64, tendered: 2000, change: 403.36 }],
    }),
    house,
  ),
  "credit-note": creditNote(paidCheck(), refund, house),
  drawer: drawerSlip({ till: "Caja 1", by: "Luz", reason: "Cambio de RD$2,000", at }, house),
};

/** A document as text: codes in brackets, large text marked in front. */
function textOf(blocks: readonly Block[], columns: number): string {
  const marks = { tall: "|", large: "#" };
  return layOut(blocks, columns)
    .map((line) => {
      if (line.kind !== "text") return `  [${line.kind} ${line.text}]`;
      const mark = line.size === undefined ? " " : marks[line.size];
      return `${mark}${line.inverse === true ? "█" : " "}${line.text}`.trimEnd();
    })
    .join("\n");
}

describe("documents on paper", () => {
  const cases = Object.entries(documents).flatMap(([name, blocks]) =>
    [48, 32].map((columns) => ({ name, columns, blocks })),
  );

  it.for(cases)("[PRINT-101] $name on $columns columns", async ({ name, columns, blocks }) => {
    await expect(`${textOf(blocks, columns)}\n`).toMatchFileSnapshot(`../../test/paper/${name}-${columns}.txt`);
  });

  it.for(cases)("[PRINT-100] no line of $name is wider than $columns columns", ({ columns, blocks }) => {
    const widths = layOut(blocks, columns).map((line) =>
      line.kind === "text" ? line.text.length * (line.size === "large" ? 2 : 1) : 0,
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });

  it("[PRINT-102] a check of a type for which no code came says how it can be checked later", () => {
    const words = textOf(documents["receipt-pending"] ?? [], 48).replaceAll(/\s+/g, " ");
    expect(words).toContain("Comprobante pendiente: su validez podrá consultarse con el código BCDF2345");
    expect(words).toContain("e-NCF: E310000000042");
    expect(words).not.toContain("Código de Seguridad");
  });

  it("[PRINT-103] a large sale to a final consumer leaves room for the buyer that it lacks", () => {
    const totals = { subtotal: 195_312.5, tax: 54_687.5, total: 250_000 };
    const large = paidCheck({ totals, ncf: "B0200000123", fiscal: { status: "assigned", type: "B02" } });
    expect(textOf(receipt(large, house), 48)).toMatch(/RNC\/Cédula: _+\n +Cliente: _+/u);
    expect(textOf(documents["receipt-paper"] ?? [], 48)).not.toContain("Cliente:");
  });
});
