import { Catalogue, type ItemState, LossPage, restaurantClock, SalesReport } from "@comanda/protocol";
import { toCents } from "@comanda/rules";
import type { Terminal } from "@comanda/terminal";
import { callOperator } from "../../support/call-operator.ts";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online, openRestaurant, type Restaurant } from "../../support/restaurant.ts";
import { DEMO_PREFIX } from "../demo-prefix.ts";
import type { DemoOptions } from "../options.ts";
import { createStage, type Stage } from "../stage.ts";
import { untilAcknowledged } from "../until-acknowledged.ts";
import { type Headquarters, openHeadquarters } from "./open-headquarters.ts";

const NAMES = ["Zona Colonial", "Santiago", "Punta Cana"] as const;
const CASH = 1;
/** Prices of a check's lines. The party's number decides how many lines there are, so that no two restaurants take the same. */
const PRICES = [350, 125.5, 89.99, 640] as const;

/** A restaurant of the chain with its till, and the payments taken at the till. */
interface Site {
  name: string;
  id: string;
  publicKey: string;
  restaurant: Restaurant;
  till: Terminal;
  /** Number of the last party, which decides what the party eats. Each restaurant starts at a different number. */
  parties: number;
  ledger: Map<string, number>;
}

/**
 * Runs three restaurants and their headquarters: one loses its connection during the evening, one is restored from a backup,
 * and a dish is taken off the menu everywhere. Returns every difference found at the end. Stops everything that it started.
 */
export async function runChain(options: Pick<DemoOptions, "speed" | "stay">): Promise<string[]> {
  const stage = createStage(options.speed);
  const headquarters = await openHeadquarters();
  const sites: Site[] = [];
  try {
    stage.log("demo", `headquarters  ${headquarters.url}   (sign in as ${headquarters.owner.login})`);
    stage.log("demo", `              password ${headquarters.owner.password}`);
    for (const [index] of NAMES.entries()) sites.push(await openSite(index, { headquarters, stage }));
    const [colonial, santiago, puntaCana] = sites;
    if (colonial === undefined || santiago === undefined || puntaCana === undefined) throw new Error("no chain");

    await Promise.all(sites.map((site) => serve(site, stage, 6)));
    await untilComplete(headquarters, sites, stage);

    headquarters.line.cut(santiago.publicKey);
    stage.log("network", "Santiago has lost its line, and works on");
    await backUp(puntaCana, stage);
    await Promise.all(sites.map((site) => serve(site, stage, 4)));
    await stage.until("headquarters to miss Santiago", async () => {
      const { restaurants } = await headquarters.now();
      return restaurants.some(({ id, presence }) => id === santiago.id && presence !== "online") || undefined;
    });
    stage.log("headquarters", "says that Santiago is away, and since when");
    const dish = await dishOf(colonial);
    const proposalId = await headquarters.propose(
      { kind: "stock", title: "No hay", policy: "apply", items: [{ key: dish, want: { state: "out" } }] },
      sites.map(({ id }) => id),
    );
    await untilApplied(proposalId, [colonial, puntaCana], { headquarters, stage });
    stage.log("headquarters", "has a dish taken off at two restaurants; Santiago cannot be reached");

    await restore(puntaCana, stage);
    headquarters.line.restore(santiago.publicKey);
    stage.log("network", "Santiago is back");
    await untilApplied(proposalId, sites, { headquarters, stage });
    await stage.until(
      "the dish to be off at all three",
      async () => (await soldOut(dish, sites)).every(Boolean) || undefined,
    );
    stage.log("headquarters", "has it off at all three, also where the backup knew nothing of it");
    await untilApplied(await headquarters.undo(proposalId), sites, { headquarters, stage });
    if ((await soldOut(dish, sites)).some(Boolean)) throw new Error("the dish is still off somewhere");
    stage.log("headquarters", "takes that back: it is sold again");
    await Promise.all(sites.map((site) => serve(site, stage, 3)));
    await untilComplete(headquarters, sites, stage);

    const differences = (await Promise.all(sites.map((site) => compare(headquarters, site, stage)))).flat();
    if (differences.length === 0) {
      stage.log("closing", "RECONCILED: headquarters have every check of every restaurant, to the cent");
    }
    if (options.stay) {
      stage.log("demo", "everything keeps running; Ctrl-C ends it");
      await new Promise(() => {});
    }
    return differences;
  } finally {
    await Promise.allSettled(sites.map(({ restaurant }) => restaurant.close()));
    await headquarters.close();
  }
}

async function openSite(
  index: number,
  { headquarters, stage }: { headquarters: Headquarters; stage: Stage },
): Promise<Site> {
  const name = NAMES[index] ?? "";
  const restaurant = await openRestaurant({ HUB_NAME: name, HUB_FORWARD_INTERVAL_MS: "500" });
  const { id, code } = await headquarters.addRestaurant(name);
  await operator(restaurant, "POST", "chain", { address: headquarters.url, code });
  const publicKey = await stage.until(`${name} at headquarters`, () => headquarters.line.keys()[index]);
  const till = await restaurant.terminal("till", { login: "cashier" });
  await online(till);
  stage.log(name, `is one of the chain; its hub is at ${restaurant.hubUrl}`);
  return { name, id, publicKey, restaurant, till, parties: index, ledger: new Map() };
}

