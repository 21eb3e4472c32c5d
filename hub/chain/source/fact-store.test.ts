import { pino } from "pino";
import { expect, it } from "vitest";
import { openMemory } from "../../db/open.ts";
import { realWorld } from "../../platform/world.ts";
import { createFactStore } from "./fact-store.ts";

it("beyond the limit, the oldest facts that hold no money are dropped and counted [CHAIN-18]", () => {
  const db = openMemory(realWorld(pino({ level: "silent" })));
  const facts = createFactStore(db, 150);
  for (let n = 0; n < 151; n += 1) {
    const isMoney = n % 10 === 0;
    facts.record(Date.parse("2026-01-01T00:00:00Z") + n, {
      kind: isMoney ? "shift.closed" : "backup.made",
      body: {},
      isMoney,
    });
  }
  const stored = facts.listAfter(0, 1_000);
  expect(stored.filter(({ kind }) => kind === "shift.closed")).toHaveLength(16);
  expect(stored.filter(({ kind }) => kind === "backup.made")).toHaveLength(135 - 100);
  expect(stored.at(-1)).toMatchObject({
    kind: "facts.dropped",
    body: { count: 100, from: "2026-01-01T00:00:00.001Z", to: "2026-01-01T00:00:00.111Z" },
  });
  expect(facts.lastId()).toBe(152);
});
