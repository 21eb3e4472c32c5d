import { clocks } from "./clocks.ts";
import { damage } from "./damage.ts";
import { fullDisk } from "./full-disk.ts";
import { ioErrors } from "./io-errors.ts";
import { kill } from "./kill.ts";
import { restores } from "./restores.ts";
import type { Part } from "./part.ts";
import { powerCut } from "./power-cut.ts";

/** Every part of the fault suite, in the order in which they run. */
export const parts: readonly Part[] = [kill, powerCut, damage, restores, ioErrors, fullDisk, clocks];
