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
  atOnce: 2,
  async open({ folder, random }) {
    const bed = await openTestBed();
    const prepared = await prepareFolders(bed, folder, random, 60);
    return {
      async run(round) {
        const given = prepared[round.index % prepared.length]!;
        const data = join(round.folder, "data");
        cpSync(given.folder, data, { recursive: true });
        const { what, isTold } = flipValue(join(data, DATA_FILE), round.random);
        await probe(bed, { data, prepared: given, what: `a ${given.name} end, ${what}`, round, isTold });
      },
      close: () => bed.restaurant.close(),
    };
  },
};
