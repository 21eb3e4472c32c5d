import { addLine, lineForProduct, type Terminal } from "@comanda/terminal";
import type { OrderType } from "@comanda/protocol";
import { beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { freeTable } from "../support/orders.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { restaurant, fresh, startTerminal, wireToHub } = useRestaurant({ HUB_HEARTBEAT_MS: "1000" });

beforeAll(async () => {
  const init = { method: "POST", body: JSON.stringify({ rounding: "order" }) };
  await restaurant().stub("/stub/v1/rounding", { ...init, headers: { "content-type": "application/json" } });
  // The hub loads its configuration at its start.
  await restaurant().killHub();
  await restaurant().startHub();
});

let lines = 0;

/** Returns a line of a product of which a dozen together cost a different amount than one by one. */
function oddLine(terminal: Terminal, orderType: OrderType = "dine_in") {
  const menu = terminal.menu();
  const [product] = menu?.products ?? [];
  if (menu === null || product === undefined) throw new Error("the menu was not read");
  return lineForProduct({ ...product, price: 10.05 }, menu, { lineId: `line ${(lines += 1)}`, orderType });
}

const totalOf = (terminal: Terminal, posReference: string) => terminal.order(posReference)?.snapshot.totals.total;
const roundingOf = (terminal: Terminal, posReference: string) =>
  terminal.order(posReference)?.snapshot.adjustments?.filter(({ kind }) => kind === "rounding");

it("a terminal rounds every check as a whole, also one that two terminals changed together [CLIENT-141] [CLIENT-142]", async () => {
  const wire = await wireToHub();
  const [one, other] = [
    await startTerminal({ url: wire.url, httpUrl: restaurant().hubUrl }),
    await startTerminal({ httpUrl: restaurant().hubUrl }),
  ];
  for (const terminal of [one, other]) expect((await terminal.loadMenu()).rounding).toBe("order");
  const posReference = fresh("POS/A");
  const dozen = Array.from({ length: 11 }, () => oddLine(one));
  one.openOrder({ posReference, ...dozen.reduce(addLine, { orderType: "dine_in", tableId: freeTable() }) });
  await one.idle();
  await eventually(() => other.order(posReference)?.version).toBe(1);
  expect(roundingOf(other, posReference)).toHaveLength(1);

  wire.fromTerminal = () => "cut";
  wire.cut();
  for (let more = 0; more < 7; more += 1) one.editOrder(posReference, (content) => addLine(content, oddLine(one)));
  for (let more = 0; more < 15; more += 1) other.editOrder(posReference, (content) => addLine(content, oddLine(other)));
  const takeaway = fresh("POS/B");
  other.openOrder({ posReference: takeaway, orderType: "takeout", tableId: null, lines: [] });
  other.moveLines(posReference, takeaway, [{ lineId: dozen[0]?.id ?? "" }]);
  await other.idle();
  wire.fromTerminal = () => "pass";
  await one.idle();
  await eventually(() => other.seq() - one.seq()).toBe(0);

  expect([one.conflicts(), other.conflicts()]).toEqual([[], []]);
  expect(one.order(posReference)?.snapshot.lines).toHaveLength(11 + 7 + 15 - 1);
  expect(one.order(posReference)?.snapshot.totals).toEqual(other.order(posReference)?.snapshot.totals);
  const each = { dine_in: exactPrice(one, "dine_in"), takeout: exactPrice(one, "takeout") };
  expect(totalOf(one, posReference)).toBeCloseTo(32 * each.dine_in, 1);
  expect(Math.abs((totalOf(one, posReference) ?? 0) - 32 * each.dine_in)).toBeLessThan(0.01);
  expect(Math.abs((totalOf(one, takeaway) ?? 0) - each.takeout)).toBeLessThan(0.01);
});

/** Returns 10.05 plus the taxes of the order type, before any rounding. */
function exactPrice(terminal: Terminal, orderType: OrderType): number {
  const menu = terminal.menu();
  const taxIds = menu?.products[0]?.taxIds ?? [];
  const taxes = menu?.taxes.filter(({ id, orderTypes }) => taxIds.includes(id) && orderTypes.includes(orderType)) ?? [];
  expect(taxes.some(({ included }) => included)).toBe(false);
  return taxes.reduce((sum, { rate }) => sum + (10.05 * rate) / 100, 10.05);
}
