// @module-tag long
import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

function run(script: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(root, script), ...args], { cwd: root }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const scripts = [
  ["bench/main.ts", "npm run bench -- "],
  ["bench/chain/main.ts", "npm run bench:chain -- "],
  ["build/sign-release.ts", "npm run sign -- "],
  ["build/testing/run-tests.ts", "npm test -- "],
  ["build/generate.ts", "npm run generate -- "],
  ["build/stamp-version.ts", "npm run version:stamp -- "],
  ["e2e/screenshots.ts", "npm run screenshots -- "],
] as const;

it.each([...scripts, ["build/start.ts", "npm start -- "] as const])("%s prints its usage", async (script, usage) => {
  const { code, out } = await run(script, "--help");
  expect([code, out.slice(0, usage.length)]).toEqual([0, usage]);
});

it.each(scripts)("%s answers an unknown argument with a sentence and its usage", async (script, usage) => {
  const { code, err } = await run(script, "--nonsense");
  expect(code).toBe(1);
  expect(err).toContain(`\n\n${usage}`);
  expect(err).toMatch(/^Unknown option '--nonsense'/);
  expect(err).not.toMatch(/^\s+at /m);
});

it.each([
  ["backoffice-stub/main.ts", "npm run backoffice"],
  ["updater/proxy/main.ts", "npm run update-proxy"],
])("%s takes no arguments and says where its settings are", async (script, program) => {
  const sentence = expect.stringMatching(`^${program} takes no arguments\\. Its settings, .*/README\\.md\n$`);
  expect(await run(script, "--help")).toEqual({ code: 0, out: sentence, err: "" });
  expect(await run(script, "start")).toEqual({ code: 1, out: "", err: sentence });
});
