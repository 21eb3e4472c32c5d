import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { startHubProgram, type HubProgram } from "../support/start-hub-program.ts";
import { openSession, sharedBackOffice } from "../support/start-test-hub.ts";
import { startRealHeadquarters } from "./real-headquarters.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { until } from "../support/until.ts";

/** Starts real headquarters with a restaurant and its enrolment code, and returns the environment for a hub program. */
async function prepare() {
  const headquarters = await startRealHeadquarters();
  onTestFinished(headquarters.stop);
  const backOffice = await sharedBackOffice();
  const folder = mkdtempSync(path.join(tmpdir(), "chain-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ERP_URL: backOffice.url, HUB_HTTP_PORT: "0", HUB_DB_PATH: path.join(folder, "hub.sqlite") };
  const manager = await openSession(backOffice.url, "manager");
  async function callAt(hub: HubProgram, method: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${hub.url}/operator/v1/chain`, {
      method,
      headers: { Authorization: `Bearer ${manager}`, "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
  await headquarters.database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $2, now())", [
    "santiago",
    "Santiago",
  ]);
  const { code } = await headquarters.enrolment.createCode("santiago", "Eva");
  return { headquarters, backOffice, env, callAt, code };
}

it(
  "a hub killed repeatedly in service loses nothing at headquarters and needs one full transfer [CHAIN-5]",
  { timeout: 120_000, tags: "long" },
  async () => {
    const { headquarters, backOffice, env, callAt, code } = await prepare();
    const cashier = await openSession(backOffice.url, "cashier");
    let hub: HubProgram = await startHubProgram(env);
    const call = (method: string, body?: unknown) => callAt(hub, method, body);
    expect(await call("POST", { address: headquarters.url, code })).toMatchObject({ chainName: "Cadena" });

    for (let round = 0; round < 4; round += 1) {
      const terminal = await hub.terminal(cashier, "till");
      for (let n = 0; n < 30; n += 1) {
        const posReference = `R${round}-${n}`;
        const snapshot = terminalSnapshot();
        await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
        if (n % 3 === 0) {
          await terminal.change({
            type: "ORDER_UPSERT",
            posReference,
            baseVersion: 1,
            snapshot: terminalSnapshot({ guestCount: 2 }),
          });
        }
      }
      if (round === 0) await until("it is connected", async () => (await call("GET"))["state"] === "connected", 30_000);
      await hub.end("SIGKILL");
      hub = await startHubProgram(env);
    }
    await until("headquarters have everything", async () => (await call("GET"))["isCurrent"] === true, 60_000);
    await hub.end("SIGTERM");

    const db = new Database(env.HUB_DB_PATH, { readonly: true });
    const here = db
      .prepare<[], string>("SELECT pos_reference || ' ' || version FROM orders ORDER BY pos_reference")
      .pluck()
      .all();
    db.close();
    const rows = await headquarters.database.query<{ posReference: string; version: number; isGone: boolean }>(
      `SELECT pos_reference AS "posReference", version, is_gone AS "isGone" FROM checks
       WHERE restaurant_id = 'santiago' AND NOT is_removed`,
    );
    expect(rows.map(({ posReference, version }) => `${posReference} ${version}`).toSorted()).toEqual(here.toSorted());
    expect(here).toHaveLength(120);
    expect(rows.some(({ isGone }) => isGone)).toBe(false);
    expect(await headquarters.database.query("SELECT * FROM quarantine")).toEqual([]);
    expect(await headquarters.database.query(`SELECT full_id::int AS "fullId" FROM cursors`)).toEqual([{ fullId: 1 }]);
  },
);

it(
  "a hub killed before the enrolment answer enrols with the same code after its start [CHAIN-41]",
  { timeout: 60_000, tags: "long" },
  async () => {
    const { headquarters, env, callAt, code } = await prepare();
    const first = await startHubProgram(env);
    const accepted = Promise.withResolvers<number>();
    // A proxy that passes the request to headquarters and withholds the answer.
    const line = createServer((request, response) => {
      response.on("error", () => undefined);
      void (async () => {
        const answer = await fetch(`${headquarters.url}${request.url}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: await text(request),
        });
        accepted.resolve(answer.status);
      })();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => line.close().closeAllConnections());
    await once(line, "listening");
    const { port } = line.address() as AddressInfo;
    const cutOff = expect(callAt(first, "POST", { address: `http://127.0.0.1:${port}`, code })).rejects.toThrow();
    expect(await accepted.promise).toBe(200);
    await first.end("SIGKILL");
    await cutOff;

    const again = await startHubProgram(env);
    const answer = await callAt(again, "POST", { address: headquarters.url, code });
    expect(answer).toMatchObject({ chainName: "Cadena", restaurantName: "Santiago" });
    const isConnected = async () => (await callAt(again, "GET"))["state"] === "connected";
    await until("it is connected", isConnected, 30_000);
    await again.end("SIGTERM");
  },
);
