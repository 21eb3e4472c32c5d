import { randomUUID } from "node:crypto";
import { externalApi, operatorApi, terminalApi, TerminalMessage, type HttpRoute } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { compile, type z } from "zod";
import { examples } from "../../build/openapi-examples.ts";
import { countWork } from "./count-work.ts";
import { takeoutOrder } from "../support/builders.ts";
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

const oddValues: unknown[] = [
  null,
  "",
  "1",
  0,
  -1,
  1.5,
  1e308,
  NaN,
  true,
  [],
  {},
  [null],
  "dine_in",
  "a\u0007b",
  "x".repeat(2_000),
];

/** Returns a value, and copies of it in which one part at any depth is missing, odd, duplicated or not expected. */
function variants(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value, ...oddValues];
  if (Array.isArray(value)) {
    const inside = value.flatMap((each, at) => variants(each).map((other) => value.with(at, other)));
    return [value, ...inside, [...value, ...value], ...oddValues];
  }
  const fields = Object.entries(value);
  return [
    value,
    { ...value, unknown: 1 },
    ...fields.map(([name]) => Object.fromEntries(fields.filter(([other]) => other !== name))),
    ...fields.flatMap(([name, each]) => variants(each).map((other) => ({ ...value, [name]: other }))),
    ...oddValues,
  ];
}

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
      // The note is written on the ticket, too. Where the ticket was printed, another slip follows.
      "another note on what was sent": await costOf(upsert("A", version, "con leche")),
      bump: await costOf({ type: "KITCHEN_BUMP", ...bump, kitchenTicketId: ticketId }),
      tender: await costOf({ type: "ORDER_TENDER", tenderId: randomUUID(), methodId: 1, amount: 100 }),
      pay: await costOf({ type: "ORDER_PAY", baseVersion: version, payments: [{ methodId: 1, amount: 900 }] }),
    }).toEqual({
      create: "9 reads, 4 writes, 0 orders parsed, 1 serialized",
      edit: "1 reads, 3 writes, 0 orders parsed, 1 serialized",
      send: "2 reads, 5 writes, 0 orders parsed, 2 serialized",
      "edit of what was sent": "1 reads, 3 writes, 0 orders parsed, 1 serialized",
      "another note on what was sent": "2 reads, 5 writes, 0 orders parsed, 2 serialized",
      bump: "1 reads, 5 writes, 0 orders parsed, 2 serialized",
      tender: "6 reads, 8 writes, 0 orders parsed, 1 serialized",
      pay: "9 reads, 10 writes, 0 orders parsed, 1 serialized",
    });
  });

  it("an order of an integration makes a fixed number of reads and writes [ORDER-150]", async () => {
    const counter = countWork();
    onTestFinished(() => counter.end());
    const hub = await startTestHub();
    const external = hub.external();
    // Does the reads that happen only once per run.
    await external.post("/orders", takeoutOrder());
    const { reads, writes, parsed, serialized } = await counter.measure(() =>
      external.post("/orders", { ...takeoutOrder(), externalRef: "web-1" }),
    );
    expect(`${reads.length} reads, ${writes.length} writes, ${parsed} parsed, ${serialized} serialized`).toBe(
      "3 reads, 3 writes, 0 parsed, 1 serialized",
    );
  });

  it("the schema of every terminal message can be compiled [ORDER-150]", () => {
    for (const schema of TerminalMessage.options) expect(compile(schema, { strict: true })).not.toBe(schema);
  });

  it("the schema of every request body can be compiled [ORDER-150]", () => {
    const routes = [externalApi, operatorApi, terminalApi].flatMap((api) => Object.values<HttpRoute>(api.routes));
    const bodies = routes.flatMap(({ body }) => body ?? []);
    expect(bodies.length).toBeGreaterThan(50);
    for (const schema of bodies) expect(compile(schema, { strict: true })).not.toBe(schema);
  });

  it("the compiled schema of an order has the same output and issues as the schema [ORDER-150]", () => {
    const cases = { createOrder: 0, updateOrder: 0 };
    for (const name of ["createOrder", "updateOrder"] as const) {
      const { body: schema } = externalApi.routes[name];
      const compiled = compile<z.ZodType>(schema, { strict: true });
      for (const input of variants(examples[name].body)) {
        const [plain, fast] = [schema, compiled].map((each) => each.safeParse(input));
        // As JSON, so that the order of fields counts.
        expect(JSON.stringify([input, fast?.data, fast?.error?.issues])).toBe(
          JSON.stringify([input, plain?.data, plain?.error?.issues]),
        );
        cases[name] += 1;
      }
    }
    expect(Math.min(...Object.values(cases))).toBeGreaterThan(100);
  });
});
