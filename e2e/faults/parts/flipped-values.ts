import { cpSync } from "node:fs";
import { join } from "node:path";
import { flipValue } from "./flip-value.ts";
import type { Part } from "../part.ts";
import { prepareFolders } from "../prepared-folders.ts";
import { probe } from "../probe.ts";
import { DATA_FILE, openTestBed } from "../test-bed.ts";

/** One value of one row changes while the hub is down, unnoticed by SQLite. The hub must report it unless it was a copy. */
export const flippedValues: Part = {
  name: "flipped-values",
  rounds: { long: 120, short: 8 },
  concurrency: 2,
  async open({ folder, random }) {
    const bed = await openTestBed();
    const prepared = await prepareFolders(bed, folder, random, 60);
    return {
      async run(round) {
        const source = prepared[round.index % prepared.length]!;
        const data = join(round.folder, "data");
        cpSync(source.folder, data, { recursive: true });
        const { description, mustBeReported } = flipValue(join(data, DATA_FILE), round.random);
        await probe(bed, {
          data,
          prepared: source,
          scenario: `a ${source.name} end, ${description}`,
          round,
          mustBeReported,
        });
      },
      close: () => bed.restaurant.close(),
    };
  },
};
