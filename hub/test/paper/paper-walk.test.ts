// @module-tag long
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { realWorld, type World } from "../../platform/world.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openPaperHub } from "./open-paper-hub.ts";
import { step } from "./paper-evening.ts";
import { PrintedEvening } from "./printed-evening.ts";

/** Number of evenings (override with PAPER_WALKS). */
const WALKS = Number(process.env["PAPER_WALKS"] ?? 60);

const folder = mkdtempSync(path.join(tmpdir(), "paper-walk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => path.join(folder, `${(files += 1)}.sqlite`);

it("printers with faults and a killed hub print what the checks say, once or with a person's help [PRINT-1, PRINT-4, PRINT-550]", async () => {
  const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });
  const template = newFile();
  openPaperHub(template, realWorld(log)).close();
  const used = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60, size: "max" }), async (walk) => {
      const clock = manualClock();
      const world: World = { ...realWorld(log), ...clock.world };
      const file = newFile();
      for (const suffix of ["", "-wal"])
        if (existsSync(template + suffix)) copyFileSync(template + suffix, file + suffix);
      const evening = new PrintedEvening(file, world, clock, newFile);
      try {
        await evening.begin();
        for (const each of walk) await evening.take(each);
        expect(await evening.end()).toEqual([]);
      } finally {
        await evening.stop();
      }
      for (const [kind, count] of evening.used) used.set(kind, (used.get(kind) ?? 0) + count);
    }),
    { numRuns: WALKS },
  );
  process.stdout.write(`paper walk: ${WALKS} evenings, ${[...used].map((each) => each.join(" ")).join(", ")}\n`);
}, 600_000);
