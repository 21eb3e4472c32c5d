import { operatorRoutes, type LossPage, type OperatorRouteName } from "@comanda/protocol";
import { addLine, memoryStorage, openTerminal, type Terminal } from "@comanda/terminal";
import { openWsSocket } from "@comanda/terminal/node";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { startBackOfficeInProcess } from "../support/back-office-in-process.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";

let restaurant: Restaurant;
beforeAll(async () => {
  restaurant = await openRestaurant({}, startBackOfficeInProcess);
});
afterAll(() => restaurant?.close());

/** Calls the operator API once as the manager. */
async function call<T>(name: OperatorRouteName, params: Record<string, string> = {}, body?: object): Promise<T> {
  const { method, path } = operatorRoutes[name];
  const address = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  const headers = { authorization: `Bearer ${await restaurant.token("manager")}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(new URL(address, restaurant.hubUrl), { method, headers, ...sent });
  expect(answer.ok, `${name}: ${answer.status}`).toBe(true);
  return (await answer.json()) as T;
}

const losses = () => call<LossPage>("losses");

describe("hub with a restored backup", () => {
  it("a terminal offers what a restored hub lost, and sends its own unsent changes as usual [CLIENT-90]", async () => {
    const [till, tablet] = [await restaurant.terminal("till"), await restaurant.terminal("tablet")];
    await Promise.all([online(till), online(tablet)]);
    till.openOrder(newOrder("POS/1", [lineOf("soup", 350)], 7));
    await till.idle();
    const { backup } = await call<{ backup: { name: string } }>("makeBackup", {}, {});
    till.editOrder("POS/1", (order) => addLine(order, lineOf("beer", 200)));
    till.openOrder(newOrder("POS/2", [lineOf("wine", 400)], 8));
    await till.idle();
    await eventually(() => [tablet.order("POS/1")?.version, tablet.order("POS/2")?.version]).toEqual([2, 1]);
    await call("restoreBackup", { name: backup.name }, { confirm: backup.name });
    await restaurant.killHub();
    // Created while the hub is down: only the till has it.
    till.openOrder(newOrder("POS/3", [lineOf("cake", 150)], 9));
    await restaurant.startHub();
    await eventually(() => till.order("POS/3")?.version).toBe(1);

    await eventually(async () => {
      const { losses: listed } = await losses();
      return listed
        .map(({ posReference, kind, sources }) => [posReference, kind, ...sources.toSorted()].join(" "))
        .toSorted();
    }).toEqual([
      "POS/1 order_older replaced_file terminal:tablet terminal:till",
      "POS/2 order_missing replaced_file terminal:tablet terminal:till",
    ]);
    expect(till.order("POS/1")?.snapshot.lines.map((line) => line.id)).toEqual(["soup"]);
    await call("takeOverLosses", {}, {});
    await eventually(() => till.order("POS/1")?.snapshot.lines.map((line) => line.id)).toEqual(["soup", "beer"]);
    await eventually(() => tablet.order("POS/2")?.snapshot.totals.total).toBe(400);
    till.editOrder("POS/1", (order) => addLine(order, lineOf("tea", 90)));
    await till.idle();
    await eventually(() => tablet.order("POS/1")?.snapshot.totals.total).toBe(640);
    expect([till.conflicts(), (await losses()).open]).toEqual([[], 0]);
    await Promise.all([till.stop(), tablet.stop()]);
  });
});

describe("hub that replaced another", () => {
  it("a terminal proposes its checks to a hub that replaced another, and gets them back when a manager accepts [CLIENT-191, CLIENT-192]", async () => {
    const elsewhere = () => ({ HUB_DB_PATH: join(mkdtempSync(join(restaurant.folder, "former-")), "hub.sqlite") });
    await restaurant.killHub();
    await restaurant.startHub(elsewhere());
    const storage = memoryStorage();
    const [till, tablet] = [await restaurant.terminal("p-till", { storage }), await restaurant.terminal("p-tablet")];
    await Promise.all([online(till), online(tablet)]);
    for (const table of [1, 2, 3]) till.openOrder(newOrder(`OLD/${table}`, [lineOf("soup", 350)], table));
    await till.idle();
    await eventually(() => tablet.orders().length).toBe(3);
    await restaurant.killHub();
    // Another PC takes over at the same address, without the former one's data.
    await restaurant.startHub(elsewhere());
    await eventually(async () => (await losses()).losses.map(({ posReference }) => posReference).toSorted()).toEqual([
      "OLD/1",
      "OLD/2",
      "OLD/3",
    ]);
    const expected = ["OLD/1", "OLD/2", "OLD/3"].map((posReference) => [posReference, "asked"]);
    const statesOf = (terminal: Terminal) =>
      terminal.formerChecks().map(({ posReference, state }) => [posReference, state]);
    await eventually(() => [statesOf(till), statesOf(tablet)]).toEqual([expected, expected]);
    expect(till.orders()).toEqual([]);
    await till.stop();
    const again = await restaurant.terminal("p-till", { storage });
    expect(statesOf(again)).toEqual(expected);
    await online(again);
    await call("takeOverLosses", {}, {});
    await eventually(() => [again.orders().length, tablet.order("OLD/2")?.snapshot.totals.total]).toEqual([3, 350]);
    expect([again.formerChecks(), tablet.formerChecks(), (await losses()).open]).toEqual([[], [], 0]);
    await Promise.all([again.stop(), tablet.stop()]);
    await restaurant.killHub();
    await restaurant.startHub();
  });

  it("a terminal proposes nothing to a hub at another address [CLIENT-191]", async () => {
    const storage = memoryStorage();
    const till = await restaurant.terminal("q-till", { storage });
    await online(till);
    till.openOrder(newOrder("HERE/1", [lineOf("soup", 350)], 11));
    await till.idle();
    await till.stop();
    const other = await openRestaurant({}, startBackOfficeInProcess);
    onTestFinished(other.close);
    const visiting = await openTerminal({
      url: other.hubSocketUrl,
      deviceId: "q-till",
      token: await other.token("manager"),
      openSocket: openWsSocket,
      storage,
    });
    await online(visiting);
    await visiting.idle();
    expect([visiting.formerChecks(), visiting.orders()]).toEqual([[], []]);
    await visiting.stop();
  });
});
