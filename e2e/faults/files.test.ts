// @module-tag long
// The short form of the parts that check what is left on the disk.
import { it } from "vitest";
import { damage } from "./parts/damage.ts";
import { expectNothing, PART_MS } from "./expect-nothing.ts";
import { flippedValues } from "./parts/flipped-values.ts";
import { largeFile } from "./parts/large-file.ts";
import { powerCut } from "./parts/power-cut.ts";
import { restores } from "./parts/restores.ts";

it("[FAULT-2] a power cut at any write loses nothing", () => expectNothing(powerCut), PART_MS);
it("[FAULT-3] a damaged file of the data folder is never hidden", () => expectNothing(damage), PART_MS);
it("[FAULT-100] a value that changed on the disk is never believed", () => expectNothing(flippedValues), PART_MS);
it("[FAULT-4] damage of a large data file is found while it is in use", () => expectNothing(largeFile), PART_MS);
it("[FAULT-5] a restore that was cut off leaves the old file or the backup", () => expectNothing(restores), PART_MS);
