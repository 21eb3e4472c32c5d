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
import { beers, dishes, insist, noted, shareChecks as shareWith, soup, type Checks } from "../support/share-checks.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const place = useRestaurant({ HUB_HEARTBEAT_MS: "1000", HUB_GRACE_MS: "500" });
const { restaurant, fresh, startTerminal } = place;

const shareChecks = (lines: OrderLine[], before?: (away: Terminal, checks: Checks) => void) =>
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

describe("a dish of which two people order more", () => {
  it("has what both ordered [CLIENT-320]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(1)]);
    for (const terminal of [away, there]) more(terminal, checks.check, 1);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 3 beer 300"]);
    expect(dishes(away, checks)).toEqual(dishes(there, checks));
    expect(away.conflicts()).toEqual([]);
  });

  it("waits for a person where they ordered a different number [CLIENT-38, CLIENT-40]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(1)]);
    more(away, checks.check, 2);
    more(there, checks.check, 1);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 2 beer 200"]);
    expect(away.conflicts()[0]?.orders).toMatchObject([{ mine: { lines: [{ quantity: 3 }] } }]);
  });

  it("has it while the hub was killed, too [CLIENT-320]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(1)]);
    more(away, checks.check, 1);
    more(there, checks.check, 1);
    await there.idle();
    await restaurant().killHub();
    await restaurant().startHub();
    await comeBack();
    await eventually(() => dishes(there, checks)).toEqual(["check: 3 beer 300"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("shows both while one waits for the other's lease [CLIENT-320] [CLIENT-41]", async () => {
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

describe.each([false, true])("a dish that two people move (sent: %s)", (isSent) => {
  const share = (lines: OrderLine[], before: (away: Terminal, checks: Checks) => void = () => {}) =>
    shareChecks(lines, (away, checks) => {
      if (isSent) away.sendToKitchen(checks.check);
      before(away, checks);
    });

  it("is where the first has moved it, and the other is told [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(2), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await there.idle();
    await comeBack();
    const once = ["check: 1 soup 50", "theirs: 2 beer 200"];
    expect(dishes(there, checks)).toEqual(once);
    expect(away.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    // Insisting must not move it a second time.
    await insist(away, there);
    expect(dishes(there, checks)).toEqual(once);
  });

  it("is parted from what the other has left [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(3)]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 1 beer 100", "mine: 1 beer 100", "theirs: 1 beer 100"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("leaves nothing behind when the last of it goes [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(2)]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["mine: 1 beer 100", "theirs: 1 beer 100"]);
  });

  it("is parted as far as the other has left of it [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(3), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 2 }, { lineId: "soup" }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 2 }]);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["mine: 1 beer 100", "mine: 1 soup 50", "theirs: 2 beer 200"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("is on no check twice when all of it was parted, also when a person insists [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(2), soup]);
    const parts = { ...checks, one: fresh("POS/L"), other: fresh("POS/L") };
    const content = contentOf(away.order(checks.check)?.snapshot ?? {});
    const empty = { ...content, lines: [] };
    const from = { posReference: checks.check, content };
    const one = moveLines(from, empty, [{ lineId: "beer", quantity: 1 }], () => fresh("beer"));
    const other = moveLines({ ...from, content: one.from }, empty, [{ lineId: "beer" }], () => fresh("beer"));
    away.changeOrders([
      { posReference: parts.one, content: one.into },
      { posReference: parts.other, content: other.into },
      { posReference: checks.check, content: other.from },
    ]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await there.idle();
    await comeBack();
    await insist(away, there);
    expect(dishes(there, parts)).toEqual(["check: 1 soup 50", "theirs: 1 beer 100", "other: 1 beer 100"]);
    expect([there.order(parts.one), away.conflicts()]).toEqual([undefined, []]);
  });

  it("comes back as far as nobody has taken it elsewhere [CLIENT-324]", async () => {
    let takeBack = () => {};
    const { away, there, checks, comeBack } = await share([beers(3)], (terminal, shared) => {
      takeBack = moveOne(terminal, shared);
    });
    takeBack();
    const part = there.order(checks.mine)?.snapshot.lines.find(({ productId }) => productId === "beer")?.id ?? "";
    there.moveLines(checks.mine, checks.theirs, [{ lineId: part }]);
    await there.idle();
    await comeBack();
    const once = ["check: 2 beer 200", "theirs: 1 beer 100"];
    expect(dishes(there, checks)).toEqual(once);
    expect(away.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    await insist(away, there);
    expect(dishes(there, checks)).toEqual(once);
  });

  it("comes back to what others have left of it [CLIENT-324]", async () => {
    const { away, there, checks, comeBack } = await share([beers(2), soup]);
    moveOne(away, checks)();
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 1 soup 50", "check: 1 beer 100", "theirs: 1 beer 100"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("comes back to what others have ordered more of [CLIENT-324]", async () => {
    const { away, there, checks, comeBack } = await share([beers(3)]);
    moveOne(away, checks)();
    more(there, checks.check, 1);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 4 beer 400"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("shows where it will be while the other has its check open [CLIENT-325]", async () => {
    const { away, there, checks, comeBack } = await share([beers(3)]);
    await comeBack();
    await there.acquireLease(checks.check);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer", quantity: 1 }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    await there.idle();
    const once = ["check: 1 beer 100", "mine: 1 beer 100", "theirs: 1 beer 100"];
    await eventually(() => dishes(away, checks)).toEqual(once);
    await there.releaseLease(checks.check);
    await away.idle();
    await eventually(() => dishes(there, checks)).toEqual(once);
  });

  it("is no more of it where the other has brought a part of it to the same check [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(3), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer" }, { lineId: "soup" }]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer", quantity: 1 }]);
    there.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    await there.idle();
    await comeBack();
    await insist(away, there);
    expect(dishes(there, checks)).toEqual(["mine: 2 beer 200", "mine: 1 soup 50", "theirs: 1 beer 100"]);
  });

  it("stays out of a merge of the check that it has left [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(2), soup]);
    away.mergeOrders([checks.check], checks.mine);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["mine: 1 soup 50", "theirs: 2 beer 200"]);
    expect([there.order(checks.check), away.conflicts()]).toEqual([undefined, []]);
  });

  it("goes as it is by then [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await share([beers(1), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    more(there, checks.check, 1);
    there.editOrder(checks.check, noted);
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 1 soup 50 cold", "mine: 2 beer 200 cold"]);
    expect(away.conflicts()).toEqual([]);
  });
});

