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

it("kill -9 of the hub loses and doubles nothing [FAULT-1]", () => expectNothing(kill), PART_MS);
it("errors of the disk are said and pass without a trace [FAULT-6]", long, () => expectNothing(ioErrors));
it("a full disk is said and passes without a trace [FAULT-7]", long, () => expectNothing(fullDisk));
it("jumps of the wall clock lose and double nothing [FAULT-8]", long, () => expectNothing(clocks));
it("a bad line to the back-office loses and doubles nothing [FAULT-9]", long, () => expectNothing(backOffice));
it("killed terminals and a bad network lose and double nothing [FAULT-10]", long, () => expectNothing(terminals));
it(
  "faults of printers and kill -9 lose, double and hide no document [FAULT-13]",
  () => expectNothing(printing),
  PART_MS,
);
