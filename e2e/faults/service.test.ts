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
it("disk errors are reported and lose nothing once they pass [FAULT-6]", long, () => expectNothing(ioErrors));
it("a full disk is reported and loses nothing once there is space [FAULT-7]", long, () => expectNothing(fullDisk));
it("jumps of the wall clock lose and double nothing [FAULT-8]", long, () => expectNothing(clocks));
it("a bad connection to the back-office loses and doubles nothing [FAULT-9]", long, () => expectNothing(backOffice));
it("killed terminals and a bad network lose and double nothing [FAULT-10]", long, () => expectNothing(terminals));
it(
  "printer faults and kill -9 of the hub lose, double and hide no document [FAULT-13]",
  () => expectNothing(printing),
  PART_MS,
);
