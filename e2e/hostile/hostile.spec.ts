import { expect, test } from "@playwright/test";
import type { AttackerGroup } from "./attackers/main.ts";
import { MAX_RATIO, runHostile } from "./hostile-run.ts";

const SECONDS = Number(process.env["HOSTILE_SECONDS"] ?? 15);
const MAX_MIB = 400;
const MAX_STOP_MS = 10_000;

const groups: readonly AttackerGroup[] = ["strangers", "requesters", "colleagues", "crowds"];

for (const group of groups) {
  test(`attacks by ${group} neither slow nor refuse honest clients [FAULT-12]`, () => expectNoCost(group));
}

async function expectNoCost(group: AttackerGroup): Promise<void> {
  test.setTimeout((2 * SECONDS + 90) * 1_000);
  const outcome = await runHostile({ group, quietMs: SECONDS * 1_000, hostileMs: SECONDS * 1_000 });
  const { p99, refusals, peakMiB, stop, falseLosses, differences, errors } = outcome;
  const figures = Object.entries(p99).map(
    ([action, { quiet, onset, hostile }]) =>
      `${action}: p99 ${quiet.toFixed(1)} ms quiet, ${hostile.toFixed(1)} ms hostile (${onset.toFixed(1)} ms at first)`,
  );
  process.stdout.write(`${figures.join("\n")}\n`);
  process.stdout.write(`memory ${Math.round(peakMiB)} MiB at most, stop in ${Math.round(stop.ms)} ms\n`);
  expect.soft(refusals).toEqual([]);
  for (const [action, { quiet, hostile }] of Object.entries(p99)) {
    expect.soft(hostile / quiet, action).toBeLessThanOrEqual(MAX_RATIO);
  }
  expect.soft(peakMiB).toBeLessThan(MAX_MIB);
  expect.soft(stop.code).toBe(0);
  expect.soft(stop.ms).toBeLessThan(MAX_STOP_MS);
  expect.soft(falseLosses).toBe(0);
  expect.soft(differences).toEqual([]);
  expect.soft(errors).toEqual([]);
}
