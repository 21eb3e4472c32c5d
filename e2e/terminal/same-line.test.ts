import {
  changeQuantity,
  contentOf,
  moveLines,
  removeLine,
  withLines,
  type OrderLine,
  type Terminal,
} from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { newOrder } from "../support/orders.ts";
import {
  beers,
  dishes,
  insistOnAll,
  withNote,
  shareChecks as shareWith,
  soup,
  type Checks,
} from "../support/share-checks.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const place = useRestaurant({ HUB_HEARTBEAT_MS: "1000", HUB_GRACE_MS: "500" });
const { restaurant, fresh, startTerminal } = place;

const shareChecks = (lines: OrderLine[], before?: (offline: Terminal, checks: Checks) => void) =>
  shareWith(place, lines, before);

function more(terminal: Terminal, posReference: string, by: number): void {
  const { quantity = 0 } = terminal.order(posReference)?.snapshot.lines.find(({ id }) => id === "beer") ?? {};
  terminal.editOrder(posReference, (content) => changeQuantity(content, "beer", quantity + by));
}

/** Moves one of the beers to `mine`; returns a function that undoes this as the app does. */
function moveOne(terminal: Terminal, { check, mine }: Checks): () => void {
  const before = [check, mine].flatMap((posReference) => {
    const order = terminal.order(posReference);
    return order === undefined ? [] : [{ posReference, content: contentOf(order.snapshot) }];
  });
  terminal.moveLines(check, mine, [{ lineId: "beer", quantity: 1 }]);
  return () => terminal.changeOrders(before);
}

