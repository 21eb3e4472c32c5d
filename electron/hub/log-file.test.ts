import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogFile } from "./log-file.ts";

it("[DESK-34] keeps the newest five files of a limited size, and passes each line on", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "logs-"));
  const out = new PassThrough();
  const log = createLogFile(folder, out, 20);
  for (let n = 0; n < 30; n++) log.write(`line number ${n}\n`);
  expect(readdirSync(folder).sort()).toEqual(["hub.1.log", "hub.2.log", "hub.3.log", "hub.4.log", "hub.log"]);
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toContain("line number 29");
  expect(String(out.read()).split("\n")).toHaveLength(31);
});

it("[DESK-34] appends to the file of the last run", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "logs-"));
  createLogFile(folder, new PassThrough()).write("before\n");
  createLogFile(folder, new PassThrough()).write("after\n");
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toBe("before\nafter\n");
});

it.skipIf(process.platform === "win32")("[DB-32, DB-33] makes the log readable by its own account only", () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "logs-")), "logs");
  createLogFile(folder, new PassThrough()).write("before\n");
  const file = path.join(folder, "hub.log");
  expect([folder, file].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
  chmodSync(file, 0o644);
  createLogFile(folder, new PassThrough());
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
