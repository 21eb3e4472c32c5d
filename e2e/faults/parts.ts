import { backOffice } from "./parts/back-office.ts";
import { clocks } from "./parts/clocks.ts";
import { damage } from "./parts/damage.ts";
import { flippedValues } from "./parts/flipped-values.ts";
import { evenings } from "./parts/evenings.ts";
import { fullDisk } from "./parts/full-disk.ts";
import { ioErrors } from "./parts/io-errors.ts";
import { kill } from "./parts/kill.ts";
import { largeFile } from "./parts/large-file.ts";
import { restores } from "./parts/restores.ts";
import type { Part } from "./part.ts";
import { printing } from "./parts/printing.ts";
import { powerCut } from "./parts/power-cut.ts";
import { terminals } from "./parts/terminals.ts";

/** Every part of the fault suite, in the order in which they run. */
export const parts: readonly Part[] = [
  kill,
  powerCut,
  damage,
  flippedValues,
  largeFile,
  restores,
  evenings,
  ioErrors,
  fullDisk,
  clocks,
  backOffice,
  terminals,
  printing,
];
