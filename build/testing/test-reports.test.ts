import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readReport } from "./test-reports.ts";

const root = path.resolve(import.meta.dirname, "../..");

it("the report names vitest's failed tests and files that could not be loaded", () => {
  const folder = folderInside();
  writeFileSync(
    path.join(folder, "one.test.ts"),
    `import { expect, it } from "vitest"; it("adds up", () => expect(1 + 1).toBe(3)); it("is", () => expect(1).toBe(1));`,
  );
  writeFileSync(path.join(folder, "two.test.ts"), `throw new Error("no way in");`);
  writeFileSync(path.join(folder, "vitest.config.ts"), `export default {};`);
  const report = runIn(folder, ["vitest", "run", "--reporter=json", "--outputFile=report.json"]);

  const { passed, failed, failures } = readReport("vitest", report);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failures.map(({ test }) => path.basename(test)).sort()).toEqual(["one.test.ts › adds up", "two.test.ts"]);
  expect(failures.map(({ message }) => message).join("\n")).toMatch(
    /expected 2 to be 3[^]*no way in|no way in[^]*expected 2 to be 3/,
  );
});

it("the report names tests that vitest did not finish because their process died", () => {
  const folder = folderInside();
  writeFileSync(
    path.join(folder, "dies.test.ts"),
    `import { it } from "vitest"; it("goes well", () => {}); it("kills", () => void process.kill(process.pid, "SIGKILL"));`,
  );
  writeFileSync(path.join(folder, "vitest.config.ts"), `export default { test: { pool: "forks" } };`);
  const report = runIn(folder, ["vitest", "run", "--reporter=json", "--outputFile=report.json"]);

  const { failures } = readReport("vitest", report);
  expect(failures).toMatchObject([
    { test: expect.stringContaining("dies.test.ts"), message: expect.stringMatching(/not run to the end:[^]*kills/) },
  ]);
});

it("the report names Playwright's failed tests, also in groups, without colour codes", () => {
  const folder = folderInside();
  writeFileSync(
    path.join(folder, "one.spec.ts"),
    `import { expect, test } from "@playwright/test";
     test("is", () => {}); test.describe("in a group", () => { test("adds up", () => { expect(1 + 1).toBe(3); }); });`,
  );
  writeFileSync(
    path.join(folder, "playwright.config.ts"),
    `export default { testDir: ".", reporter: [["json", { outputFile: "report.json" }]] };`,
  );
  const report = runIn(folder, ["playwright", "test", "-c", "."]);

  const { passed, failed, failures } = readReport("playwright", report);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failures).toMatchObject([{ test: "one.spec.ts › adds up", message: expect.stringContaining("Expected: 3") }]);
  expect(failures[0]?.message).not.toContain("\u001b");
});

/** A folder in the repository, where the test runners find their packages. */
function folderInside(): string {
  mkdirSync(path.join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(path.join(root, ".cache", "test-reports-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function runIn(folder: string, [command = "", ...args]: string[]): string {
  const bin = path.join(root, "node_modules", ".bin", command);
  spawnSync(bin, args, { cwd: folder, shell: process.platform === "win32" });
  return readFileSync(path.join(folder, "report.json"), "utf8");
}
