// The short form of the parts in which terminals work while something fails.
import { it } from "vitest";
import { backOffice } from "./back-office.ts";
import { clocks } from "./clocks.ts";
import { expectNothing, PART_MS } from "./expect-nothing.ts";
import { fullDisk } from "./full-disk.ts";
import { ioErrors } from "./io-errors.ts";
import { kill } from "./kill.ts";
import { terminals } from "./terminals.ts";

it("[FAULT-1] kill -9 of the hub loses and doubles nothing", () => expectNothing(kill), PART_MS);
it("[FAULT-6] errors of the disk are said and pass without a trace", () => expectNothing(ioErrors), PART_MS);
it("[FAULT-7] a full disk is said and passes without a trace", () => expectNothing(fullDisk), PART_MS);
it("[FAULT-8] jumps of the wall clock lose and double nothing", () => expectNothing(clocks), PART_MS);
it("[FAULT-9] a bad line to the back-office loses and doubles nothing", () => expectNothing(backOffice), PART_MS);
it("[FAULT-10] killed terminals and a bad network lose and double nothing", () => expectNothing(terminals), PART_MS);