/** Serves `parties` parties; every fifth check is discarded, the others are paid. */
async function serve(site: Site, stage: Stage, parties: number): Promise<void> {
  const { name, till, ledger } = site;
  for (let party = 0; party < parties; party += 1) {
    const number = (site.parties += 1);
    const posReference = `${DEMO_PREFIX}${name}/${number}`;
    const lines = PRICES.slice(0, 1 + (number % PRICES.length)).map((price, n) =>
      lineOf(`${posReference}/${n}`, price),
    );
    await untilAcknowledged(till.openOrder(newOrder(posReference, lines)));
    await untilAcknowledged(till.sendToKitchen(posReference));
    await stage.pause(1);
    if (number % 5 === 0) {
      await untilAcknowledged(till.discardOrder(posReference, "se fueron"));
      continue;
    }
    const total = till.order(posReference)?.snapshot.totals.total ?? 0;
    await untilAcknowledged(till.pay(posReference, { payments: [{ methodId: CASH, amount: total }] }));
    ledger.set(posReference, total);
  }
  stage.log(name, `has served ${parties} more parties`);
}

async function backUp({ name, restaurant }: Site, stage: Stage): Promise<void> {
  await operator(restaurant, "POST", "backups");
  stage.log(name, "makes a backup");
}

/** Restores the hub from its backup; then a manager takes over the lost checks, which the till still has. */
async function restore({ name, restaurant, till }: Site, stage: Stage): Promise<void> {
  const { backups } = (await operator(restaurant, "GET", "backups")) as { backups: { name: string; kind: string }[] };
  const backup = backups.find(({ kind }) => kind === "manual");
  if (backup === undefined) throw new Error("there is no backup");
  const before = till.seq();
  await operator(restaurant, "POST", `backups/${backup.name}/restore`, { confirm: backup.name });
  stage.log(name, "is brought back from the backup, and lacks what came after it");
  await stage.until(
    "the till at the restored hub",
    () => till.connection().name !== "online" || till.seq() < before || undefined,
  );
  await online(till);
  await stage.until("every lost check to be taken over", async () => {
    await operator(restaurant, "POST", "losses/take-over", {}).catch(() => null);
    const page = await operator(restaurant, "GET", "losses").catch(() => null);
    const losses = LossPage.safeParse(page);
    return (
      (losses.success && losses.data.restores.length > 0 && losses.data.open === 0 && losses.data.unasked === 0) ||
      undefined
    );
  });
  stage.log(name, "has taken over what its till still had");
}

/** Waits until headquarters' figures are current for every restaurant and include every paid check. */
async function untilComplete(headquarters: Headquarters, sites: readonly Site[], stage: Stage): Promise<void> {
  await stage.until("headquarters to have everything", async () => {
    const { coverage } = await headquarters.now();
    if (coverage.current < sites.length) return undefined;
    const counts = await Promise.all(
      sites.map(async ({ id, restaurant }) => (await headquarters.sales(id, await daysOf(restaurant))).totals.checks),
    );
    return sites.every(({ ledger }, n) => counts[n] === ledger.size) || undefined;
  });
}

async function compare(headquarters: Headquarters, site: Site, stage: Stage): Promise<string[]> {
  const { name, id, restaurant, ledger } = site;
  const { totals } = await headquarters.sales(id, await daysOf(restaurant));
  const hubTotals = SalesReport.parse(await operator(restaurant, "GET", "sales")).totals;
  const takings = [...ledger.values()].reduce((cents, total) => cents + toCents(total), 0);
  const amounts = { headquarters: toCents(totals.paid), hub: toCents(hubTotals.paidAmount), till: takings };
  stage.log(
    "closing",
    `${name}: the till took ${takings / 100}, headquarters have ${totals.paid} in ${totals.checks} checks`,
  );
  return Object.entries(amounts).flatMap(([source, cents]) =>
    cents === takings && totals.checks === ledger.size
      ? []
      : [`${name}: ${source} has ${cents / 100}, the till took ${takings / 100}`],
  );
}

/** Waits until exactly these restaurants have reported to headquarters that they applied the proposal. */
async function untilApplied(
  proposalId: string,
  sites: readonly Site[],
  { headquarters, stage }: { headquarters: Headquarters; stage: Stage },
): Promise<void> {
  await stage.until(`${sites.length} restaurants to have applied it`, async () => {
    const { restaurants } = await headquarters.proposal(proposalId);
    const applied = restaurants.filter(({ state }) => state === "applied").map(({ id }) => id);
    return (
      applied.toSorted().join() ===
        sites
          .map(({ id }) => id)
          .toSorted()
          .join() || undefined
    );
  });
}

/** Returns a dish of the menu, which is the same in all restaurants. */
async function dishOf({ restaurant }: Site): Promise<string> {
  const { products } = Catalogue.parse(await operator(restaurant, "GET", "catalogue"));
  return Object.keys(products)[0] ?? "";
}

/** Returns for each restaurant whether the dish is sold out. */
function soldOut(dish: string, sites: readonly Site[]): Promise<boolean[]> {
  return Promise.all(
    sites.map(async ({ restaurant }) => {
      const { itemStates } = (await operator(restaurant, "GET", "item-states")) as { itemStates: ItemState[] };
      return itemStates.some(({ productId, state }) => String(productId) === dish && state === "out");
    }),
  );
}

/** Returns the evening's first and last business day, which differ if a day ends during the evening. */
async function daysOf(restaurant: Restaurant): Promise<{ from: string; to: string }> {
  const { since, asOf, timeZone } = SalesReport.parse(await operator(restaurant, "GET", "sales"));
  const { day } = restaurantClock(timeZone);
  return { from: day(Date.parse(since)), to: day(Date.parse(asOf)) };
}

async function operator(restaurant: Restaurant, method: string, path: string, body?: object): Promise<unknown> {
  const { status, answer } = await callOperator(restaurant, method, path, { body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}
