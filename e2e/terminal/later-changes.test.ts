import {
  changeQuantity,
  discountLine,
  removeLine,
  voidLine,
  type OrderContent,
  type Terminal,
} from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { beers, dishes, insistOnAll, withNote, shareChecks, soup, type Checks } from "../support/share-checks.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const place = useRestaurant({ HUB_HEARTBEAT_MS: "1000", HUB_GRACE_MS: "500" });
const { fresh } = place;

type Act = (terminal: Terminal, checks: Checks) => void;

const edit = (
  change: (content: OrderContent, lineId: string, quantity: number) => OrderContent,
  on: keyof Checks = "check",
): Act => {
  return (terminal, checks) => {
    const lines = terminal.order(checks[on])?.snapshot.lines ?? [];
    const { id = "", quantity = 0 } = lines.find(({ productId }) => productId === "beer") ?? {};
    terminal.editOrder(checks[on], (content) => change(content, id, quantity));
  };
};
const changeBy = (more: number, on?: keyof Checks): Act =>
  edit((content, id, quantity) => changeQuantity(content, id, quantity + more), on);
const note = edit(withNote);
const takeOff = edit(removeLine);
const move = (to: "mine" | "theirs", quantity?: number): Act => {
  return (terminal, checks) => {
    const { id = "" } =
      terminal.order(checks.check)?.snapshot.lines.find(({ productId }) => productId === "beer") ?? {};
    terminal.moveLines(checks.check, checks[to], [{ lineId: id, quantity }]);
  };
};
const split: Act = (terminal, { check }) => {
  const { id = "" } = terminal.order(check)?.snapshot.lines.find(({ productId }) => productId === "beer") ?? {};
  terminal.splitLine(check, id, 1);
};

/** Creates a check with three beers; one device makes the changes `mine` offline while another one makes `theirs`. */
async function both(mine: readonly Act[], theirs: readonly Act[], before: readonly Act[] = []) {
  const shared = await shareChecks(place, [{ ...beers(3), id: fresh("beer") }, soup], (offline, checks) => {
    for (const act of before) act(offline, checks);
  });
  const { offline, connected, checks, reconnect } = shared;
  for (const act of mine) act(offline, checks);
  for (const act of theirs) act(connected, checks);
  await connected.idle();
  await reconnect();
  return shared;
}

const beerOf = (terminal: Terminal, checks: Checks): string[] =>
  dishes(terminal, checks).filter((dish) => dish.includes("beer"));

