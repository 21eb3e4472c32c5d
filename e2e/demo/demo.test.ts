import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { compareMoney, type AuditEvent, type StubOrder } from "./reconcile.ts";

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

describe("npm run demo", () => {
  it.each([
    ["undisturbed", [], /Luis is back in the Wi-Fi/],
    ["with the hub killed", ["--kill-hub"], /hub +started again/],
    ["with the back-office killed", ["--kill-backoffice"], /back-office started again/],
  ])(
    "reconciles %s",
    async (_name, args, sign) => {
      const { code, out, error } = await runDemo(args);
      expect([code, error], out).toEqual([0, ""]);
      expect(out).toMatch(sign);
      expect(out).toMatch(/API key +hub_/);
      expect(out).toMatch(/receipt B01\d{8}/);
      expect(out).toMatch(/discards /);
      expect(out).toMatch(/splits /);
      expect(out).toMatch(/RECONCILED/);
    },
    60_000,
  );

  it("ends what it started on SIGTERM", async () => {
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
  ])("refuses %j %j", async (args, env, sentence) => {
    const { code, error } = await runDemo(args, env);
    expect(code).toBe(1);
    expect(error).toMatch(sentence);
  });
});

describe("compareMoney", () => {
  const ledger = new Map([["A", 10.1]]);
  const paid: StubOrder = { posReference: "A", status: "paid", ncf: null, total: 10.1 };
  const audit: AuditEvent = { type: "hub_finalize", posReference: "A" };

  it("finds nothing where all is well", () => {
    expect(compareMoney(ledger, [paid], [audit])).toEqual([]);
  });

  it.each([
    ["a missing order", [], [], /A is in the back-office 0 times/],
    ["a doubled order", [paid, paid], [audit], /A is in the back-office 2 times/],
    ["a second finalization", [paid], [audit, audit], /A was finalized 2 times/],
    ["another total", [{ ...paid, total: 10.11 }], [audit], /the till took 10.1, the back-office has 10.11/],
    ["an order that nobody paid", [paid, { ...paid, posReference: "B" }], [audit], /has B, which nobody paid/],
  ])("finds %s", (_name, orders, events, difference) => {
    expect(compareMoney(ledger, orders, events).join("\n")).toMatch(difference);
  });
});
