// `npm test`: every check and test that needs no real Electron binary; `npm run check`: all but the end-to-end tests. Ends
// with a line `N passed, N failed` and exits 1 when anything failed.
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { scratchDisk } from "./scratch-disk.ts";
import { ensure, explain } from "./system-packages.ts";
import { type Count, type Failure, readReport, type ReportKind } from "./test-reports.ts";

interface Step {
  name: string;
  run: [command: string, ...args: string[]];
  /** The step's report of passed and failed tests; without it the step counts as one test, and two of them run at a time. */
  report?: { file: string; kind: ReportKind };
}

const root = path.resolve(import.meta.dirname, "..");
const reports = path.join(root, ".cache", "reports");
const isCheck = process.argv.includes("check");

// The longest comes first: most of it runs on one core, beside the others.
const checks: Step[] = [
  { name: "unused members", run: ["node", "build/check-members.ts"] },
  { name: "types", run: ["tsc", "-b"] },
  { name: "lint", run: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", run: ["oxfmt", "--check"] },
  { name: "imports", run: ["node", "build/check-imports.ts"] },
  { name: "unused code", run: ["knip"] },
  { name: "versions", run: ["node", "build/stamp-version.ts", "--check"] },
  { name: "rules and their tests", run: ["node", "build/check-spec.ts"] },
  { name: "generated files", run: ["node", "build/generate.ts", "--check"] },
];
const tests: Step[] = [
  {
    name: "unit and package tests",
    run: ["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json=.cache/reports/vitest.json"],
    report: { file: "vitest.json", kind: "vitest" },
  },
];
const endToEnd: Step[] = [
  {
    name: "end-to-end tests",
    run: [
      "playwright",
      "test",
      "-c",
      "e2e/playwright.config.ts",
      "--project=screens",
      "--project=touch",
      "--project=desktop",
    ],
    report: { file: "playwright.json", kind: "playwright" },
  },
  {
    // It compares latencies: nothing runs beside it.
    name: "hostile clients",
    run: ["playwright", "test", "-c", "e2e/playwright.config.ts", "--project=hostile"],
    report: { file: "hostile.json", kind: "playwright" },
  },
];

mkdirSync(reports, { recursive: true });
const compiler = ["gcc", "libc6-dev"];
const wanted = isCheck ? ["minisign", ...compiler] : ["minisign", ...compiler, "chromium", "xvfb", "avahi-utils"];
// The specs run in it where there is one, because its pages cost less; in the whole Chromium otherwise.
const withShell = isCheck ? null : ensure([...wanted, "chromium-headless-shell"]);
const ensured = withShell?.ok === true ? withShell : ensure(wanted);
if (!ensured.ok) console.log(explain(ensured));

/** Removed with everything that tests and their programs leave behind. */
const scratch = mkdtempSync(path.join(scratchDisk(), "comanda-test-"));
process.once("exit", () => {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that is still ending may hold a file.
  }
});

let passed = 0;
let failed = 0;
const failedSteps: string[] = [];
const failures: Failure[] = [];
await Promise.all([runChecks(), runChecks()]);
for (const step of isCheck ? tests : [...tests, ...endToEnd]) {
  console.log(`\n▶ ${step.name}`);
  await take(step);
}
// Repeated at the end, for those who keep only the last lines of a run.
for (const { test, message } of failures) console.log(`\n✘ ${test}\n${message}`);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(", ")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Takes the next check while there is one; what it printed comes in one piece. */
async function runChecks(): Promise<void> {
  for (let step = checks.shift(); step !== undefined; step = checks.shift()) await take(step, "together");
}

/** Runs a step and adds up what it found. */
async function take(step: Step, output?: "together"): Promise<void> {
  const startedAt = Date.now();
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

/** Counts a step's tests by its report; a step that failed counts at least one failure. */
function count(step: Step, isGood: boolean): Count {
  const file = step.report === undefined ? null : path.join(reports, step.report.file);
  if (step.report === undefined || file === null || !existsSync(file)) {
    return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, failures: [] };
  }
  const reported = readReport(step.report.kind, readFileSync(file, "utf8"));
  return isGood ? reported : { ...reported, failed: Math.max(1, reported.failed) };
}