describe("what is taken off a check that somebody merges", () => {
  const takeOff = (terminal: Terminal, { check }: Checks, ...amounts: number[]): void => {
    terminal.editOrder(check, (content) => {
      const adjustments = amounts.map((amount) => ({ kind: "discount" as const, amount: -amount }));
      return withLines({ ...content, adjustments }, content.lines ?? []);
    });
  };
  const totals = (terminal: Terminal, { check, mine, theirs }: Checks) =>
    [check, mine, theirs].map((posReference) => terminal.order(posReference)?.snapshot.totals.total);

  it("goes along as it is by then where the check that it goes to has the same [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(2), soup], (terminal, shared) => {
      takeOff(terminal, shared, 30);
      takeOff(terminal, { ...shared, check: shared.mine }, 30);
    });
    away.mergeOrders([checks.check], checks.mine);
    takeOff(there, checks, 30, 20);
    await there.idle();
    await comeBack();
    expect(away.conflicts()).toEqual([]);
    expect(totals(there, checks)).toEqual([undefined, 270, 100]);
  });

  it.each([
    { before: [], meanwhile: [30], total: 320 },
    { before: [30], meanwhile: [], total: 350 },
    { before: [30], meanwhile: [30, 20], total: 300 },
  ])("goes along as it is by then: $before, and then $meanwhile [CLIENT-321]", async ({ before, meanwhile, total }) => {
    const { away, there, checks, comeBack } = await shareChecks([beers(2), soup], (terminal, shared) => {
      if (before.length > 0) takeOff(terminal, shared, ...before);
    });
    away.mergeOrders([checks.check], checks.mine);
    takeOff(there, checks, ...meanwhile);
    await there.idle();
    await comeBack();
    expect(away.conflicts()).toEqual([]);
    expect(totals(there, checks)).toEqual([undefined, total, 100]);
  });
});

it("the guests of checks that somebody merges add up as others have counted them by then [RULE-42]", async () => {
  const { away, there, checks, comeBack } = await shareChecks([beers(2), soup]);
  away.mergeOrders([checks.check], checks.mine);
  there.editOrder(checks.mine, (content) => ({ ...content, guestCount: 5 }));
  await there.idle();
  await comeBack();
  expect(away.conflicts()).toEqual([]);
  expect(there.order(checks.mine)?.snapshot.guestCount).toBe(7);
});