describe("later changes of a dish that others have changed too", () => {
  it.each<[string, Act[], Act[], string[]]>([
    [
      "moves one and orders one more",
      [move("mine", 1), changeBy(1)],
      [move("theirs", 1)],
      ["check: 2 beer 200", "mine: 1 beer 100", "theirs: 1 beer 100"],
    ],
    [
      "moves one and takes one off",
      [move("mine", 1), changeBy(-1)],
      [move("theirs", 1)],
      ["mine: 1 beer 100", "theirs: 1 beer 100"],
    ],
    [
      "moves all, and orders one more there",
      [move("mine"), changeBy(1, "mine")],
      [move("theirs", 1)],
      ["mine: 3 beer 300", "theirs: 1 beer 100"],
    ],
    [
      "parts them and orders one more",
      [split, changeBy(1)],
      [move("theirs", 1)],
      ["check: 2 beer 200", "check: 1 beer 100", "theirs: 1 beer 100"],
    ],
    [
      "orders one more, as they do, and then one less",
      [changeBy(1), changeBy(-1)],
      [changeBy(1)],
      ["check: 4 beer 400"],
    ],
    ["orders one more, as they do, and writes a note", [changeBy(1), note], [changeBy(1)], ["check: 5 beer 500 cold"]],
  ])(
    "a device that %s loses, doubles and asks nothing after others changed the dish [CLIENT-330]",
    async (_, mine, theirs, expected) => {
      const { offline, connected, checks } = await both(mine, theirs);
      expect(offline.conflicts()).toEqual([]);
      expect(beerOf(connected, checks)).toEqual(expected);
      expect(beerOf(offline, checks)).toEqual(expected);
    },
  );

  it("removing a dish of which others ordered more is a conflict [CLIENT-330] [CLIENT-38]", async () => {
    const { offline, connected, checks } = await both([split, takeOff], [changeBy(1)]);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("CONFLICT");
    expect(beerOf(connected, checks)).toEqual(["check: 3 beer 300", "check: 1 beer 100"]);
  });

  it("ordering more of a moved dish that others voided is a conflict, and insisting orders all of it [CLIENT-330] [CLIENT-38]", async () => {
    const voided = edit((content, id) => voidLine(content, id));
    const { offline, connected, checks } = await both([move("mine"), changeBy(1, "mine")], [voided]);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("CONFLICT");
    await insistOnAll(offline, connected);
    expect(connected.order(checks.mine)?.snapshot.totals.total).toBe(offline.order(checks.mine)?.snapshot.totals.total);
    expect(connected.order(checks.mine)?.snapshot.lines.at(-1)).toMatchObject({ quantity: 4, total: 400 });
  });

  it("ordering more of a dish that others moved in part and voided is a conflict, and insisting adds the difference [CLIENT-326]", async () => {
    const voided = edit((content, id) => voidLine(content, id));
    const { offline, connected, checks } = await both([changeBy(1)], [move("theirs", 2), voided]);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("CONFLICT");
    await insistOnAll(offline, connected);
    const beer = connected.order(checks.check)?.snapshot.lines.find(({ productId }) => productId === "beer");
    expect([beer?.quantity, beer?.voided ?? false]).toEqual([2, false]);
  });

  it("insisting on more of a dish does not bring back what others have moved away [CLIENT-330] [CLIENT-326]", async () => {
    const { offline, connected, checks } = await both([split, changeBy(1)], [move("theirs")]);
    await offline.discard(offline.conflicts()[0]?.id ?? "");
    await offline.idle();
    await insistOnAll(offline, connected);
    expect(beerOf(connected, checks)).toEqual(["check: 1 beer 100", "theirs: 3 beer 300"]);
  });

  it("one less of a dish applies to all of it after the move before it is discarded [CLIENT-330]", async () => {
    const merge: Act = (terminal, checks) => terminal.mergeOrders([checks.mine], checks.theirs);
    const { offline, connected, checks } = await both([move("mine", 1), changeBy(-1)], [merge]);
    expect(offline.conflicts().map(({ refusal }) => refusal.errorCode)).toEqual(["NOT_FOUND"]);
    await offline.discard(offline.conflicts()[0]?.id ?? "");
    await offline.idle();
    await eventually(() => beerOf(connected, checks)).toEqual(["check: 2 beer 200"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("waiting changes of a dish are shown as they will be sent while others have the check open [CLIENT-330] [CLIENT-325]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks(place, [{ ...beers(3), id: fresh("beer") }]);
    await reconnect();
    await connected.acquireLease(checks.check);
    for (const act of [move("mine", 1), changeBy(1)]) act(offline, checks);
    move("theirs", 1)(connected, checks);
    await connected.idle();
    const expected = ["check: 2 beer 200", "mine: 1 beer 100", "theirs: 1 beer 100"];
    await eventually(() => beerOf(offline, checks)).toEqual(expected);
    await connected.releaseLease(checks.check);
    await offline.idle();
    await eventually(() => beerOf(connected, checks)).toEqual(expected);
  });
});

describe("insisting on a change of a dish that others moved in part", () => {
  const menu = { rounding: "line" as const, taxes: [], products: [] };
  it.each<[string, Act, string[]]>([
    [
      "a discount",
      edit((content, id) => discountLine(content, id, { percent: 10 }, menu)),
      ["check: 2 beer 180", "theirs: 1 beer 100"],
    ],
    [
      "a void of one of them",
      edit((content, id) => voidLine(content, id, { quantity: 1 })),
      ["check: 2 beer 100", "theirs: 1 beer 100"],
    ],
  ])("insisting on %s changes what others have left of the dish [CLIENT-326]", async (_, mine, expected) => {
    const { offline, connected, checks } = await both([mine], [move("theirs", 1)]);
    await insistOnAll(offline, connected);
    expect(beerOf(connected, checks)).toEqual(expected);
    expect(offline.conflicts()).toEqual([]);
  });

  it("insisting on a note does not double a dish of which a part was moved before [CLIENT-326]", async () => {
    const { offline, connected, checks } = await both([note], [move("theirs", 1)], [move("mine", 1)]);
    await insistOnAll(offline, connected);
    expect(beerOf(connected, checks)).toEqual(["check: 1 beer 100 cold", "mine: 1 beer 100", "theirs: 1 beer 100"]);
  });
});

describe("insisted changes", () => {
  const quantities = (terminal: Terminal) => {
    const { insisted } = terminal.conflicts()[0] ?? {};
    if (insisted?.type !== "ORDER_UPSERT") return insisted ?? null;
    return insisted.next.lines?.map(({ productId, quantity }) => `${quantity} ${productId}`);
  };

  it("a conflict shows what insisting brings: the additional quantity, where the dish has left [CLIENT-331]", async () => {
    const { offline, connected, checks } = await both([changeBy(1)], [move("theirs")]);
    expect(quantities(offline)).toEqual(["1 soup", "1 beer"]);
    await insistOnAll(offline, connected);
    expect(beerOf(connected, checks)).toEqual(["check: 1 beer 100", "theirs: 3 beer 300"]);
  });

  it.each<[string, Act]>([
    ["all of it was moved by somebody else", move("theirs")],
    ["the check that it leaves was merged", (terminal, checks) => terminal.mergeOrders([checks.check], checks.theirs)],
  ])("a conflict of a move has nothing to insist on where %s [CLIENT-331]", async (_, theirs) => {
    const { offline, connected, checks } = await both([move("mine")], [theirs]);
    const [{ id, refusal, insisted } = { id: "", refusal: null, insisted: undefined }] = offline.conflicts();
    expect([refusal?.errorCode, insisted]).toEqual(["NOT_FOUND", null]);
    expect(() => offline.retry(id)).toThrow(/there is no order|has none of these lines/);
    await offline.discard(id);
    expect(beerOf(connected, checks)).toEqual(["theirs: 3 beer 300"]);
  });
});
