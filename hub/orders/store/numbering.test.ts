import { DAY_MS, type Snapshot } from "@comanda/protocol";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { noteLostTail } from "../../db/restore/fork-history.ts";
import { realWorld } from "../../platform/world.ts";
import { createNumbering } from "./numbering.ts";

it("ticket numbers continue above those that another hub has issued, however many [REST-1]", async () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const numbering = createNumbering(db, "UTC");
  const at = new Date().toISOString();
  const snapshot: Snapshot = {
    posReference: "A",
    status: "open",
    orderType: "takeout",
    tableId: null,
    guestCount: 1,
    createdAt: at,
    updatedAt: at,
    lines: [],
    totals: { subtotal: 0, tax: 0, total: 0 },
  };
  for (const [ticketNumber, following] of [
    ["T-041", "T-042"],
    ["T-1007", "T-1008"],
    ["T-12", "T-1009"],
  ] as const) {
    numbering.skip({ ...snapshot, ticketNumber: ticketNumber });
    expect(await changes.write((tx) => numbering.ticketNumber(tx, "takeout"))).toBe(following);
  }
});

it("ticket numbers stay short enough to call out, however often the end of the file is lost [REST-1]", () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const first = world.clock.now();
  for (let night = 0; night < 20; night += 1) {
    noteLostTail(db, { ...world, clock: { ...world.clock, now: () => first + night * DAY_MS } });
  }
  const highest = db.prepare<[], number>("SELECT max(last) FROM ticket_counters").pluck().get() ?? 0;
  expect(highest).toBeLessThan(10_000);
});
