import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { inspectFiles } from "./inspect-package.ts";

const native = "node_modules/better-sqlite3/prebuilds/linux-x64.node";
const good: Record<string, string> = {
  "package.json": '{"main":"dist/electron/main.js","version":"1.4.0"}',
  "dist/electron/main.js": 'import Database from "better-sqlite3";\nimport { app } from "electron";\n',
  "dist/electron/job-thread.js": "",
  "dist/electron/practice-thread.js": "",
  "dist/electron/preload.cjs": "",
  "dist/electron/docs/openapi.json": "",
  "dist/electron/docs/terminal-api.json": "",
  "dist/electron/docs/asyncapi.yaml": "",
  "dist/electron/docs/reference/index.html": "",
  "dist/electron/docs/reference/page.js": "",
  "dist/electron/docs/scalar.js": "",
  "dist/renderer/index.html": "",
  "dist/terminal/index.html": "",
  "node_modules/better-sqlite3/package.json": '{"dependencies":{"node-addon-api":"8"}}',
  [native]: "",
};

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function inspect(change: Record<string, string | null>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-inspect-"));
  folders.push(folder);
  for (const [file, content] of Object.entries({ ...good, ...change })) {
    if (content === null) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return inspectFiles(folder, "1.4.0", native);
}

it("a good package has no problems", () => {
  expect(inspect({})).toEqual([]);
});

it.each([
  ["no terminal", { "dist/terminal/index.html": null }, "dist/terminal/index.html is missing"],
  ["no screens", { "dist/renderer/index.html": null }, "dist/renderer/index.html is missing"],
  [
    "screens that are not compressed",
    { "dist/renderer/assets/a-1.js": "x".repeat(1_000), "dist/renderer/assets/a-1.js.br": "" },
    "dist/renderer/assets/a-1.js.gz is missing",
  ],
  ["no page of the API", { "dist/electron/docs/scalar.js": null }, "dist/electron/docs/scalar.js is missing"],
  ["no program for its threads", { "dist/electron/job-thread.js": null }, "dist/electron/job-thread.js is missing"],
  ["no native module", { [native]: null }, `the native files are missing; expected is ${native} alone`],
  [
    "another system's native module",
    { "node_modules/better-sqlite3/prebuilds/win32-x64.node": "" },
    `expected is ${native} alone`,
  ],
  [
    "a package that is imported",
    { "dist/electron/main.js": 'import u from "electron-updater";' },
    "main.js imports electron-updater, which is missing",
  ],
  [
    "a package of a package",
    { "node_modules/a/package.json": '{"dependencies":{"b":"1"}}' },
    "node_modules/a needs b, which is missing",
  ],
  ["a test", { "dist/electron/main.test.js": "" }, "dist/electron/main.test.js is a test"],
  ["a source file", { "dist/electron/window/window.ts": "" }, "dist/electron/window/window.ts is a source file"],
  ["a source map", { "dist/electron/main.js.map": "" }, "dist/electron/main.js.map is a source map"],
  ["a stray file", { "README.md": "" }, "README.md does not belong in the package"],
  ["settings", { "dist/electron/.env": "" }, "dist/electron/.env is settings of this machine"],
  ["a key file", { "dist/electron/x.key": "" }, "dist/electron/x.key is a key"],
  [
    "a signing key",
    { "dist/electron/x.txt": btoa("untrusted comment: minisign encrypted secret key\nRWR\n") },
    "looks like a secret",
  ],
  ["a host's token", { "dist/renderer/a.js": `"gh${"p_"}${"a1".repeat(18)}"` }, "looks like a secret"],
  [
    "another version",
    { "package.json": '{"main":"dist/electron/main.js","version":"1.3.0"}' },
    "package.json says version 1.3.0, VERSION says 1.4.0",
  ],
  [
    "another main",
    { "package.json": '{"main":"electron/main.ts","version":"1.4.0"}' },
    "package.json starts electron/main.ts",
  ],
] as [string, Record<string, string | null>, string][])("a bad package is reported: %s", (_title, change, expected) => {
  expect(inspect(change).join("\n")).toContain(expected);
});
