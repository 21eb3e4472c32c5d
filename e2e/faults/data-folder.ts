import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openRestaurant, type Place, type Restaurant } from "../support/restaurant.ts";
import type { Since } from "@comanda/protocol";
import { withDeadline } from "./deadline.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { postJson, readHub, signInTerminal, type HubView, type Tokens } from "./read-hub.ts";
import { createRandom, type Random } from "./random.ts";
import { until } from "../../hub/test/until.ts";
import { workCheck, type CheckEnd } from "./work-check.ts";

/** A running back-office and hub with tokens for them, and the folder of its data file. */
export interface Bench {
  restaurant: Restaurant;
  tokens: Tokens;
  apiKey: string;
  data: string;
  /** Settings of a hub whose data file lies in another folder. */
  envOn(folder: string): Record<string, string>;
  /** Whether the back-office takes what is forwarded. */
  takeForwards(isTaking: boolean): Promise<void>;
}

export const DATA_FILE = "hub.sqlite";
/** No limit of the integration API may stand in the way of a probe. */
const QUIET = {
  HUB_LOG_LEVEL: "error",
  HUB_EXTERNAL_RATE_MAX: "100000",
  HUB_EXTERNAL_KEY_RATE_MAX: "100000",
  HUB_FORWARD_INTERVAL_MS: "200",
};

export async function openBench(
  more: (place: Place & { data: string }) => Record<string, string> = () => ({}),
): Promise<Bench> {
  let data = "";
  const restaurant = await openRestaurant((place) => {
    data = join(place.folder, "data");
    mkdirSync(data);
    return { ...QUIET, HUB_DB_PATH: join(data, DATA_FILE), ...more({ ...place, data }) };
  });
  const tokens = { cashier: await restaurant.token("cashier"), manager: await restaurant.token("manager") };
  const key = { label: "Fault tests", scopes: ["read", "orders:write"] };
  const headers = { authorization: `Bearer ${tokens.manager}` };
  const { token: apiKey } = await postJson<{ token: string }>(`${restaurant.hubUrl}/external-keys`, headers, key);
  return {
    restaurant,
    tokens,
    apiKey,
    data,
    envOn: (folder) => ({
      ...QUIET,
      HUB_DB_PATH: join(folder, DATA_FILE),
      HUB_HOST: "127.0.0.1",
      HUB_HTTP_PORT: "0",
      HUB_MDNS_ENABLED: "false",
      ERP_URL: restaurant.backOfficeUrl,
    }),
    async takeForwards(isTaking) {
      const unavailable = { action: "status", status: 503, body: {} };
      const faults = ["*/hub/batch-sync", "*/hub/finalize"].map((path) => ({ path, ...unavailable }));
      await restaurant.stub("/stub/v1/faults", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ faults: isTaking ? [] : faults }),
      });
    },
  };
}

/** Works so many checks at the restaurant's hub, some at the same time, and some orders through the integration API. */
export async function fill(
  bench: Bench,
  input: { ledger: Ledger; name: string; checks: number; random: Random; mark?: () => number },
): Promise<void> {
  const { ledger, name, checks, random, mark = () => 0 } = input;
  const url = bench.restaurant.hubUrl;
  const ends: CheckEnd[] = ["open", "sent", "paid", "paid", "discarded"];
  // Each check has a chance of its own: which of them is worked first is not ours to decide.
  const work = Array.from({ length: checks }, (_, i) => {
    const own = createRandom(`${name}/${i}/${random.next()}`);
    return { posReference: `${name}/${i}`, end: own.pick(ends), random: own };
  });
  const worker = async (index: number): Promise<void> => {
    const terminal = await signInTerminal(url, bench.tokens.cashier, { deviceId: `till-${index}` });
    for (let check = work.shift(); check !== undefined; check = work.shift()) {
      await withDeadline(`the work on ${check.posReference}`, workCheck(terminal, { ...check, ledger, mark }));
      if (check.random.chance(0.2)) ledger.created.push({ ...(await createOrder(url, bench.apiKey)), mark: mark() });
    }
    terminal.close();
  };
  await Promise.all([0, 1, 2].map(worker));
}

/** An order through the integration API; throws unless the answer is 201. */
export async function createOrder(
  url: string,
  apiKey: string,
): Promise<{ posReference: string; ticketNumber: string | null }> {
  const order = {
    orderType: "takeout",
    lines: [{ productId: "101", quantity: 1, unitPrice: 118, total: 118 }],
    totals: { subtotal: 100, tax: 18, total: 118 },
  };
  type Created = { posReference: string; snapshot: { ticketNumber?: string } };
  const created = await postJson<Created>(`${url}/external/v1/orders`, { "x-api-key": apiKey }, order);
  return { posReference: created.posReference, ticketNumber: created.snapshot.ticketNumber ?? null };
}

/** A data folder as it lay on the disk at some moment, with what its hub had acknowledged. */
export interface Prepared {
  name: string;
  folder: string;
  /** The same folder earlier on. */
  older: string;
  ledger: Ledger;
  /** What an undamaged start shows. */
  golden: HubView;
  /** What the terminals had seen when the hub ended. */
  since: Since;
}

/** The same evening twice: ended by SIGKILL, with the last part of it in the WAL, and ended cleanly after that. */
export async function prepareFolders(bench: Bench, to: string, random: Random, checks: number): Promise<Prepared[]> {
  const { restaurant, tokens, data } = bench;
  const ledger = createLedger();
  const copy = (name: string): string => {
    cpSync(data, join(to, name), { recursive: true });
    return join(to, name);
  };
  await fill(bench, { ledger, name: "early", checks: Math.ceil(checks / 2), random });
  await forwarded(bench);
  await bench.takeForwards(false);
  await postJson(`${restaurant.hubUrl}/operator/v1/backups`, { authorization: `Bearer ${tokens.manager}` }, {});
  await restaurant.hub().stop();
  const older = copy("older");
  await restaurant.startHub();
  await fill(bench, { ledger, name: "late", checks: Math.floor(checks / 2), random });
  const atKill = await readHub(restaurant.hubUrl, tokens);
  await restaurant.killHub();
  const unclean = copy("unclean");
  await restaurant.startHub();
  const atStop = await readHub(restaurant.hubUrl, tokens);
  await restaurant.hub().stop();
  const clean = copy("clean");
  const sinceOf = ({ hello, seq }: HubView): Since => ({ hubId: hello.hubId, epoch: hello.epoch, seq });
  return [
    { name: "unclean", folder: unclean, older, ledger, golden: atKill, since: sinceOf(atKill) },
    { name: "clean", folder: clean, older, ledger, golden: atStop, since: sinceOf(atStop) },
  ];
}

/** Resolves when the back-office has everything. */
export async function forwarded(bench: Bench): Promise<void> {
  const { hubUrl } = bench.restaurant;
  const isDone = async (): Promise<boolean> => {
    const { forward } = await readHub(hubUrl, bench.tokens);
    return [...forward.values()].every((state) => state === "done");
  };
  await until("everything is forwarded", isDone, 30_000);
}
