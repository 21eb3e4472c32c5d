import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { OperatorTicket } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { compareDishes, compareMoney, compareNumbers, type AuditEvent, type StubOrder } from "./reconcile.ts";

function startDemo(args: string[], env: Record<string, string> = {}) {
  const program = join(import.meta.dirname, "main.ts");
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, DEMO_SPEED: "20", ...env },
    stdio: "pipe",
  });
}

async function runDemo(args: string[], env?: Record<string, string>) {
  const child = startDemo(args, env);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: child.exitCode, out, error };
}

async function expectReconciled(args: string[], sign: RegExp): Promise<void> {
  const { code, out, error } = await runDemo(args);
  expect([code, error], out).toEqual([0, ""]);
  expect(out).toMatch(sign);
  expect(out).toMatch(/API key +hub_/);
  expect(out).toMatch(/terminal +http:\S+\/terminal\/ /);
  expect(out).toMatch(/PINs: waiter \d{4}/);
  expect(out).toMatch(/receipt B01/);
  expect(out).toMatch(/discards /);
  expect(out).toMatch(/splits /);
  expect(out).toMatch(/till +takes the rest/);
  expect(out).toMatch(/merges /);
  expect(out).toMatch(/bar +shows /);
  expect(out).toMatch(/to the kitchen, paid already/);
  expect(out).toMatch(/on the account of Hotel/);
  expect(out).toMatch(/credit note B04\d{8}/);
  expect(out).toMatch(/numbers left: B01 \d+/);
  expect(out).toMatch(/RECONCILED/);
}

describe("npm run demo", () => {
  it("the demo reconciles with the hub killed", () => expectReconciled(["--kill-hub"], /hub +started again/));

  it.each([
    ["undisturbed", [], /Luis is back in the Wi-Fi/],
    ["with the back-office killed", ["--kill-backoffice"], /back-office started again/],
  ])("the demo reconciles %s", { tags: "long" }, (_name, args, sign) => expectReconciled(args, sign));

  it("the demo reconciles three restaurants with their headquarters", { timeout: 300_000, tags: "long" }, async () => {
    const { code, out, error } = await runDemo(["--chain"]);
    expect([code, error], out).toEqual([0, ""]);
    expect(out).toMatch(/Santiago is away/);
    expect(out).toMatch(/Punta Cana +is brought back from the backup/);
    expect(out).toMatch(/RECONCILED: headquarters/);
  });

  it("the demo stops its programs on SIGTERM", async () => {
    const demo = startDemo([]);
    let out = "";
    const { promise: hubUrl, resolve } = Promise.withResolvers<string>();
    demo.stdout.setEncoding("utf8").on("data", (more: string) => {
      out += more;
      const [, url] = /^listening on (http:\S+)$/m.exec(out) ?? [];
      if (url !== undefined) resolve(url);
    });
    const url = await hubUrl;
    expect((await fetch(new URL("/health", url))).status).toBe(200);
    demo.kill("SIGTERM");
    await once(demo, "exit");
    expect(demo.exitCode).toBe(0);
    await eventually(() =>
      fetch(new URL("/health", url)).then(
        () => "up",
        () => "down",
      ),
    ).toBe("down");
  });

  it.each([
    [["--dance"], {}, /--dance is no option/],
    [[], { DEMO_SPEED: "fast" }, /DEMO_SPEED is "fast", but must be/],
  ])("the demo refuses the arguments %j with the environment %j", async (args, env, sentence) => {
    const { code, error } = await runDemo(args, env);
    expect(code).toBe(1);
    expect(error).toMatch(sentence);
  });
});

describe("compareMoney", () => {
  const ledger = new Map([["A", 10.1]]);
  const paid: StubOrder = { posReference: "A", status: "paid", ncf: null, total: 10.1 };
  const audit: AuditEvent = { type: "hub_finalize", posReference: "A" };

  it("compareMoney reports nothing when the back-office matches the ledger", () => {
    expect(compareMoney(ledger, [paid], [audit])).toEqual([]);
  });

  it.each([
    ["a missing order", [], [], /A is in the back-office 0 times/],
    ["a doubled order", [paid, paid], [audit], /A is in the back-office 2 times/],
    ["a second finalization", [paid], [audit, audit], /A was finalized 2 times/],
    ["another total", [{ ...paid, total: 10.11 }], [audit], /the till took 10.1, the back-office has 10.11/],
    ["an order that nobody paid", [paid, { ...paid, posReference: "B" }], [audit], /has B, which nobody paid/],
  ])("compareMoney reports %s", (_name, orders, events, difference) => {
    expect(compareMoney(ledger, orders, events).join("\n")).toMatch(difference);
  });
});

describe("compareNumbers", () => {
  const receipts = new Map([["A", "B02"]]);
  const paid: StubOrder[] = [{ posReference: "A", status: "paid", ncf: "B0200000001", total: 1 }];
  const number = { ncf: "B0200000001", type: "B02", posReference: "A", state: "used" } as const;

  it("compareNumbers reports nothing when every receipt has its number", () => {
    expect(compareNumbers(receipts, [number], paid)).toEqual([]);
  });

  it.each([
    ["a missing number", [], paid, /A has 0 fiscal numbers/],
    ["a second number", [number, { ...number, ncf: "B0200000002" }], paid, /A has 2 fiscal numbers/],
    ["a number of another type", [{ ...number, type: "B01" }], paid, /not one of B02/],
    ["a number that was never used", [{ ...number, state: "reserved" as const }], paid, /is reserved/],
    ["an order without its number", [number], [{ ...paid[0]!, ncf: null }], /with no number, and holds B02/],
    [
      "a number that nobody requested",
      [number, { ...number, posReference: "B" }],
      paid,
      /given to B, which asked for none/,
    ],
  ])("compareNumbers reports %s", (_name, numbers, orders, difference) => {
    expect(compareNumbers(receipts, numbers, orders).join("\n")).toMatch(difference);
  });
});

describe("compareDishes", () => {
  const orders = [{ snapshot: { lines: [{ id: "1", sentQuantity: 2 }] } }] as unknown as LocalOrder[];

  it("compareDishes reports nothing when every sent dish was cooked", () => {
    expect(compareDishes(orders, [ticketWith({})])).toEqual([]);
  });

  it.each([
    ["a dish on no ticket", orders, [], /1: 2 were sent, 0 are on tickets/],
    ["a dish on two tickets", orders, [ticketWith({}), ticketWith({})], /1: 2 were sent, 4 are on tickets/],
    ["a dish of no check", [], [ticketWith({})], /1: 0 were sent, 2 are on tickets/],
    ["a dish that was never cooked", orders, [ticketWith({ preparedQuantity: 1 })], /1 Sopa of A never came out/],
  ])("compareDishes reports %s", (_name, checks, tickets, difference) => {
    expect(compareDishes(checks, tickets).join("\n")).toMatch(difference);
  });

  function ticketWith(fields: object) {
    const line = { lineId: "1", name: "Sopa", quantity: 2, preparedQuantity: 2, cancelledQuantity: 0, ...fields };
    return { posReference: "A", lines: [line] } as unknown as OperatorTicket;
  }
});