describe("more of one dish ordered by two people", () => {
  it("two people who each order one more of a dish have ordered both [CLIENT-320]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(1)]);
    for (const terminal of [offline, connected]) more(terminal, checks.check, 1);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 3 beer 300"]);
    expect(dishes(offline, checks)).toEqual(dishes(connected, checks));
    expect(offline.conflicts()).toEqual([]);
  });

  it("two different raises of a dish are a conflict [CLIENT-38, CLIENT-40]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(1)]);
    more(offline, checks.check, 2);
    more(connected, checks.check, 1);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 2 beer 200"]);
    expect(offline.conflicts()[0]?.orders).toMatchObject([{ mine: { lines: [{ quantity: 3 }] } }]);
  });

  it("two raises of a dish add up after the hub was killed [CLIENT-320]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(1)]);
    more(offline, checks.check, 1);
    more(connected, checks.check, 1);
    await connected.idle();
    await restaurant().killHub();
    await restaurant().startHub();
    await reconnect();
    await eventually(() => dishes(connected, checks)).toEqual(["check: 3 beer 300"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("a raise that waits for another terminal's lease shows both quantities [CLIENT-320] [CLIENT-41]", async () => {
    const [one, other] = [await startTerminal(), await startTerminal()];
    const order = newOrder(fresh("POS/L"), [beers(1)]);
    const { posReference } = order;
    one.openOrder(order);
    await one.idle();
    await eventually(() => other.order(posReference)?.version).toBe(1);
    const quantityOn = (terminal: Terminal) => terminal.order(posReference)?.snapshot.lines[0]?.quantity;
    await one.acquireLease(posReference);
    more(other, posReference, 1);
    await eventually(() => other.outbox().pending).toBe(1);
    more(one, posReference, 1);
    await one.idle();
    await eventually(() => other.seq() - one.seq()).toBe(0);
    await eventually(() => quantityOn(other)).toBe(3);
    await one.releaseLease(posReference);
    await other.idle();
    await eventually(() => quantityOn(one)).toBe(3);
    expect([quantityOn(other), other.conflicts()]).toEqual([3, []]);
  });
});

describe.each([false, true])("dish moved by two people (sent: %s)", (isSent) => {
  const share = (lines: OrderLine[], before: (offline: Terminal, checks: Checks) => void = () => {}) =>
    shareChecks(lines, (offline, checks) => {
      if (isSent) offline.sendToKitchen(checks.check);
      before(offline, checks);
    });

  it("a dish moved by two people is where the first moved it, and the other gets a conflict [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(2), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await connected.idle();
    await reconnect();
    const once = ["check: 1 soup 50", "theirs: 2 beer 200"];
    expect(dishes(connected, checks)).toEqual(once);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    // Insisting must not move it a second time.
    await insistOnAll(offline, connected);
    expect(dishes(connected, checks)).toEqual(once);
  });

  it("a part of a dish is split from what another person has left [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(3)]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 1 beer 100", "mine: 1 beer 100", "theirs: 1 beer 100"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("two people who each move a part leave nothing behind when the last part goes [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(2)]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["mine: 1 beer 100", "theirs: 1 beer 100"]);
  });

  it("a split takes only as much of a dish as another person has left [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(3), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 2 }, { lineId: "soup" }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 2 }]);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["mine: 1 beer 100", "mine: 1 soup 50", "theirs: 2 beer 200"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("a dish split completely by two people is on no check twice, even after insisting [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(2), soup]);
    const parts = { ...checks, one: fresh("POS/L"), other: fresh("POS/L") };
    const content = contentOf(offline.order(checks.check)?.snapshot ?? {});
    const empty = { ...content, lines: [] };
    const from = { posReference: checks.check, content };
    const one = moveLines(from, empty, [{ lineId: "beer", quantity: 1 }], () => fresh("beer"));
    const other = moveLines({ ...from, content: one.from }, empty, [{ lineId: "beer" }], () => fresh("beer"));
    offline.changeOrders([
      { posReference: parts.one, content: one.into },
      { posReference: parts.other, content: other.into },
      { posReference: checks.check, content: other.from },
    ]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await connected.idle();
    await reconnect();
    await insistOnAll(offline, connected);
    expect(dishes(connected, parts)).toEqual(["check: 1 soup 50", "theirs: 1 beer 100", "other: 1 beer 100"]);
    expect([connected.order(parts.one), offline.conflicts()]).toEqual([undefined, []]);
  });

  it("an undone move brings back only what nobody has moved on [CLIENT-324]", async () => {
    let takeBack = () => {};
    const { offline, connected, checks, reconnect } = await share([beers(3)], (terminal, shared) => {
      takeBack = moveOne(terminal, shared);
    });
    takeBack();
    const part = connected.order(checks.mine)?.snapshot.lines.find(({ productId }) => productId === "beer")?.id ?? "";
    connected.moveLines(checks.mine, checks.theirs, [{ lineId: part }]);
    await connected.idle();
    await reconnect();
    const once = ["check: 2 beer 200", "theirs: 1 beer 100"];
    expect(dishes(connected, checks)).toEqual(once);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    await insistOnAll(offline, connected);
    expect(dishes(connected, checks)).toEqual(once);
  });

  it("an undone move adds to what others have left of the dish [CLIENT-324]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(2), soup]);
    moveOne(offline, checks)();
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 1 soup 50", "check: 1 beer 100", "theirs: 1 beer 100"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("an undone move keeps what others have ordered more of the dish [CLIENT-324]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(3)]);
    moveOne(offline, checks)();
    more(connected, checks.check, 1);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 4 beer 400"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("a waiting move shows where the dish will be while another terminal has its check open [CLIENT-325]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(3)]);
    await reconnect();
    await connected.acquireLease(checks.check);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await connected.idle();
    const once = ["check: 1 beer 100", "mine: 1 beer 100", "theirs: 1 beer 100"];
    await eventually(() => dishes(offline, checks)).toEqual(once);
    await connected.releaseLease(checks.check);
    await offline.idle();
    await eventually(() => dishes(connected, checks)).toEqual(once);
  });

  it("a move brings only the rest to a check to which another person has moved a part [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(3), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer" }, { lineId: "soup" }]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    connected.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    await connected.idle();
    await reconnect();
    await insistOnAll(offline, connected);
    expect(dishes(connected, checks)).toEqual(["mine: 2 beer 200", "mine: 1 soup 50", "theirs: 1 beer 100"]);
  });

  it("a merge leaves out a dish that has left the check [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(2), soup]);
    offline.mergeOrders([checks.check], checks.mine);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["mine: 1 soup 50", "theirs: 2 beer 200"]);
    expect([connected.order(checks.check), offline.conflicts()]).toEqual([undefined, []]);
  });

  it("a moved dish takes along what others have changed of it [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await share([beers(1), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    more(connected, checks.check, 1);
    connected.editOrder(checks.check, withNote);
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 1 soup 50 cold", "mine: 2 beer 200 cold"]);
    expect(offline.conflicts()).toEqual([]);
  });
});

