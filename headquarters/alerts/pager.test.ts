import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../db/open.ts";
import { testFolder } from "../test/test-folder.ts";
import { realWorld } from "../world.ts";
import { createPager, type Page } from "./pager.ts";

/** Not a round number, so that the pager's pauses are recognized among all timers. */
const EVERY_MS = 53;

/** Starts a paging service that answers with `status`. */
async function startService() {
  const service = { status: 200, refuses: "", received: [] as [text: string, isOver: boolean][], refused: 0, url: "" };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const page = JSON.parse(body) as Page;
      const status = service.refuses === page.text ? 422 : service.status;
      if (status === 200) service.received.push([page.text, page.clearedAt !== null]);
      else service.refused += 1;
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return service;
}

it("a paging alert and its end are posted once each, also after a failed post or a restart [HQ-148]", async () => {
  const database = await openDatabase({ url: null, dataDir: await testFolder() });
  onTestFinished(() => database.close());
  const service = await startService();
  const world = realWorld(pino({ level: "silent" }));
  const start = () => {
    const pager = createPager({ database, url: service.url, chainName: "Cadena", everyMs: EVERY_MS }, world);
    pager.start();
    onTestFinished(() => pager.stop());
    return pager;
  };
  const open = (key: string, severity: string) =>
    database.query("INSERT INTO alerts (key, kind, severity, since) VALUES ($1, $1, $2, now())", [key, severity]);
  const clear = (key: string) => database.query("UPDATE alerts SET cleared_at = now() WHERE key = $1", [key]);
  const expectReceived = (list: [string, boolean][]) =>
    vi.waitFor(() => expect(service.received).toEqual(list), { timeout: 20_000 });

  await open("disk", "page");
  await open("kitchenLate", "warn");
  await open("short", "page");
  await clear("short");
  const first = start();
  await expectReceived([["Cadena: disk", false]]);
  service.status = 500;
  await clear("disk");
  await vi.waitUntil(() => service.refused > 0, { timeout: 20_000 });
  await first.stop();
  service.status = 200;
  await open("hole", "page");
  start();
  const all: [string, boolean][] = [
    ["Cadena: disk", false],
    ["Cadena: disk (ended)", true],
    ["Cadena: hole", false],
  ];
  await expectReceived(all);
  await database.query("UPDATE alerts SET severity = 'page' WHERE key = 'kitchenLate'");
  await expectReceived([...all.slice(0, 3), ["Cadena: kitchenLate", false]]);
});

it("an alert that the service refuses for its content is retried later, and the others are posted [HQ-226]", async () => {
  const database = await openDatabase({ url: null, dataDir: await testFolder() });
  onTestFinished(() => database.close());
  const service = await startService();
  service.refuses = "Cadena: disk";
  let later = 0;
  const world = { ...realWorld(pino({ level: "silent" })), now: () => Date.now() + later };
  await database.query("INSERT INTO alerts (key, kind, severity, since) VALUES ('disk', 'disk', 'page', now())");
  await database.query("INSERT INTO alerts (key, kind, severity, since) VALUES ('hole', 'hole', 'page', now())");
  const pager = createPager({ database, url: service.url, chainName: "Cadena", everyMs: EVERY_MS }, world);
  pager.start();
  onTestFinished(() => pager.stop());
  await vi.waitFor(() => expect(service.received).toEqual([["Cadena: hole", false]]), { timeout: 20_000 });
  expect(service.refused).toBe(1);
  service.refuses = "";
  later = 300_001;
  await vi.waitFor(() => expect(service.received).toHaveLength(2), { timeout: 20_000 });
});

it("an earlier failure does not delay the next alert once nothing is left to post [HQ-148]", async () => {
  const database = await openDatabase({ url: null, dataDir: await testFolder() });
  onTestFinished(() => database.close());
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const pauses = () =>
    timers.mock.calls.flatMap(([, ms = 0]) => ([1, 2, 4].includes(ms / EVERY_MS) ? [ms / EVERY_MS] : []));
  const service = await startService();
  service.status = 500;
  const open = (key: string) =>
    database.query("INSERT INTO alerts (key, kind, severity, since) VALUES ($1, $1, 'page', now())", [key]);
  await open("disk");
  const pager = createPager(
    { database, url: service.url, chainName: "Cadena", everyMs: EVERY_MS },
    realWorld(pino({ level: "silent" })),
  );
  pager.start();
  onTestFinished(() => pager.stop());
  await vi.waitUntil(() => pauses().includes(4), { timeout: 20_000 });
  await database.query("UPDATE alerts SET cleared_at = now()");
  service.status = 200;
  await vi.waitUntil(() => pauses().at(-1) === 1, { timeout: 20_000 });
  await open("hole");
  await vi.waitFor(() => expect(service.received).toEqual([["Cadena: hole", false]]), { timeout: 20_000 });
});
