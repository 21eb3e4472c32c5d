import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openRestaurant, type Place, type Restaurant } from "../support/restaurant.ts";
import { withTimeout } from "../support/with-timeout.ts";
import type { WrittenOrder } from "@comanda/protocol";
import type { Created, Ledger } from "./ledger.ts";
import { createPreload, type Preload } from "./preload.ts";
import { createRandom, type Random } from "./random.ts";
import { postJson, signInTerminal, type Tokens } from "./read-hub.ts";
import { workCheck, type CheckEnd } from "./work-check.ts";

/** A running back-office and hub, with tokens for them and the path of the hub's data folder. */
export interface TestBed {
  restaurant: Restaurant;
  tokens: Tokens;
  apiKey: string;
  data: string;
  /** Returns settings for a hub whose data file is in another folder. */
  envOn(folder: string): Record<string, string>;
  /** Sends a POST as a manager to the restaurant's hub. */
  post<T>(path: string, body: object): Promise<T>;
  /** Sets whether the back-office accepts forwarded events. */
  acceptForwards(isAccepting: boolean): Promise<void>;
}

export const DATA_FILE = "hub.sqlite";
/** Settings with limits that no probe reaches. */
const QUIET = {
  // Ticket numbers restart by the local day; UTC makes it the day of the timestamps.
  TZ: "UTC",
  HUB_LOG_LEVEL: "error",
  HUB_MUTATION_RATE_MAX: "100000",
  HUB_EXTERNAL_RATE_MAX: "100000",
  HUB_EXTERNAL_KEY_RATE_MAX: "100000",
  HUB_FORWARD_INTERVAL_MS: "200",
};

export async function openTestBed(
  more: (place: Place & { data: string }) => Record<string, string> = () => ({}),
): Promise<TestBed> {
  let data = "";
  const restaurant = await openRestaurant((place) => {
    data = join(place.folder, "data");
    mkdirSync(data);
    return { ...QUIET, HUB_DB_PATH: join(data, DATA_FILE), ...more({ ...place, data }) };
  });
  const tokens = { cashier: await restaurant.token("cashier"), manager: await restaurant.token("manager") };
  const key = { label: "Fault tests", scopes: ["read", "orders:write"] };
  const post = <T>(path: string, body: object): Promise<T> =>
    postJson<T>(`${restaurant.hubUrl}${path}`, { authorization: `Bearer ${tokens.manager}` }, body);
  const { token: apiKey } = await post<{ token: string }>("/external-keys", key);
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
    post,
    async acceptForwards(isAccepting) {
      const unavailable = { action: "status", status: 503, body: {} };
      const faults = ["*/hub/batch-sync", "*/hub/finalize"].map((path) => ({ path, ...unavailable }));
      await postJson(`${restaurant.backOfficeUrl}/stub/v1/faults`, {}, { faults: isAccepting ? [] : faults });
    },
  };
}

/** Opens a test bed whose hub runs with a preload; `own` is a folder for the preload's files. */
export async function openWatchedTestBed(own: string, { log = false } = {}): Promise<TestBed & { preload: Preload }> {
  let preload: Preload | undefined;
  const bed = await openTestBed(({ data }) => {
    preload = createPreload(data, own, { log });
    return preload.env;
  });
  if (preload === undefined) throw new Error("the hub was started without its preload");
  return { ...bed, preload };
}

/** Runs `checks` checks at the restaurant's hub, three at a time, and creates some orders through the integration API. */
export async function fill(
  bed: TestBed,
  input: { ledger: Ledger; name: string; checks: number; random: Random; mark?: () => number },
): Promise<void> {
  const { ledger, name, checks, random, mark = () => 0 } = input;
  const url = bed.restaurant.hubUrl;
  const ends: CheckEnd[] = ["open", "sent", "paid", "paid", "discarded"];
  // Each check has its own random numbers, because the order in which checks run depends on the hub.
  const work = Array.from({ length: checks }, (_, i) => {
    const own = createRandom(`${name}/${i}/${random.next()}`);
    return { posReference: `${name}/${i}`, end: own.pick(ends), random: own };
  });
  const worker = async (index: number): Promise<void> => {
    const terminal = await signInTerminal(url, bed.tokens.cashier, { deviceId: `till-${index}` });
    for (let check = work.shift(); check !== undefined; check = work.shift()) {
      await withTimeout(`the work on ${check.posReference}`, workCheck(terminal, { ...check, ledger, mark }));
      if (check.random.chance(0.2)) ledger.created.push({ ...(await createOrder(url, bed.apiKey)), mark: mark() });
    }
    terminal.close();
  };
  await Promise.all([0, 1, 2].map(worker));
}

/** Creates an order through the integration API; throws unless the answer is 2xx. */
export async function createOrder(url: string, apiKey: string): Promise<Omit<Created, "mark">> {
  const order = {
    orderType: "takeout",
    lines: [{ productId: "101", quantity: 1, unitPrice: 118, total: 118 }],
    totals: { subtotal: 100, tax: 18, total: 118 },
  };
  const { posReference, snapshot } = await postJson<WrittenOrder>(
    `${url}/external/v1/orders`,
    { "x-api-key": apiKey },
    order,
  );
  return { posReference, ticketNumber: `${snapshot.createdAt.slice(0, 10)} ${snapshot.ticketNumber}` };
}
