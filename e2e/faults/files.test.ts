// @module-tag long
// The short form of the parts that check what is left on the disk.
import { it } from "vitest";
import { damage } from "./parts/damage.ts";
import { expectNothing, PART_MS } from "./expect-nothing.ts";
import { flippedValues } from "./parts/flipped-values.ts";
import { largeFile } from "./parts/large-file.ts";
import { powerCut } from "./parts/power-cut.ts";
import { restores } from "./parts/restores.ts";

it("a power cut at any write loses nothing [FAULT-2]", () => expectNothing(powerCut), PART_MS);
it("a damaged file of the data folder is never hidden [FAULT-3]", () => expectNothing(damage), PART_MS);
it("a value that changed on the disk is never taken for true [FAULT-100]", () => expectNothing(flippedValues), PART_MS);
it("damage of a large data file is found while it is in use [FAULT-4]", () => expectNothing(largeFile), PART_MS);
it("an interrupted restore leaves the old file or the backup [FAULT-5]", () => expectNothing(restores), PART_MS);
