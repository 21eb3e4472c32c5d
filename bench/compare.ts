/**
 * `npm run bench:compare -- CHECKOUT [--times N] [flags of the bench]`: builds the hub of another checkout and runs the same
 * bench alternately on it and on ours. Prints each figure before (CHECKOUT) and after (this checkout): the values, and the
 * ratios to the limit, which depend less on the machine's noise.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Figure } from "./lib/figure.ts";
import { repoRoot } from "./lib/program.ts";
import { median } from "./lib/statistics.ts";

type Side = "before" | "after";
type Values = Record<Side, { ours: number[]; ratio: number[] }>;

const [checkout, ...rest] = process.argv.slice(2);
const timesAt = rest.indexOf("--times");
const times = timesAt < 0 ? 3 : Number(rest[timesAt + 1]);
const flags = timesAt < 0 ? rest : rest.toSpliced(timesAt, 2);
const hubs: Record<Side, string> = {
  before: path.resolve(checkout ?? "", "dist/hub/main.js"),
  after: path.join(repoRoot, "dist/hub/main.js"),
};
if (checkout === undefined || !existsSync(path.join(checkout, "build/bootstrap.mjs")) || !(times >= 1)) {
  console.error(
    "npm run bench:compare -- CHECKOUT [--times N] [--only writes,latency,…]: CHECKOUT is another checkout",
  );
  process.exit(1);
}
// Built as npm builds ours: an existing build there may be of another commit.
const built = spawnSync(process.execPath, ["build/bootstrap.mjs", "hub"], { cwd: checkout, stdio: "inherit" });
if (built.status !== 0 || !existsSync(hubs.before)) {
  console.error(`the hub of ${checkout} could not be built`);
  process.exit(1);
}

const figures = new Map<string, { figure: Figure; values: Values }>();
for (let time = 1; time <= times; time += 1) {
  for (const side of turn(time)) {
    console.log(`${side}, ${time} of ${times} …`);
    for (const figure of measure(hubs[side])) note(side, figure);
  }
}
console.log("\n| figure | before | after | change | ratio before | ratio after | change |");
console.log("|---|---:|---:|---:|---:|---:|---:|");
for (const { figure, values } of figures.values()) {
  const { before, after } = values;
  const cells = [...row(before.ours, after.ours), ...row(before.ratio, after.ratio)];
  console.log(`| ${figure.text} [${figure.unit}] | ${cells.join(" | ")} |`);
}

function measure(hub: string): Figure[] {
  const bench = path.join(import.meta.dirname, "main.ts");
  const { status, stderr } = spawnSync(process.execPath, [bench, "--rounds", "1", ...flags], {
    env: { ...process.env, BENCH_HUB: hub },
    encoding: "utf8",
  });
  if (status !== 0) console.error(stderr.trim());
  const report = JSON.parse(readFileSync(path.join(repoRoot, ".cache/bench/last.json"), "utf8")) as {
    figures: Figure[];
  };
  return report.figures;
}

function note(side: Side, figure: Figure): void {
  const values: Values = { before: { ours: [], ratio: [] }, after: { ours: [], ratio: [] } };
  const entry = figures.get(figure.id) ?? { figure, values };
  figures.set(figure.id, entry);
  entry.values[side].ours.push(figure.ours);
  if (figure.ratio !== undefined) entry.values[side].ratio.push(figure.ratio);
}

/** Returns the order of a turn. The sides take turns in going first: the second has been seen to be a tenth slower. */
function turn(time: number): readonly Side[] {
  return time % 2 === 1 ? ["before", "after"] : ["after", "before"];
}

function row(before: readonly number[], after: readonly number[]): string[] {
  if (before.length === 0 || after.length === 0) return ["", "", ""];
  const [medianBefore, medianAfter] = [median(before), median(after)];
  return [
    medianBefore.toPrecision(3),
    medianAfter.toPrecision(3),
    `${medianAfter >= medianBefore ? "+" : ""}${(((medianAfter - medianBefore) / medianBefore) * 100).toFixed(0)} %`,
  ];
}
