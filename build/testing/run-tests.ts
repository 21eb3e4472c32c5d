// `npm test`: every check, and the most telling tests of a few minutes. `npm run test:all`: every test without a real Electron
// binary. `npm run check`: `npm test` without a browser. Ends with a line `N passed, N failed`, and exits 1 after any failure.
// With `--more-until SECONDS` (since 1970), `npm test` continues with parts of the rest that fit.
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { readCommandLine, refuse } from "../command-line.ts";
import { scratchDisk } from "./scratch-disk.ts";
import { ensure, explain } from "./system-packages.ts";
import { type Count, type Failure, readReport, type ReportKind } from "./test-reports.ts";

interface Step {
  name: string;
  run: [command: string, ...args: string[]];
  /** The step's report of passed and failed tests. A step without one counts as one test; two of these run in parallel. */
  report?: { file: string; kind: ReportKind };
}

const root = path.resolve(import.meta.dirname, "../..");
const reports = path.join(root, ".cache", "reports");
const beganAt = Date.now();
const usage = "npm test -- [--more-until SECONDS], npm run test:all, npm run check";
const { values, positionals } = readCommandLine(usage, {
  allowPositionals: true,
  options: { "more-until": { type: "string" } },
});
const [set = "short"] = positionals;

// The longest come first: most of each runs on one core, in parallel with others.
const checks: Step[] = [
  { name: "types", run: ["npm", "run", "--silent", "types"] },
  { name: "lint", run: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", run: ["oxfmt", "--check"] },
  { name: "unused members", run: ["node", "build/checks/check-members.ts"] },
  { name: "imports", run: ["node", "build/checks/check-imports.ts"] },
  { name: "unused code", run: ["knip"] },
  { name: "versions", run: ["node", "build/stamp-version.ts", "--check"] },
  { name: "rules and their tests", run: ["node", "build/checks/check-spec.ts"] },
  { name: "generated files", run: ["node", "build/generate.ts", "--check"] },
];
/** Returns a step with Vitest's tests, filtered by `tags` (vitest.config.ts). */
function unitTests(name: string, tags?: "long" | "!long"): Step {
  const file = `${name.replaceAll(/\W+/g, "-")}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=.cache/reports/${file}`];
  const chosen = tags === undefined ? [] : [`--tags-filter=${tags}`];
  return { name, run: ["vitest", "run", ...reporters, ...chosen], report: { file, kind: "vitest" } };
}

/** Returns a step with Playwright's tests, filtered by `only` (e2e/playwright.config.ts). */
function browserTests(name: string, projects: string[], ...only: string[]): Step {
  const file = `${name.replaceAll(/\W+/g, "-")}.json`;
  const chosen = [...projects.map((project) => `--project=${project}`), ...only];
  return {
    name,
    run: ["playwright", "test", "-c", "e2e/playwright.config.ts", ...chosen],
    report: { file, kind: "playwright" },
  };
}

const pages = ["screens", "touch", "desktop", "headquarters"];
const sets: Record<string, Step[]> = {
  check: [unitTests("unit and package tests", "!long")],
  short: [unitTests("unit and package tests", "!long"), browserTests("walks through the apps", pages, "--grep=@walk")],
  all: [
    unitTests("unit and package tests"),
    browserTests("end-to-end tests", pages),
    // It compares latencies, so nothing else may run.
    browserTests("hostile clients", ["hostile"]),
    // Too short to measure anything, but shows that every benchmark works.
    { name: "every benchmark, in short", run: ["node", "bench/main.ts", "--quick"] },
  ],
};
const touchOnly = ["--grep-invert=@walk|@looks"];
/** The duration of `npm test` on two cores. */
const SHORT_SECONDS = 300;
/**
 * The steps of `npm run test:all` that `npm test` lacks, the most telling first, with their durations on two cores. The looks
 * of all screens in each size and theme come last.
 */
const more: { step: Step; seconds: number }[] = [
  { step: browserTests("touch terminal, first half", ["touch"], ...touchOnly, "--shard=1/2"), seconds: 140 },
  { step: browserTests("touch terminal, second half", ["touch"], ...touchOnly, "--shard=2/2"), seconds: 140 },
  { step: browserTests("desktop app", ["desktop"], "--grep-invert=@walk"), seconds: 110 },
  { step: unitTests("long tests", "long"), seconds: 400 },
  { step: browserTests("hostile clients", ["hostile"]), seconds: 150 },
  { step: browserTests("screens", ["screens"], "--grep-invert=@walk|@looks"), seconds: 200 },
  { step: browserTests("headquarters", ["headquarters"], "--grep-invert=@walk|@looks"), seconds: 100 },
  { step: browserTests("sizes and themes", ["screens", "touch", "headquarters"], "--grep=@looks"), seconds: 270 },
];
const steps = sets[set];
if (steps === undefined) refuse(`There is no set "${set}": ${Object.keys(sets).join(", ")}`, usage);

