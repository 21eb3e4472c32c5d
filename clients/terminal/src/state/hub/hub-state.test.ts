import { describe, expect, it } from "vitest";
import { itemState, pluginRecord, storedOrder, syncPage, table, ticket } from "../../../test/builders.ts";
import { createHubState } from "./hub-state.ts";
import type { StateMessage } from "./state-change.ts";

function changed(posReference: string, seq: number, version = 1): StateMessage {
  return {
    type: "ORDER_CHANGED",
    seq,
    posReference,
    version,
    origin: "other",
    order: storedOrder(posReference, version),
  };
}

describe("createHubState", () => {
  it("the pages of a SYNC are shown together [CLIENT-20]", () => {
    const state = createHubState(() => 0);
    expect(state.sync(syncPage({ orders: [storedOrder("A", 1)], more: true }))).toBeNull();
    expect([...state.orders()]).toEqual([]);
    expect(state.sync(syncPage({ orders: [storedOrder("B", 1)] }))).toMatchObject({
      orders: ["A", "B"],
      fork: null,
    });
    expect([...state.orders()].map((order) => order.posReference)).toEqual(["A", "B"]);
    expect(state.since()).toEqual({ hubId: "hub-1", epoch: "epoch-1", seq: 10 });
  });

  it("the signature of a place is kept with it, and not used for another place [CLIENT-190]", () => {
    const state = createHubState(() => 0);
    const place = { hubId: "hub-1", epoch: "epoch-1" };
    state.sync(syncPage({ seq: 10, signature: "ten" }));
    expect(state.since()).toEqual({ ...place, seq: 10, signature: "ten" });
    state.apply(changed("A", 11));
    expect(state.since()).toEqual({ ...place, seq: 11 });
    state.apply({ ...changed("A", 12), signature: "twelve" });
    expect(state.since()).toEqual({ ...place, seq: 12, signature: "twelve" });
    state.apply({ ...changed("A", 11), signature: "eleven" });
    expect(state.since()).toEqual({ ...place, seq: 12, signature: "twelve" });
  });

  it("pages of a connection that ended are ignored [CLIENT-20]", () => {
    const state = createHubState(() => 0);
    state.sync(syncPage({ orders: [storedOrder("A", 1)], more: true }));
    state.dropPages();
    state.sync(syncPage({ orders: [storedOrder("B", 1)] }));
    expect([...state.orders()].map((order) => order.posReference)).toEqual(["B"]);
  });

  it("a full SYNC replaces everything and reports removed orders [CLIENT-21]", () => {
    const state = createHubState(() => 0);
    state.sync(syncPage({ orders: [storedOrder("A", 1)], tables: [table(4)] }));
    const change = state.sync(syncPage({ epoch: "epoch-2", orders: [storedOrder("B", 1)] }));
    expect(change).toMatchObject({ orders: ["A", "B"], tables: [4], fork: "earlier_state" });
    expect([state.order("A"), [...state.tables()]]).toEqual([undefined, []]);
  });

  it("removals are remembered, and passed on when history forks [CLIENT-250]", () => {
    const state = createHubState(() => Date.parse("2026-11-21T20:00:00.000Z"));
    state.sync(syncPage({ orders: [storedOrder("A", 1), storedOrder("B", 1)] }));
    const removal = { posReference: "C", version: 5, at: "2026-11-21T19:00:00.000Z" };
    state.sync(syncPage({ mode: "delta", seq: 11, removedOrders: ["C"], removals: [removal] }));
    const removed = { seq: 12, posReference: "A", version: 2, origin: "other", mergedInto: ["B"] };
    expect(state.apply({ type: "ORDER_REMOVED", ...removed })).toMatchObject({ orders: ["A"] });
    const merged = { posReference: "A", version: 2, mergedInto: ["B"], at: "2026-11-21T20:00:00.000Z" };
    expect([...state.removals()]).toEqual([removal, merged]);
    const again = syncPage({ epoch: "epoch-2", orders: [storedOrder("A", 1), storedOrder("B", 1)] });
    expect(state.sync(again)).toMatchObject({ former: { epoch: "epoch-1", orders: [], removed: [removal, merged] } });
    expect([...state.removals()]).toEqual([]);
  });

  it("a delta replaces and removes what it names [CLIENT-21]", () => {
    const state = createHubState(() => 0);
    const records = [pluginRecord("one", {}), pluginRecord("two", {})];
    state.sync(syncPage({ orders: [storedOrder("A", 1), storedOrder("B", 1)], pluginRecords: records }));
    state.sync(
      syncPage({
        mode: "delta",
        seq: 13,
        orders: [storedOrder("B", 2)],
        removedOrders: ["A"],
        removedPluginRecords: [{ pluginId: "reservations", key: "one" }],
      }),
    );
    expect([...state.orders()].map(({ posReference, version }) => [posReference, version])).toEqual([["B", 2]]);
    expect([...state.pluginRecords()].map((record) => record.key)).toEqual(["two"]);
    expect(state.seq()).toBe(13);
  });

  it("the next change is applied, a known one ignored, and a gap detected [CLIENT-22]", () => {
    const state = createHubState(() => 0);
    state.sync(syncPage({}));
    expect(state.apply(changed("A", 11))).toMatchObject({ orders: ["A"] });
    expect(state.apply(changed("A", 11, 9))).toBe("known");
    expect(state.apply(changed("B", 13))).toBe("hole");
    expect([state.seq(), state.order("A")?.version, state.order("B")]).toEqual([11, 1, undefined]);
  });

  it("every kind of change is applied [CLIENT-22]", () => {
    const state = createHubState(() => 0);
    state.sync(syncPage({ orders: [storedOrder("A", 1)] }));
    state.apply({ type: "TABLE_CHANGED", seq: 11, table: table(4, { status: "reserved" }) });
    state.apply({ type: "PLUGIN_RECORD", seq: 12, record: pluginRecord("one", {}) });
    state.apply({ type: "ORDER_REMOVED", seq: 13, posReference: "A", version: 2, origin: "other" });
    expect([[...state.orders()], [...state.tables()].length, [...state.pluginRecords()].length]).toEqual([[], 1, 1]);
    state.apply({ type: "PLUGIN_REMOVED", seq: 14, pluginId: "reservations", key: "one" });
    expect([...state.pluginRecords()]).toEqual([]);
  });

  it("tickets and item states are replaced by a full SYNC and merged by a delta or a change [CLIENT-118]", () => {
    const state = createHubState(() => 0);
    const ids = () => [...state.tickets()].map(({ id, isOver }) => `${id}${isOver ? " over" : ""}`);
    const items = () => [...state.itemStates()].map((each) => `${each.productId} ${each.state}`);
    state.sync(syncPage({ tickets: [ticket("one"), ticket("two")], itemStates: [itemState(7)] }));
    const delta = { tickets: [ticket("one", { isOver: true })], itemStates: [itemState(8, { state: "limited" })] };
    expect(state.sync(syncPage({ mode: "delta", seq: 11, ...delta }))).toMatchObject({ tickets: ["one"], items: true });
    expect([ids(), items()]).toEqual([
      ["two", "one over"],
      ["7 out", "8 limited"],
    ]);
    const events = [
      { type: "TICKET_CHANGED", seq: 12, ticket: ticket("three") },
      {
        type: "ITEM_STATE_CHANGED",
        seq: 13,
        productId: 7,
        state: "available",
        itemState: itemState(7, { state: "available" }),
      },
    ] as const;
    expect(events.map((message) => state.apply(message))).toMatchObject([{ tickets: ["three"] }, { items: true }]);
    expect([state.ticket("three")?.id, items()]).toEqual(["three", ["7 available", "8 limited"]]);
    const recentTickets = [ticket("five", { isOver: true })];
    const change = state.sync(syncPage({ tickets: [ticket("four")], recentTickets, itemStates: [] }));
    expect(change).toMatchObject({ tickets: ["two", "one", "three", "four", "five"], items: true });
    expect([ids(), items()]).toEqual([["four", "five over"], []]);
  });

  it("the hundred tickets that were over last are kept [CLIENT-118]", () => {
    const state = createHubState(() => 0);
    const over = Array.from({ length: 101 }, (_, n) => ticket(`over ${n}`, { isOver: true }));
    const change = state.sync(syncPage({ mode: "delta", tickets: [ticket("open"), ...over] }));
    expect([...state.tickets()].length).toBe(101);
    expect([state.ticket("open") !== undefined, state.ticket("over 0")]).toEqual([true, undefined]);
    expect(change?.tickets).toContain("over 0");
  });

  it("after a fork, orders that did not come back in the same version and content are reported [CLIENT-90]", () => {
    const state = createHubState(() => 0);
    const formerOrders = ["same", "older", "missing", "other"].map((name) => storedOrder(name, 3));
    state.sync(syncPage({ orders: formerOrders }));
    state.apply(changed("missing", 11, 4));
    const other = storedOrder("other", 3);
    other.snapshot.guestCount = 9;
    const come = [storedOrder("same", 3), storedOrder("older", 2), other, storedOrder("new", 1)];
    const [first, second] = [come.slice(0, 2), come.slice(2)];
    expect(state.sync(syncPage({ epoch: "epoch-2", orders: first, more: true }))).toBeNull();
    const { former } = state.sync(syncPage({ epoch: "epoch-2", orders: second })) ?? {};
    expect(former).toMatchObject({ hubId: "hub-1", epoch: "epoch-1" });
    expect(former?.orders.map(({ posReference, version }) => [posReference, version])).toEqual([
      ["older", 3],
      ["missing", 4],
      ["other", 3],
    ]);
  });

  it("nothing is reported without a fork or a loss; for another hub, that hub is named [CLIENT-90]", () => {
    const state = createHubState(() => 0);
    const orders = [storedOrder("A", 3)];
    state.sync(syncPage({ orders }));
    expect(state.sync(syncPage({ orders: [] }))).not.toHaveProperty("former");
    state.sync(syncPage({ orders }));
    expect(state.sync(syncPage({ epoch: "epoch-2", orders }))).not.toHaveProperty("former");
    const { former } = state.sync(syncPage({ hubId: "hub-2", epoch: "epoch-3" })) ?? {};
    expect(former).toMatchObject({ hubId: "hub-1", epoch: "epoch-2", orders });
  });
});