describe("a course that one person fires while another changes the check", () => {
  const sent = (terminal: Terminal, checks: Checks) =>
    Object.values(checks).flatMap((posReference) => {
      const lines = terminal.order(posReference)?.snapshot.lines ?? [];
      return lines.map(({ productId, sentQuantity = 0 }) => `${productId} ${sentQuantity}`);
    });

  it("is cooked, but for what has left the check [CLIENT-323]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(2), soup]);
    away.sendToKitchen(checks.check, ["beer", "soup"]);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await there.idle();
    await comeBack();
    expect(sent(there, checks)).toEqual(["soup 1", "1 0", "1 0", "beer 0"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("is cooked at once where a part of it leaves the check while the send is on its way [CLIENT-323]", async () => {
    const { away, there, checks, wire, comeBack } = await shareChecks([beers(2), soup]);
    wire.fromTerminal = ({ type }) => (type === "ORDER_SEND" ? "cut" : "pass");
    const sends = () => wire.said.filter(({ type }) => type === "ORDER_SEND").length;
    away.sendToKitchen(checks.check, ["beer", "soup"]);
    await eventually(sends).toBeGreaterThan(0);
    there.moveLines(checks.check, checks.theirs, [{ lineId: "beer" }]);
    await there.idle();
    await comeBack();
    expect(sent(there, checks)).toEqual(["soup 1", "1 0", "1 0", "beer 0"]);
    expect(away.conflicts()).toEqual([]);
  });

  it("is for a person to decide when all of it has left [CLIENT-323]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(2), soup]);
    away.sendToKitchen(checks.check, ["beer"]);
    there.editOrder(checks.check, (content) => removeLine(content, "beer"));
    await there.idle();
    await comeBack();
    expect(away.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
    expect(sent(there, checks)).toEqual(["soup 0", "1 0", "1 0"]);
  });
});

describe("a dish that one person takes off and another moves", () => {
  it("does not come back [CLIENT-321]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([beers(1), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: "beer" }]);
    there.editOrder(checks.check, (content) => removeLine(content, "beer"));
    await there.idle();
    await comeBack();
    expect(dishes(there, checks)).toEqual(["check: 1 soup 50"]);
    expect(away.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
  });
});

describe("a dish that one person changes while another moves it off the check", () => {
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
  const addNote = (terminal: Terminal, posReference: string): void => void terminal.editOrder(posReference, noted);

  async function both(acts: { mine: (terminal: Terminal, check: string) => void; moved?: number; of: number }) {
    const shared = await shareChecks([ownBeers(acts.of), soup]);
    const { away, there, checks, comeBack } = shared;
    acts.mine(away, checks.check);
    move(there, checks, acts.moved);
    await there.idle();
    await comeBack();
    return shared;
  }

  it("has what the one ordered more on what the other has left [CLIENT-326]", async () => {
    const { away, there, checks } = await both({ mine: (t, check) => setTo(t, check, 5), moved: 1, of: 3 });
    expect(dishes(there, checks)).toEqual(["check: 4 beer 400", "check: 1 soup 50", "theirs: 1 beer 100"]);
    expect(away.conflicts()).toEqual([]);
  });

  it.each([
    // The additional quantity is added; the quantity that was moved away does not come back.
    [
      "more of it",
      { mine: (t: Terminal, check: string) => setTo(t, check, 3), of: 2 },
      ["check: 1 beer 100", "theirs: 2 beer 200"],
    ],
    [
      "less of it",
      { mine: (t: Terminal, check: string) => setTo(t, check, 2), moved: 1, of: 3 },
      ["check: 1 beer 100", "theirs: 1 beer 100"],
    ],
    ["none of it", { mine: takeOff, moved: 1, of: 3 }, ["theirs: 1 beer 100"]],
    ["a note", { mine: addNote, moved: 1, of: 3 }, ["check: 2 beer 200 cold", "theirs: 1 beer 100"]],
  ])("is for a person to decide: %s, and doubles nothing when they insist [CLIENT-326]", async (_, acts, wanted) => {
    const { away, there, checks } = await both(acts);
    const [conflict] = away.conflicts();
    expect(conflict?.refusal).toMatchObject({ errorCode: "CONFLICT", collisions: [{ kind: "line" }] });
    await away.retry(conflict?.id ?? "").outcome;
    await eventually(() => there.seq() - away.seq()).toBe(0);
    expect(dishes(there, checks).filter((dish) => dish.includes("beer"))).toEqual(wanted);
    expect(away.conflicts()).toEqual([]);
  });

  it("insists on more of a part without the part, where that was given up [CLIENT-326] [CLIENT-150]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([ownBeers(2), soup]);
    away.moveLines(checks.check, checks.mine, [{ lineId: beerOn(away, checks.check), quantity: 1 }]);
    setTo(away, checks.mine, 2);
    move(there, checks);
    await there.idle();
    await comeBack();
    await away.discard(away.conflicts()[0]?.id ?? "");
    await away.idle();
    const [conflict] = away.conflicts();
    await away.retry(conflict?.id ?? "").outcome;
    await eventually(() => there.seq() - away.seq()).toBe(0);
    expect(dishes(there, checks)).toEqual(["check: 1 soup 50", "mine: 1 beer 100", "theirs: 2 beer 200"]);
  });

  it("brings back what was taken off, and moved nowhere, when somebody insists [CLIENT-40]", async () => {
    const { away, there, checks, comeBack } = await shareChecks([ownBeers(2)]);
    setTo(away, checks.check, 3);
    takeOff(there, checks.check);
    await there.idle();
    await comeBack();
    await away.retry(away.conflicts()[0]?.id ?? "").outcome;
    await eventually(() => dishes(there, checks)).toEqual(["check: 3 beer 300"]);
  });

  it.each([
    ["less of it", (t: Terminal, check: string) => setTo(t, check, 1)],
    ["none of it", takeOff],
  ])("says so where there is nothing to insist on: %s [CLIENT-326]", async (_, mine) => {
    const { away, there, checks } = await both({ mine, of: 2 });
    const [conflict] = away.conflicts();
    expect(conflict?.refusal.errorCode).toBe("CONFLICT");
    expect(() => away.retry(conflict?.id ?? "")).toThrow("on the check any more");
    await away.discard(conflict?.id ?? "");
    expect(dishes(there, checks)).toEqual(["check: 1 soup 50", "theirs: 2 beer 200"]);
  });
});