describe("discounts of a check that somebody merges", () => {
  const takeOff = (terminal: Terminal, { check }: Checks, ...amounts: number[]): void => {
    terminal.editOrder(check, (content) => {
      const adjustments = amounts.map((amount) => ({ kind: "discount" as const, amount: -amount }));
      return withLines({ ...content, adjustments }, content.lines ?? []);
    });
  };
  const totals = (terminal: Terminal, { check, mine, theirs }: Checks) =>
    [check, mine, theirs].map((posReference) => terminal.order(posReference)?.snapshot.totals.total);

  it("a merge into a check with the same discount takes along a discount added meanwhile [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(2), soup], (terminal, shared) => {
      takeOff(terminal, shared, 30);
      takeOff(terminal, { ...shared, check: shared.mine }, 30);
    });
    offline.mergeOrders([checks.check], checks.mine);
    takeOff(connected, checks, 30, 20);
    await connected.idle();
    await reconnect();
    expect(offline.conflicts()).toEqual([]);
    expect(totals(connected, checks)).toEqual([undefined, 270, 100]);
  });

  it.each([
    { before: [], meanwhile: [30], total: 320 },
    { before: [30], meanwhile: [], total: 350 },
    { before: [30], meanwhile: [30, 20], total: 300 },
  ])(
    "a merge takes along the discounts $meanwhile of a check that had $before before [CLIENT-321]",
    async ({ before, meanwhile, total }) => {
      const { offline, connected, checks, reconnect } = await shareChecks([beers(2), soup], (terminal, shared) => {
        if (before.length > 0) takeOff(terminal, shared, ...before);
      });
      offline.mergeOrders([checks.check], checks.mine);
      takeOff(connected, checks, ...meanwhile);
      await connected.idle();
      await reconnect();
      expect(offline.conflicts()).toEqual([]);
      expect(totals(connected, checks)).toEqual([undefined, total, 100]);
    },
  );
});

it("a merge adds up the guests as others have counted them by then [RULE-42]", async () => {
  const { offline, connected, checks, reconnect } = await shareChecks([beers(2), soup]);
  offline.mergeOrders([checks.check], checks.mine);
  connected.editOrder(checks.mine, (content) => ({ ...content, guestCount: 5 }));
  await connected.idle();
  await reconnect();
  expect(offline.conflicts()).toEqual([]);
  expect(connected.order(checks.mine)?.snapshot.guestCount).toBe(7);
});

