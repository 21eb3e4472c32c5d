import fs, { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { requireAllowedChange, presentSettings } from "./change-settings.ts";
import { readHubConfig } from "./config.ts";
import { changeEnvFile, fitsEnvFile, readEnvFile } from "./env-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stations = [
  { id: 1, name: "D'Ana #1 $HOME", categoryIds: [3, "4"], productIds: [] },
  { id: "bar", name: 'Bar "Sol"', categoryIds: [], productIds: [7], serving: true },
];

const windows = "\uFEFFHUB_NAME=Peña\r\nHUB_HTTP_PORT=9000\r\n";
it.each([
  ["UTF-8", Buffer.from(windows)],
  ["UTF-16", Buffer.from(windows, "utf16le")],
  ["UTF-16 the other way round", Buffer.from(windows, "utf16le").swap16()],
  ["its code page", Buffer.from(windows.slice(1), "latin1")],
])("an env file that Windows has written in %s is read and changed [HUB-157]", (encoding, bytes) => {
  const file = path.join(folder, `${encoding}.env`);
  writeFileSync(file, bytes);
  expect(readEnvFile(file)).toEqual({ HUB_NAME: "Peña", HUB_HTTP_PORT: "9000" });
  changeEnvFile(file, { HUB_NAME: "Casa" });
  expect(readEnvFile(file)).toEqual({ HUB_NAME: "Casa", HUB_HTTP_PORT: "9000" });
  expect(readFileSync(file, "utf8")).not.toContain("Peña");
});

it("a multi-line value is replaced whole, and its lines are not read as settings [HUB-159]", () => {
  const file = path.join(folder, "lines.env");
  const stations = `[\n  {"id": 1, "name": "Bar"},\n  {"id": 2, "name": "Sol"}\n]`;
  const note = `NOTE="first\nHUB_NAME=inside\nlast"`;
  writeFileSync(file, `# the house\nHUB_STATIONS='${stations}'\n${note}\nHUB_NAME=Casa\nODD='open\n`);
  changeEnvFile(file, { HUB_STATIONS: "[]", HUB_NAME: "Sol" });
  expect(readFileSync(file, "utf8")).toBe(`# the house\n${note}\nODD='open\nHUB_STATIONS='[]'\nHUB_NAME=Sol\n`);
});

it("a setting of blanks alone does not take the next line as its value [HUB-175]", () => {
  const file = path.join(folder, "blank.env");
  writeFileSync(file, "HUB_NAME= \r\nHUB_GRACE_MS=7000\nexport ERP_DB=\t \n");
  expect(readEnvFile(file)).toMatchObject({ HUB_NAME: "", HUB_GRACE_MS: "7000" });
  changeEnvFile(file, { HUB_HTTP_PORT: "8800" });
  expect(readEnvFile(file)).toMatchObject({ HUB_NAME: "", HUB_GRACE_MS: "7000", HUB_HTTP_PORT: "8800" });
});

it("an env file that cannot be read is not treated as empty [HUB-160]", () => {
  // A link to itself, and one into a share that is unavailable.
  for (const [target, code] of [
    ["held-back-ELOOP.env", "ELOOP"],
    [path.join("share", "hub.env"), "ENOENT"],
  ] as const) {
    const file = path.join(folder, `held-back-${code}.env`);
    symlinkSync(target, file);
    expect(() => readEnvFile(file)).toThrow(code);
    expect(() => changeEnvFile(file, { HUB_NAME: "Casa" })).toThrow(code);
  }
});

it("changing a linked env file changes its target and keeps the link [HUB-176]", () => {
  const [file, link] = [path.join(folder, "of-the-house.env"), path.join(folder, "link.env")];
  writeFileSync(file, "HUB_NAME=Casa\n");
  symlinkSync("of-the-house.env", link);
  changeEnvFile(link, { HUB_HTTP_PORT: "9000" });
  expect(readFileSync(file, "utf8")).toBe("HUB_NAME=Casa\nHUB_HTTP_PORT=9000\n");
  expect(readlinkSync(link)).toBe("of-the-house.env");
});

it("a changed env file is synced to disk before it replaces the old one [HUB-158]", () => {
  const steps: string[] = [];
  const { fsyncSync, renameSync } = fs;
  const patch = (changed: Partial<typeof fs>) => {
    Object.assign(fs, changed);
    syncBuiltinESMExports();
  };
  onTestFinished(() => patch({ fsyncSync, renameSync }));
  patch({
    fsyncSync: (handle) => {
      steps.push("sync");
      fsyncSync(handle);
    },
    renameSync: (from, to) => {
      steps.push("rename");
      renameSync(from, to);
    },
  });
  changeEnvFile(path.join(folder, "cut.env"), { HUB_NAME: "Casa" });
  expect(steps).toEqual(["sync", "rename", "sync"]);
  expect(readEnvFile(path.join(folder, "cut.env"))).toEqual({ HUB_NAME: "Casa" });
});

describe("HUB_STATIONS", () => {
  it("station names with any quotes survive the settings file [KIT-16]", () => {
    const file = path.join(folder, "hub.env");
    const text = JSON.stringify(stations);
    const sources = { environment: {}, file: {} };
    requireAllowedChange({ HUB_STATIONS: text }, sources, { canSave: true, isRemote: true });
    changeEnvFile(file, { HUB_NAME: "Casa", HUB_STATIONS: text });
    changeEnvFile(file, { HUB_NAME: null });
    const env = readEnvFile(file);
    expect(env).toEqual({ HUB_STATIONS: text });
    expect(presentSettings({ environment: {}, file: env }, true)).toContainEqual(
      expect.objectContaining({ name: "HUB_STATIONS", value: text, source: "file" }),
    );
    expect(readHubConfig(env).stations).toMatchObject([
      { id: "1", categoryIds: [3, "4"] },
      { id: "bar", serving: true },
    ]);
    expect(readHubConfig({}).stations).toEqual([]);
    expect(fitsEnvFile("' \" `")).toBe(false);
  });

  it.each(["{", '{"id": 1}', '[{"id": 1, "name": "a"}, {"id": "1", "name": "b"}]', '[{"name": "a"}]'])(
    "HUB_STATIONS refuses %s [KIT-16]",
    (text) => {
      expect(() => readHubConfig({ HUB_STATIONS: text })).toThrow("HUB_STATIONS");
    },
  );
});