mkdirSync(reports, { recursive: true });
const compiler = ["gcc", "libc6-dev"];
const required =
  set === "check" ? ["minisign", ...compiler] : ["minisign", ...compiler, "chromium", "xvfb", "avahi-utils"];
// The specs use the headless shell if available, because its pages cost less; otherwise the full Chromium.
const withShell = set === "check" ? null : ensure([...required, "chromium-headless-shell"]);
const ensured = withShell?.ok === true ? withShell : ensure(required);
if (!ensured.ok) console.log(explain(ensured));

/** Removed with everything that tests and their programs leave behind. */
const scratch = mkdtempSync(path.join(scratchDisk(), "comanda-test-"));
// A server that does not run as root must reach its own folder inside.
chmodSync(scratch, 0o711);
process.once("exit", () => {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that is still exiting may hold a file.
  }
});

let passed = 0;
let failed = 0;
const failedSteps: string[] = [];
const failures: Failure[] = [];
await Promise.all([runChecks(), runChecks()]);
for (const step of steps) await take(step);
if (values["more-until"] !== undefined) await takeMore(Number(values["more-until"]) * 1000);
// Repeated at the end, because some keep only the last lines of a run.
for (const { test, message } of failures) console.log(`\n✘ ${test}\n${message}`);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(", ")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs the steps expected to finish by `end`, at this machine's speed so far. */
async function takeMore(end: number): Promise<void> {
  const slownessSince = (start: number, seconds: number): number => (Date.now() - start) / 1000 / seconds;
  let slowness = Math.max(1, slownessSince(beganAt, SHORT_SECONDS));
  for (const { step, seconds } of more) {
    const start = Date.now();
    const expected = Math.round(seconds * slowness);
    if (start + expected * 1000 > end) {
      console.log(`\n– ${step.name}: left to npm run test:all, would take about ${expected} s`);
      continue;
    }
    await take(step);
    slowness = Math.max(slowness, slownessSince(start, seconds));
  }
}

/** Runs checks one after the other, and prints the output of each in one piece. */
async function runChecks(): Promise<void> {
  for (let step = checks.shift(); step !== undefined; step = checks.shift()) await take(step, "together");
}

/** Runs a step and adds up its results. */
async function take(step: Step, output?: "together"): Promise<void> {
  const startedAt = Date.now();
  if (output !== "together") console.log(`\n▶ ${step.name}`);
  if (step.report !== undefined) rmSync(path.join(reports, step.report.file), { force: true });
  const { isGood, printed } = await run(step, output);
  const counted = count(step, isGood);
  passed += counted.passed;
  failed += counted.failed;
  failures.push(...counted.failures);
  if (!isGood || counted.failed > 0) failedSteps.push(step.name);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const mark = isGood ? "✔" : "✘";
  console.log(`${printed}${mark} ${step.name}: ${counted.passed} passed, ${counted.failed} failed (${seconds} s)`);
}

function run({ name, run: [command, ...args], report }: Step, output?: "together") {
  return new Promise<{ isGood: boolean; printed: string }>((resolve) => {
    const bin = path.join(root, "node_modules", ".bin");
    const env = {
      ...process.env,
      TMPDIR: scratch,
      TMP: scratch,
      TEMP: scratch,
      NODE_COMPILE_CACHE: path.join(scratch, "compiled"),
      // Half of the cores per check: type checkers repeat most of their work on each core.
      ...(output === "together" ? { GOMAXPROCS: String(Math.ceil(availableParallelism() / 2)) } : {}),
      PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`,
      ...(report?.kind === "playwright" ? { PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(reports, report.file) } : {}),
    };
    const stdio: StdioOptions = output === "together" ? ["ignore", "pipe", "pipe"] : "inherit";
    const child: ChildProcess = spawn(command, args, { cwd: root, env, stdio, shell: process.platform === "win32" });
    let printed = output === "together" ? `\n▶ ${name}\n` : "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    }
    child.on("error", (error) => resolve({ isGood: false, printed: `${printed}${error.message}\n` }));
    child.on("close", (code) => resolve({ isGood: code === 0, printed }));
  });
}

/** Counts a step's tests from its report. A failed step counts at least one failure. */
function count(step: Step, isGood: boolean): Count {
  const file = step.report === undefined ? null : path.join(reports, step.report.file);
  if (step.report === undefined || file === null || !existsSync(file)) {
    return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, failures: [] };
  }
  const reported = readReport(step.report.kind, readFileSync(file, "utf8"));
  return isGood ? reported : { ...reported, failed: Math.max(1, reported.failed) };
}
