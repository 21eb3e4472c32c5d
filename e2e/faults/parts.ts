import { backOffice } from "./back-office.ts";
import { clocks } from "./clocks.ts";
import { damage } from "./damage.ts";
import { flippedValues } from "./flipped-values.ts";
import { evenings } from "./evenings.ts";
import { fullDisk } from "./full-disk.ts";
import { ioErrors } from "./io-errors.ts";
import { kill } from "./kill.ts";
import { largeFile } from "./large-file.ts";
import { restores } from "./restores.ts";
import type { Part } from "./part.ts";
import { printing } from "./printing.ts";
import { powerCut } from "./power-cut.ts";
import { terminals } from "./terminals.ts";

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
