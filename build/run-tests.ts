// `npm test`: every check and test that needs no real Electron binary, one after the other; `npm run check`: all but the
// end-to-end tests. Ends with a line `N passed, N failed` and exits 1 when anything failed.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensure, explain } from "./system-packages.ts";
import { type Count, type Failure, readReport, type ReportKind } from "./test-reports.ts";

interface Step {
  name: string;
  run: [command: string, ...args: string[]];
  /** The step's report of passed and failed tests; without it the step counts as one test. */
  report?: { file: string; kind: ReportKind };
}

const root = path.resolve(import.meta.dirname, "..");
const reports = path.join(root, ".cache", "reports");
const isCheck = process.argv.includes("check");

const checks: Step[] = [
  { name: "types", run: ["tsc", "-b"] },
  { name: "lint", run: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", run: ["oxfmt", "--check"] },
  { name: "imports", run: ["node", "build/check-imports.ts"] },
  { name: "unused code", run: ["knip"] },
  { name: "unused members", run: ["node", "build/check-members.ts"] },
  { name: "versions", run: ["node", "build/stamp-version.ts", "--check"] },
  { name: "rules and their tests", run: ["node", "build/check-spec.ts"] },
  { name: "generated files", run: ["node", "build/generate.ts", "--check"] },
  {
    name: "unit and package tests",
    run: ["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json=.cache/reports/vitest.json"],
    report: { file: "vitest.json", kind: "vitest" },
  },
];
const endToEnd: Step[] = [
  {
    name: "end-to-end tests",
    run: ["playwright", "test", "-c", "e2e/playwright.config.ts"],
    report: { file: "playwright.json", kind: "playwright" },
  },
];

mkdirSync(reports, { recursive: true });
const compiler = ["gcc", "libc6-dev"];
const wanted = isCheck ? ["minisign", ...compiler] : ["minisign", ...compiler, "chromium", "xvfb", "avahi-utils"];
const ensured = ensure(wanted);
if (!ensured.ok) console.log(explain(ensured));

/** Removed with everything that tests and their programs leave behind. */
const scratch = mkdtempSync(path.join(tmpdir(), "comanda-test-"));
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
for (const step of isCheck ? checks : [...checks, ...endToEnd]) {
  const startedAt = Date.now();
  console.log(`\n▶ ${step.name}`);
  if (step.report !== undefined) rmSync(path.join(reports, step.report.file), { force: true });
  const isGood = await run(step.run);
  const counted = count(step, isGood);
  passed += counted.passed;
  failed += counted.failed;
  failures.push(...counted.failures);
  if (!isGood || counted.failed > 0) failedSteps.push(step.name);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`${isGood ? "✔" : "✘"} ${step.name}: ${counted.passed} passed, ${counted.failed} failed (${seconds} s)`);
}
// Repeated at the end, for those who keep only the last lines of a run.
for (const { test, message } of failures) console.log(`\n✘ ${test}\n${message}`);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(", ")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function run([command, ...args]: Step["run"]): Promise<boolean> {
  return new Promise((resolve) => {
    const bin = path.join(root, "node_modules", ".bin");
    const temporary = { TMPDIR: scratch, TMP: scratch, TEMP: scratch };
    const env = { ...process.env, ...temporary, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
    const child = spawn(command, args, { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
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
