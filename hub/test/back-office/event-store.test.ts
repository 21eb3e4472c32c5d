import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { noteLostTail } from "../../db/restore/fork-history.ts";
import { openMemory } from "../../db/open.ts";
import { createEventStore } from "../../forwarding/event-store.ts";
import { countEvents, findEvents } from "../../forwarding/find-events.ts";
import { createAuditLog } from "../../audit/audit-log.ts";
import { realWorld } from "../../platform/world.ts";
import { fullScansOf, partialIndexes, planOf, statementsOf } from "../support/data/query-plan.ts";

const world = realWorld(pino({ level: "silent" }));
const large = ["hub_events", "forward_attempts", "audit_log"];

function open(count = 0) {
  const db = openMemory(world);
  const events = createEventStore(db);
  for (let n = 1; n <= count; n += 1) events.queue("hub_finalize", `A${n}`, 1, n);
  return { db, events };
}

/** Returns the statements that scan a large table or sort rows. */
function costly(db: ReturnType<typeof openMemory>, statements: readonly string[]): string[] {
  expect(statements.length).toBeGreaterThan(0);
  return statements.filter((sql) => {
    const plan = planOf(db, sql);
    const isSorted = plan.some((step) => step.startsWith("USE TEMP B-TREE"));
    return isSorted || fullScansOf(plan, large, partialIndexes(db)).length > 0;
  });
}

describe("the cost of forward events", () => {
  it("no statement of the event store reads the whole history [FWD-31]", () => {
    const { db } = open();
    const statements = statementsOf(db, () => createEventStore(db)).filter((sql) => !sql.includes("is_last"));
    expect(costly(db, statements)).toEqual([]);
  });

  it("waiting events are counted from their own index alone [FWD-31]", () => {
    const { db } = open();
    const statements = statementsOf(db, () => createEventStore(db));
    const counting = statements.filter((sql) => sql.includes("count(*)") || sql.includes("min(next_attempt_at)"));
    expect(counting).toHaveLength(3);
    for (const sql of counting) expect(planOf(db, sql)[0]).toContain("USING COVERING INDEX hub_event_waiting");
  });

  it("reading a page of events neither scans nor sorts the history [FWD-32]", () => {
    const { db } = open();
    for (const state of [null, "pending", "attention", "done"] as const) {
      for (const search of [null, "A1"]) {
        expect(
          costly(
            db,
            statementsOf(db, () => findEvents(db, { state, search }, null, 5)),
          ),
        ).toEqual([]);
      }
      const [counting, ...more] = statementsOf(db, () => countEvents(db, { state, search: null }));
      const isOfAll = counting === "SELECT count(*) FROM hub_events";
      if (isOfAll) expect(planOf(db, counting)[0]).toContain("COVERING INDEX");
      else expect(costly(db, [counting ?? ""])).toEqual([]);
      for (const sql of more) expect(costly(db, [sql])).toEqual([]);
    }
  });

  it("a page of events and its total match the filter [FWD-32]", () => {
    const { events } = open(30);
    for (let id = 1; id <= 20; id += 1) if (id % 2 === 0) events.done(id, 5, "finalized", 1);
    for (const id of [5, 15, 25]) events.setAside(id, 9, "later 100%", null);
    const all = events.page({ state: null, search: null }, null, 100);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, n) => 30 - n));
    for (const state of [null, "pending", "attention", "done"] as const) {
      for (const search of [null, "", "a1", "%"]) {
        const matching = all.filter(
          (each) =>
            (state === null || each.state === state) &&
            (search === null || each.posReference.toLowerCase().includes(search)),
        );
        const isOldestFirst = state === "pending" || state === "attention";
        const ordered = isOldestFirst ? matching.toReversed() : matching;
        expect(events.count({ state, search })).toEqual({ total: matching.length });
        expect(events.page({ state, search }, null, 4)).toEqual(ordered.slice(0, 4));
        const following = ordered.filter(({ id }) => (isOldestFirst ? id > 15 : id < 15));
        expect(events.page({ state, search }, 15, 100)).toEqual(following);
      }
    }
  });
});

describe("the number of forwarded events ", () => {
  it("the number of forwarded events survives their removal and a restore [FWD-33]", () => {
    const { db, events } = open(6);
    const forwarded = () => events.counts().forwarded;
    expect(forwarded()).toBe(0);
    for (const id of [1, 2, 4, 6]) events.done(id, 10, "finalized", 1);
    expect(forwarded()).toBe(4);
    db.exec("DELETE FROM hub_events WHERE forwarded = 1");
    expect(events.counts()).toMatchObject({ pending: 2, forwarded: 4 });
    noteLostTail(db, world);
    expect(forwarded()).toBe(4);
    events.queue("hub_finalize", "B", 1, 20);
    expect(events.counts()).toMatchObject({ pending: 3, forwarded: 4 });
    const [newest] = events.page({ state: "pending", search: "B" }, null, 1);
    events.done(newest?.id ?? 0, 30, "finalized", 1);
    expect(forwarded()).toBe(5);
    db.exec("DELETE FROM hub_events WHERE forwarded = 1");
    noteLostTail(db, world);
    expect(events.counts()).toMatchObject({ pending: 2, forwarded: 5 });
  });
});

describe("the audit log", () => {
  it("the audit log is read by order and by page without a full scan or a sort [OP-85]", () => {
    const { db } = open();
    const statements = statementsOf(db, () => createAuditLog(db)).filter((sql) => sql.includes("SELECT"));
    expect(statements).toHaveLength(2);
    expect(costly(db, statements)).toEqual([]);
  });
});

describe("a search over history", () => {
  it("a search counts at most 1,000 events and marks the total as capped [OP-84]", () => {
    const { events } = open(1_002);
    expect(events.count({ state: null, search: "A" })).toEqual({ total: 1_000, totalIsCapped: true });
    expect(events.count({ state: null, search: null })).toEqual({ total: 1_002 });
    expect(events.count({ state: null, search: "A100" })).toEqual({ total: 4 });
    expect(events.count({ state: null, search: "A1" }).total).toBeLessThan(1_000);
  });
});
