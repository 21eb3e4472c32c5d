import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogFile } from "./log-file.ts";

it("the newest five log files of limited size are kept, and each line is passed on [DESK-34]", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "logs-"));
  const out = new PassThrough();
  const log = createLogFile(folder, out, 20);
  for (let n = 0; n < 30; n++) log.write(`line number ${n}\n`);
  expect(readdirSync(folder).sort()).toEqual(["hub.1.log", "hub.2.log", "hub.3.log", "hub.4.log", "hub.log"]);
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toContain("line number 29");
  expect(String(out.read()).split("\n")).toHaveLength(31);
});

it("the log continues in the file of the last run [DESK-34]", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "logs-"));
  createLogFile(folder, new PassThrough()).write("before\n");
  createLogFile(folder, new PassThrough()).write("after\n");
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toBe("before\nafter\n");
});

it("the log continues in a full file that cannot be renamed, and closes no file of others [DESK-34]", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "logs-"));
  const log = createLogFile(folder, new PassThrough(), 20);
  writeFileSync(path.join(folder, "hub.3.log"), "");
  mkdirSync(path.join(folder, "hub.4.log", "in the way"), { recursive: true });
  log.write("more than it may hold\n");
  log.write("first after that\n");
  const others = Array.from({ length: 3 }, () => openSync(import.meta.filename, "r"));
  log.write("second after that\n");
  expect(others.map((file) => fstatSync(file).isFile())).toEqual([true, true, true]);
  others.forEach(closeSync);
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toBe(
    "more than it may hold\nfirst after that\nsecond after that\n",
  );
});

it("the app starts if the log's folder cannot be made, and logs there once it can [DESK-34]", () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "logs-")), "logs");
  writeFileSync(folder, "in the way");
  const out = new PassThrough();
  const log = createLogFile(folder, out);
  log.write("before\n");
  rmSync(folder);
  log.write("after\n");
  expect(readFileSync(path.join(folder, "hub.log"), "utf8")).toBe("after\n");
  expect(String(out.read())).toBe("before\nafter\n");
});

it.skipIf(process.platform === "win32")("the log can be read by the app's own account only [DB-32, DB-33]", () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "logs-")), "logs");
  createLogFile(folder, new PassThrough()).write("before\n");
  const file = path.join(folder, "hub.log");
  expect([folder, file].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
  chmodSync(file, 0o644);
  createLogFile(folder, new PassThrough());
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
