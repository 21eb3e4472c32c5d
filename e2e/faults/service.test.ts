// The short form of the parts in which terminals work during failures.
import { it } from "vitest";
import { backOffice } from "./parts/back-office.ts";
import { clocks } from "./parts/clocks.ts";
import { expectNothing, PART_MS } from "./expect-nothing.ts";
import { fullDisk } from "./parts/full-disk.ts";
import { ioErrors } from "./parts/io-errors.ts";
import { kill } from "./parts/kill.ts";
import { printing } from "./parts/printing.ts";
import { terminals } from "./parts/terminals.ts";

const long = { tags: "long", timeout: PART_MS };

it("[FAULT-1] kill -9 of the hub loses and doubles nothing", () => expectNothing(kill), PART_MS);
it("[FAULT-6] errors of the disk are said and pass without a trace", long, () => expectNothing(ioErrors));
it("[FAULT-7] a full disk is said and passes without a trace", long, () => expectNothing(fullDisk));
it("[FAULT-8] jumps of the wall clock lose and double nothing", long, () => expectNothing(clocks));
it("[FAULT-9] a bad line to the back-office loses and doubles nothing", long, () => expectNothing(backOffice));
it("[FAULT-10] killed terminals and a bad network lose and double nothing", long, () => expectNothing(terminals));
it(
  "[FAULT-13] faults of printers and kill -9 lose, double and hide no document",
  () => expectNothing(printing),
  PART_MS,
);
