import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createHubHttp, type Terminal } from "@comanda/terminal";
import { sum } from "@comanda/rules";
import { openSqliteStorage } from "@comanda/terminal/node";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { startWire, type Wire } from "../support/wire.ts";
import { hireWaiter } from "./floor-staff.ts";
import { openStation, type Station } from "./kitchen.ts";
import { readMenu } from "./menu.ts";
import type { DemoOptions } from "./options.ts";
import { FLOAT, openPaper, type EveningPaper } from "./paper.ts";
import { reconcile } from "./reconcile.ts";
import { runDinnerService } from "./service.ts";
import { createStage, type Stage } from "./stage.ts";
import { openTill } from "./till.ts";

/** Stations of the stand-in's menu categories, with Spanish names for people who join the evening. */
const kitchen = { id: "cocina", name: "Cocina", categoryIds: [1, 2, 3, 5, 6] };
const bar = { id: "bar", name: "Barra", categoryIds: [4] };
const stations: readonly (Station & { name: string; categoryIds: number[] })[] = [kitchen, bar];

/** Runs a dinner service; returns every difference found at its end. Stops everything that it started. */
export async function runDemo(options: DemoOptions): Promise<string[]> {
  const stage = createStage(options.speed);
  const restaurant = await openRestaurant({
    HUB_FORWARD_INTERVAL_MS: "1000",
    HUB_ENABLED_PLUGINS: "reservations",
    HUB_NAME: "Comanda demo",
    HUB_STATIONS: JSON.stringify(stations),
    HUB_UNCHECKED_CREDIT: "50000",
    ...(options.phones ? { HUB_HOST: "0.0.0.0" } : {}),
  });
  const wire = await startWire(restaurant.hubSocketUrl);
  let paper: EveningPaper | null = null;
  try {
    await introduce(restaurant, stage, options);
    const terminals: Terminal[] = [];
    const terminal = async (deviceId: string, login: string, url = restaurant.hubSocketUrl) => {
      const storage = openSqliteStorage(join(restaurant.folder, `${deviceId}.sqlite`));
      const opened = await restaurant.terminal(deviceId, { login, url, storage });
      terminals.push(opened);
      await online(opened);
      return opened;
    };
    const menu = await readMenu(restaurant.backOfficeUrl, await restaurant.token("cashier"));
    const deps = { stage, menu };
    const ana = hireWaiter("Ana", await terminal("ana", "waiter"), deps);
    const luis = hireWaiter("Luis", await terminal("luis", "waiter", wire.url), deps);
    const tillTerminal = await terminal("till", "cashier");
    openStation(await terminal("kitchen", "waiter"), kitchen, stage);
    openStation(await terminal("bar", "waiter"), bar, stage);
    const till = openTill(tillTerminal, deps);
    const stationIds = stations.map(({ id }) => id);
    paper = await openPaper(restaurant, { stage, stations: stationIds, cashier: tillTerminal });

    const incidents = new Map<number, () => Promise<void>>([[2, () => cutNetwork(stage, wire)]]);
    if (options.killHub)
      incidents.set(5, () =>
        killAndRestart(stage, "hub", { seconds: 6, kill: restaurant.killHub, start: restaurant.startHub }),
      );
    if (options.killBackOffice)
      incidents.set(4, () =>
        killAndRestart(stage, "back-office", {
          seconds: 12,
          kill: restaurant.killBackOffice,
          start: restaurant.startBackOffice,
        }),
      );
    const complaint = await runDinnerService({ ...deps, waiters: [ana, luis], till, tillTerminal, incidents });

    const { ledger, receipts } = till;
    await paper.closeShift(sum([FLOAT, till.cash()]));
    const differences = await reconcile(restaurant, { stage, terminals, ledger, receipts, complaint, paper });
    if (differences.length === 0)
      stage.log(
        "closing",
        "RECONCILED: every peso, every dish, every slip and every fiscal number is there exactly once",
      );
    if (options.stay) {
      stage.log("demo", "everything keeps running; Ctrl-C ends it");
      await new Promise(() => {});
    }
    return differences;
  } finally {
    await paper?.stop();
    await wire.close();
    await restaurant.close();
  }
}

/** Kills a program in the middle of the service and starts it again on the same file. */
async function killAndRestart(
  stage: Stage,
  name: string,
  outage: { seconds: number; kill: () => Promise<void>; start: () => Promise<void> },
): Promise<void> {
  await stage.pause(2);
  await outage.kill();
  stage.log(name, "KILLED with SIGKILL");
  await stage.pause(outage.seconds);
  await outage.start();
  stage.log(name, "started again on the same file");
}

async function cutNetwork(stage: Stage, wire: Wire): Promise<void> {
  await stage.pause(1);
  stage.log("network", "Luis walks out of the Wi-Fi");
  wire.fromTerminal = () => "cut";
  wire.cut();
  await stage.pause(14);
  wire.fromTerminal = () => "pass";
  stage.log("network", "Luis is back in the Wi-Fi");
}

async function introduce(restaurant: Restaurant, stage: Stage, { phones }: DemoOptions): Promise<void> {
  const token = await restaurant.token("manager");
  stage.log("demo", `hub          ${restaurant.hubUrl}   (open it in a browser)`);
  stage.log("demo", `back-office  ${restaurant.backOfficeUrl}`);
  stage.log("demo", `manager      sign in as manager, password manager; session ${token}`);
  stage.log("demo", `API key      ${await makeApiKey(restaurant.hubUrl, token)}`);
  for (const url of phones ? networkUrls(restaurant.hubUrl) : [restaurant.hubUrl]) {
    stage.log("demo", `terminal     ${url}/terminal/   (join the evening${phones ? " on a phone" : ""})`);
  }
  await setPins(restaurant);
  const people = Object.entries(pins).map(([login, pin]) => `${login} ${pin}`);
  stage.log(
    "demo",
    `             sign in as waiter, cashier or manager, password the same; PINs: ${people.join(", ")}`,
  );
  console.log(`listening on ${restaurant.hubUrl}`);
}

/** PINs with which a person who has joined can switch users. */
const pins: Readonly<Record<string, string>> = { waiter: "1111", cashier: "2222", manager: "333333" };

async function setPins(restaurant: Restaurant): Promise<void> {
  for (const [login, pin] of Object.entries(pins)) {
    const token = await restaurant.token(login);
    await createHubHttp({ url: restaurant.hubUrl, token: () => token }).setPin(pin);
  }
}

/** Returns the hub's URL for other devices, one for each of this computer's networks. */
function networkUrls(hubUrl: string): string[] {
  const { port } = new URL(hubUrl);
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
  const reachable = addresses.filter(({ family, internal }) => family === "IPv4" && !internal);
  return reachable.map(({ address }) => `http://${address}:${port}`);
}

/** Creates a key for the integration API; returns the key, or the reason why there is none. */
async function makeApiKey(hubUrl: string, token: string): Promise<string> {
  const answer = await fetch(new URL("/external-keys", hubUrl), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ label: "Demo", scopes: ["read", "orders:write", "webhooks:manage", "plugins:write"] }),
  });
  const created = (await answer.json().catch(() => ({}))) as { token?: string; error?: string };
  return created.token ?? `none (${created.error ?? answer.status})`;
}
