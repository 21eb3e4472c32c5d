import { pino } from "pino";
import { expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { realWorld } from "../../platform/world.ts";
import { createFactStore } from "./fact-store.ts";
import { createFactRecorder } from "./record-facts.ts";

it("an opened session is recorded as a fact, also after a first failed write [CHAIN-18]", async () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const facts = createFactStore(db);
  const recorder = createFactRecorder({ db, facts, tills: { list: () => [], getShift: () => null } });
  changes.addRecorder(recorder.record);
  const open = (isDiskFull: boolean): Promise<void> =>
    changes.write((tx) => {
      tx.emit({ kind: "session.changed", session: { active: true } });
      if (isDiskFull) throw new Error("the disk is full");
    });
  await expect(open(true)).rejects.toThrow("the disk is full");
  await open(false);
  await open(false);
  expect(facts.listAfter(0, 10).map(({ kind }) => kind)).toEqual(["session.opened"]);
});
