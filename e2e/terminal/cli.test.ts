import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteStorage } from "@comanda/terminal/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRestaurant, type Restaurant } from "../support/restaurant.ts";

const program = join(import.meta.dirname, "../../clients/terminal/cli/main.ts");
let restaurant: Restaurant;
beforeAll(async () => {
  restaurant = await openRestaurant();
});
afterAll(() => restaurant?.close());

/** Runs the program with these lines as its input. */
async function run(lines: string[], ...more: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const outbox = join(restaurant.folder, "cli.sqlite");
  const args = [
    "--hub",
    restaurant.hubSocketUrl,
    "--backoffice",
    restaurant.backOfficeUrl,
    "--outbox",
    outbox,
    ...more,
  ];
  const child = spawn(process.execPath, [program, ...args], { stdio: "pipe" });
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: child.exitCode, out, error };
}

describe("npm run terminal", () => {
  it("[CLIENT-70] works a check from opening to payment", async () => {
    const tables = await run(["tables"], "--login", "manager");
    const [, table = ""] = /^ *(\d+) {2}Mesa 1 /m.exec(tables.out) ?? [];
    const opened = await run([`open ${table} 2`], "--login", "manager");
    const [posReference = ""] = /POS\/\S+(?=;)/.exec(opened.out) ?? [];
    const lines = [`add ${posReference} pollo 2`, `send ${posReference}`, `checkout ${posReference}`];
    const { code, out, error } = await run(
      [...lines, `pay ${posReference}`, `show ${posReference}`, "conflicts"],
      "--login",
      "manager",
    );
    expect([code, error]).toEqual([0, ""]);
    expect(out).toMatch(/ paid|closed /);
    expect(out).toMatch(/2 × .*pollo.* kitchen 0\/2/);
    expect(out).toMatch(/nothing was refused/);
  });

  it("[CLIENT-48] does not take the money twice", async () => {
    const tables = await run(["tables"], "--login", "manager");
    const [, table = ""] = /^ *(\d+) {2}Mesa 2 /m.exec(tables.out) ?? [];
    const opened = await run([`open ${table}`], "--login", "manager");
    const [posReference = ""] = /POS\/\S+(?=;)/.exec(opened.out) ?? [];
    const { out } = await run(
      [`add ${posReference} pollo`, `pay ${posReference}`, `pay ${posReference}`],
      "--login",
      "manager",
    );
    expect(out).toMatch(new RegExp(`order ${posReference} is (paid|closed)`));
  });

  it("[CLIENT-134] cooks a ticket, and takes a check in parts", async () => {
    const tables = await run(["tables"], "--login", "manager");
    const [, table = ""] = /^ *(\d+) {2}Mesa 3 /m.exec(tables.out) ?? [];
    const opened = await run([`open ${table}`], "--login", "manager");
    const [posReference = ""] = /POS\/\S+(?=;)/.exec(opened.out) ?? [];
    const asManager = ["--login", "manager"];
    const sent = await run([`add ${posReference} pollo 2`, `send ${posReference}`, "tickets"], ...asManager);
    expect(sent.out).toMatch(new RegExp(`${posReference}.*\n +1 +2 × .*pollo.* 0/2 unseen`, "i"));
    const [ticket = ""] = new RegExp(`^\\S{8}(?=.*${posReference})`, "m").exec(sent.out) ?? [];
    const cooked = [`seen ${ticket}`, `ready ${ticket} 1 1`, "tickets", `ready ${ticket} 1`, "tickets all"];
    const paid = [`tender ${posReference} 100`, `show ${posReference}`, `pay ${posReference}`, `show ${posReference}`];
    const { code, out } = await run([...cooked, ...paid, "conflicts"], ...asManager);
    expect(code).toBe(0);
    expect(out).toMatch(/1\/2 started/);
    expect(out).toMatch(new RegExp(`${ticket}.*OVER\n.* 2/2 ready`));
    expect(out).toMatch(/ {2}paid +100\.00/);
    expect(out).toMatch(/ (paid|closed) {2}v/);
    expect(out).toMatch(/nothing was refused/);
  });

  it("[CLIENT-70] reports what it does not understand and continues", async () => {
    const { code, out } = await run(["dance", "show nothing", "orders"]);
    expect(code).toBe(0);
    expect(out).toMatch(/there is no command dance/);
    expect(out).toMatch(/no order ends with nothing/);
  });

  it.each([
    ["an unknown option", ["--dance"], /Unknown option '--dance'/],
    ["a hub that is no address", ["--hub", "http://hub"], /--hub is "http:\/\/hub", but must be/],
    ["a device name", ["--device", "a b"], /--device is "a b", but must be/],
    ["a wrong password", ["--login", "waiter", "--password", "wrong"], /says: /],
    ["a back-office that is not there", ["--backoffice", "http://127.0.0.1:1"], /cannot be reached/],
  ])("[CLIENT-71] refuses %s in one sentence", async (_name, args, sentence) => {
    const { code, error } = await run([], ...args);
    expect(code).toBe(1);
    expect(error).toMatch(sentence);
    expect(error.trim().split("\n").length).toBe(1);
  });

  it("[CLIENT-71] refuses an outbox that another terminal has", async () => {
    const storage = openSqliteStorage(join(restaurant.folder, "taken.sqlite"));
    const { code, error } = await run([], "--outbox", join(restaurant.folder, "taken.sqlite"));
    expect([code, error]).toEqual([1, expect.stringMatching(/in use by another terminal process/)]);
    await storage.close();
  });
});
