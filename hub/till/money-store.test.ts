import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { Tx } from "../changes/change.ts";
import { migrate } from "../db/migrate.ts";
import { createMemory } from "../db/remembered.ts";
import { realWorld } from "../platform/world.ts";
import { createMoneyStore, type NewMoney } from "./money-store.ts";
import { createTillStore } from "./till-store.ts";

const at = (now: number): Tx => ({
  now,
  firstSeq: 1,
  nextSeq: () => 1,
  emit: () => {},
  notify: () => {},
  onUndo: () => {},
});

function payment(posReference: string): NewMoney {
  return {
    identity: posReference,
    posReference,
    kind: "payment",
    methodId: "1",
    amount: 100,
    tip: 0,
    drawer: 100,
    currency: null,
    foreign: 0,
    staffName: null,
    userName: "Ana",
    terminalId: "caja",
    shiftId: null,
    queuedShiftId: null,
    isKept: 0,
    isSettling: 1,
  };
}

it("unassigned money is listed since the first till, and before for the session, whatever the clock showed [TILL-11]", () => {
  const db = new Database(":memory:");
  migrate(db, realWorld(pino({ level: "silent" })));
  const [money, tills] = [createMoneyStore(db), createTillStore(db)];
  const memory = createMemory(db);
  const listed = (session: number) => money.listUnassigned(String(session)).map(({ posReference }) => posReference);
  const bar = { id: "bar", name: "Barra", printer: null, terminals: [], isRemoved: false };
  money.add(at(9_000), payment("before a session was known"));
  memory.write("countedSession", 1, 0);
  money.add(at(7_500), payment("of the session before"));
  memory.write("countedSession", 2, 0);
  money.add(at(5_000), payment("of this session"));
  expect(listed(2)).toEqual(["of this session"]);
  tills.change(at(6_000), bar);
  // The clock was set back.
  money.add(at(2_000), payment("with tills"));
  tills.change(at(7_000), { ...bar, name: "Caja", isRemoved: true });
  money.add(at(8_000), payment("after the till"));
  expect(listed(2)).toEqual(["after the till", "of this session", "with tills"]);
  expect(listed(3)).toEqual(["after the till", "with tills"]);
  db.close();
});

it("counts kept money to the session in which it is decided on, as its check is [TILL-312]", () => {
  const db = new Database(":memory:");
  migrate(db, realWorld(pino({ level: "silent" })));
  const money = createMoneyStore(db);
  const memory = createMemory(db);
  memory.write("countedSession", 1, 0);
  money.add(at(1_000), { ...payment("A"), isKept: 1 });
  memory.write("countedSession", 2, 0);
  const [kept] = money.listUnassignedBySession("1");
  if (kept === undefined) throw new Error("the payment is missing");
  money.mark(at(2_000), { ...kept, identity: "A 2" });
  expect(money.listUnassignedBySession("1")).toHaveLength(1);
  money.mark(at(3_000), { ...kept, isKept: 0, isSettling: 1 });
  expect([money.listUnassignedBySession("1").length, money.listUnassignedBySession("2").length]).toEqual([0, 1]);
  memory.write("countedSession", 3, 0);
  money.mark(at(4_000), { ...kept, isKept: 0 });
  expect(money.listUnassignedBySession("2")).toHaveLength(1);
  db.close();
});