describe("course fired while another person changes the check", () => {
  const sent = (terminal: Terminal, checks: Checks) =>
    Object.values(checks).flatMap((posReference) => {
      const lines = terminal.order(posReference)?.snapshot.lines ?? [];
      return lines.map(({ productId, sentQuantity = 0 }) => `${productId} ${sentQuantity}`);
    });

  it("a fired course is cooked without the dishes that have left the check [CLIENT-323]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(2), soup]);
    offline.sendToKitchen(checks.check, ["beer", "soup"]);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await connected.idle();
    await reconnect();
    expect(sent(connected, checks)).toEqual(["soup 1", "1 0", "1 0", "beer 0"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("a fired course is cooked without a dish that leaves the check while the send is in flight [CLIENT-323]", async () => {
    const { offline, connected, checks, wire, reconnect } = await shareChecks([beers(2), soup]);
    wire.fromTerminal = ({ type }) => (type === "ORDER_SEND" ? "cut" : "pass");
    const sends = () => wire.terminalMessages.filter(({ type }) => type === "ORDER_SEND").length;
    offline.sendToKitchen(checks.check, ["beer", "soup"]);
    await eventually(sends).toBeGreaterThan(0);
    connected.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await connected.idle();
    await reconnect();
    expect(sent(connected, checks)).toEqual(["soup 1", "1 0", "1 0", "beer 0"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it("a fired course of which all dishes have left is a conflict [CLIENT-323]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(2), soup]);
    offline.sendToKitchen(checks.check, ["beer"]);
    connected.editOrder(checks.check, (content) => removeLine(content, "beer"));
    await connected.idle();
    await reconnect();
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    expect(sent(connected, checks)).toEqual(["soup 0", "1 0", "1 0"]);
  });
});

describe("dish removed by one person and moved by another", () => {
  it("a dish that one person removes and another moves does not come back [CLIENT-321]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([beers(1), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    connected.editOrder(checks.check, (content) => removeLine(content, "beer"));
    await connected.idle();
    await reconnect();
    expect(dishes(connected, checks)).toEqual(["check: 1 soup 50"]);
    expect(offline.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
  });
});

describe("dish changed by one person and moved off the check by another", () => {
  // A unique line id, because the dish may have moved to any check of the restaurant.
  const ownBeers = (quantity: number): OrderLine => ({ ...beers(quantity), id: fresh("beer") });
  const beerOn = (terminal: Terminal, posReference: string): string =>
    terminal.order(posReference)?.snapshot.lines.find(({ productId }) => productId === "beer")?.id ?? "";
  const move = (terminal: Terminal, { check, theirs }: Checks, quantity?: number): void =>
    void terminal.moveLines(check, theirs, [
      { lineId: beerOn(terminal, check), ...(quantity !== undefined && { quantity }) },
    ]);
  const setTo = (terminal: Terminal, posReference: string, quantity: number): void => {
    const lineId = beerOn(terminal, posReference);
    terminal.editOrder(posReference, (content) => changeQuantity(content, lineId, quantity));
  };
  const takeOff = (terminal: Terminal, posReference: string): void => {
    const lineId = beerOn(terminal, posReference);
    terminal.editOrder(posReference, (content) => removeLine(content, lineId));
  };
  const addNote = (terminal: Terminal, posReference: string): void => void terminal.editOrder(posReference, withNote);

  async function both(acts: { mine: (terminal: Terminal, check: string) => void; moved?: number; of: number }) {
    const shared = await shareChecks([ownBeers(acts.of), soup]);
    const { offline, connected, checks, reconnect } = shared;
    acts.mine(offline, checks.check);
    move(connected, checks, acts.moved);
    await connected.idle();
    await reconnect();
    return shared;
  }

  it("more of a dish is ordered on what another person has left of it [CLIENT-326]", async () => {
    const { offline, connected, checks } = await both({ mine: (t, check) => setTo(t, check, 5), moved: 1, of: 3 });
    expect(dishes(connected, checks)).toEqual(["check: 4 beer 400", "check: 1 soup 50", "theirs: 1 beer 100"]);
    expect(offline.conflicts()).toEqual([]);
  });

  it.each([
    // The additional quantity is added; the quantity that was moved away does not come back.
    [
      "more of",
      { mine: (t: Terminal, check: string) => setTo(t, check, 3), of: 2 },
      ["check: 1 beer 100", "theirs: 2 beer 200"],
    ],
    [
      "less of",
      { mine: (t: Terminal, check: string) => setTo(t, check, 2), moved: 1, of: 3 },
      ["check: 1 beer 100", "theirs: 1 beer 100"],
    ],
    ["removal of", { mine: takeOff, moved: 1, of: 3 }, ["theirs: 1 beer 100"]],
    ["a note on", { mine: addNote, moved: 1, of: 3 }, ["check: 2 beer 200 cold", "theirs: 1 beer 100"]],
  ])(
    "%s a dish that others moved is a conflict, and insisting doubles nothing [CLIENT-326]",
    async (_, acts, expected) => {
      const { offline, connected, checks } = await both(acts);
      const [conflict] = offline.conflicts();
      expect(conflict?.refusal).toMatchObject({ errorCode: "CONFLICT", collisions: [{ kind: "line" }] });
      await offline.retry(conflict?.id ?? "").outcome;
      await eventually(() => connected.seq() - offline.seq()).toBe(0);
      expect(dishes(connected, checks).filter((dish) => dish.includes("beer"))).toEqual(expected);
      expect(offline.conflicts()).toEqual([]);
    },
  );

  it("insisting on more of a moved part orders only the addition after the move was discarded [CLIENT-326] [CLIENT-150]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([ownBeers(2), soup]);
    offline.moveLines(checks.check, checks.mine, [{ lineId: beerOn(offline, checks.check), quantity: 1 }]);
    setTo(offline, checks.mine, 2);
    move(connected, checks);
    await connected.idle();
    await reconnect();
    await offline.discard(offline.conflicts()[0]?.id ?? "");
    await offline.idle();
    const [conflict] = offline.conflicts();
    await offline.retry(conflict?.id ?? "").outcome;
    await eventually(() => connected.seq() - offline.seq()).toBe(0);
    expect(dishes(connected, checks)).toEqual(["check: 1 soup 50", "mine: 1 beer 100", "theirs: 2 beer 200"]);
  });

  it("insisting brings back a dish that others removed without moving it [CLIENT-40]", async () => {
    const { offline, connected, checks, reconnect } = await shareChecks([ownBeers(2)]);
    setTo(offline, checks.check, 3);
    takeOff(connected, checks.check);
    await connected.idle();
    await reconnect();
    await offline.retry(offline.conflicts()[0]?.id ?? "").outcome;
    await eventually(() => dishes(connected, checks)).toEqual(["check: 3 beer 300"]);
  });

  it.each([
    ["less of", (t: Terminal, check: string) => setTo(t, check, 1)],
    ["removal of", takeOff],
  ])("%s a dish that others moved completely has nothing to insist on [CLIENT-326]", async (_, mine) => {
    const { offline, connected, checks } = await both({ mine, of: 2 });
    const [conflict] = offline.conflicts();
    expect(conflict?.refusal.errorCode).toBe("CONFLICT");
    expect(() => offline.retry(conflict?.id ?? "")).toThrow("has none of these lines");
    await offline.discard(conflict?.id ?? "");
    expect(dishes(connected, checks)).toEqual(["check: 1 soup 50", "theirs: 2 beer 200"]);
  });
});
