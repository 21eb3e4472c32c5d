import { pino } from "pino";
import { expect, it } from "vitest";
import { createChangeLog } from "../changes/change-log.ts";
import { openMemory } from "../db/open.ts";
import { realWorld } from "../platform/world.ts";
import { createFiscalRequests } from "./fiscal-requests.ts";

it("a manager's new request does not wait for the back-off of the one that it replaces [FISC-3]", async () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const requests = createFiscalRequests(db);
  const write = (type: string, now: number) => changes.write((tx) => requests.add({ ...tx, now }, "A", type, null));
  const fail = { error: null, errorCode: null };
  await write("B02", 1_000);
  const request = requests.get("A");
  if (request === null) throw new Error("nothing is asked for");
  await write("B01", 2_000);
  await changes.write((tx) => requests.postpone({ ...tx, now: 3_000 }, { ...request, attempts: 9 }, 1_000, fail));
  expect(requests.listDue(3_000, false)).toEqual(["A"]);
  const next = requests.get("A");
  expect(next).toMatchObject({ type: "B01", attempts: 0 });
  await changes.write((tx) => requests.postpone({ ...tx, now: 3_000 }, next ?? request, 1_000, fail));
  expect(requests.listDue(3_999, false)).toEqual([]);
  expect(requests.listDue(4_000, false)).toEqual(["A"]);
});

it("of receipts that one batch left unsigned, the one written last is the newest [ECF-11]", async () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const requests = createFiscalRequests(db);
  await createChangeLog(db, world).write((tx) => {
    for (const posReference of ["B", "C", "A"]) {
      requests.noteReceipt(tx, { posReference, state: "signing", type: "E32", ncf: null });
    }
  });
  expect(requests.listDueReceipts(world.clock.now(), { signing: 1_000, sent: 1_000 }, true)).toEqual(["A"]);
});
