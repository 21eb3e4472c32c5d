import { randomUUID } from "node:crypto";
import { TerminalMessage } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { compile } from "zod";
import { countWork } from "./count-work.ts";
import { startTestHub } from "../support/start-test-hub.ts";

/** Ten lines, as on a typical check. */
const tenLines = (note: string) =>
  Array.from({ length: 10 }, (_, n) => ({
    id: `line-${n}`,
    productId: 101 + n,
    name: "Café",
    quantity: 2,
    unitPrice: 50,
    total: 100,
    ...(n === 3 && { note }),
  }));

const upsert = (posReference: string, baseVersion: number, note = "sin azúcar", more = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot: { orderType: "dine_in", tableId: posReference === "A" ? 5 : 6, lines: tenLines(note), ...more },
});

describe("cost of writes", () => {
  it("each kind of write makes a fixed number of reads and writes, and parses no open order again [ORDER-150]", async () => {
    const counter = countWork();
    onTestFinished(() => counter.end());
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    // Does the reads that happen only once per run.
    await terminal.change(upsert("first", 0));
    await terminal.change({ type: "ORDER_SEND", posReference: "first" });

    let [version, ticketId] = [0, ""];
    const costOf = async (message: Record<string, unknown>): Promise<string> => {
      const { reads, writes, parsed, serialized } = await counter.measure(async () => {
        const answer = await terminal.change({ posReference: "A", ...message });
        version = answer.version ?? version;
        ticketId = answer.kitchenTicketId ?? ticketId;
      });
      return `${reads.length} reads, ${writes.length} writes, ${parsed} orders parsed, ${serialized} serialized`;
    };
    const bump = { kitchenTicketId: "", lineId: "line-3", preparedQuantity: 1 };
    // A commit that raises these numbers must say why.
    expect({
      create: await costOf(upsert("A", 0)),
      edit: await costOf(upsert("A", version, "con azúcar")),
      send: await costOf({ type: "ORDER_SEND" }),
      "edit of what was sent": await costOf(upsert("A", version, "con azúcar", { guestCount: 2 })),
      // The note is written on the ticket, too.
      "another note on what was sent": await costOf(upsert("A", version, "con leche")),
      bump: await costOf({ type: "KITCHEN_BUMP", ...bump, kitchenTicketId: ticketId }),
      tender: await costOf({ type: "ORDER_TENDER", tenderId: randomUUID(), methodId: 1, amount: 100 }),
      pay: await costOf({ type: "ORDER_PAY", baseVersion: version, payments: [{ methodId: 1, amount: 900 }] }),
    }).toEqual({
      create: "9 reads, 4 writes, 0 orders parsed, 1 serialized",
      edit: "1 reads, 3 writes, 0 orders parsed, 1 serialized",
      send: "2 reads, 5 writes, 0 orders parsed, 2 serialized",
      "edit of what was sent": "1 reads, 3 writes, 0 orders parsed, 1 serialized",
      "another note on what was sent": "1 reads, 5 writes, 0 orders parsed, 2 serialized",
      bump: "1 reads, 5 writes, 0 orders parsed, 2 serialized",
      tender: "6 reads, 8 writes, 0 orders parsed, 1 serialized",
      pay: "9 reads, 10 writes, 0 orders parsed, 1 serialized",
    });
  });

  it("the schema of every terminal message can be compiled [ORDER-150]", () => {
    for (const schema of TerminalMessage.options) expect(compile(schema, { strict: true })).not.toBe(schema);
  });
});
