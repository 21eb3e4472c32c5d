import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeImage, type Fate } from "./power-cut-images.ts";
import { createRandom } from "../random.ts";
import type { LogEntry } from "../write-log.ts";

const SECTOR = 512;

function imageOf(
  entries: LogEntry[],
  fate: Fate,
  { before = {}, seed = "1" }: { before?: Record<string, string>; seed?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "faults-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [base, target] = [join(folder, "base"), join(folder, "target")];
  mkdirSync(base);
  for (const [name, text] of Object.entries(before)) writeFileSync(join(base, name), text);
  writeImage({ base, entries, count: entries.length, fate, random: createRandom(seed), target });
  const names = readdirSync(target);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(target, name), "latin1")]));
}

const create = (file: number, path: string): LogEntry => ({ kind: "create", file, path, end: 0 });
const sync = (file: number): LogEntry => ({ kind: "sync", file, end: 0 });
const write = (file: number, offset: number, text: string): LogEntry => ({
  kind: "write",
  file,
  offset,
  bytes: Buffer.from(text, "latin1"),
  end: 0,
});

it("an image after a power cut has what was synced, under the file's name [FAULT-2]", () => {
  const entries = [create(1, "a"), write(1, 0, "synced"), sync(1), write(1, 6, " or not")];
  expect(imageOf(entries, "dropped")).toEqual({ a: "synced" });
  expect(imageOf(entries, "kept")).toEqual({ a: "synced or not" });
});

it("an image after a power cut has no file that nothing has synced [FAULT-2]", () => {
  expect(imageOf([create(1, "a"), write(1, 0, "x")], "dropped")).toEqual({});
});

it("an image after a power cut tears a write by whole sectors [FAULT-2]", () => {
  const entries = [create(1, "a"), write(1, 0, "-".repeat(8 * SECTOR)), sync(1), write(1, 0, "x".repeat(8 * SECTOR))];
  const images = Array.from({ length: 40 }, (_, i) => imageOf(entries, "torn", { seed: String(i) })["a"] ?? "");
  const sectors = images.flatMap((image) => image.match(/.{512}/g) ?? []);
  expect(new Set(sectors)).toEqual(new Set(["-".repeat(SECTOR), "x".repeat(SECTOR)]));
  expect(images.some((image) => image.includes("-") && image.includes("x"))).toBe(true);
});

it("an image after a power cut has the first renames, never a later one alone [FAULT-2]", () => {
  const rename = (path: string, to: string): LogEntry => ({ kind: "rename", path, to, end: 0 });
  const entries: LogEntry[] = [rename("a", "aside"), rename("next", "a")];
  const seen = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify(imageOf(entries, "torn", { before: { a: "old", next: "new" }, seed: String(i) })),
  );
  expect(new Set(seen)).toEqual(
    new Set([
      JSON.stringify({ a: "old", next: "new" }),
      JSON.stringify({ aside: "old", next: "new" }),
      JSON.stringify({ a: "new", aside: "old" }),
    ]),
  );
});

it("an image after a power cut shortens a file and fills it with zeros as it was truncated [FAULT-2]", () => {
  const truncate = (length: number): LogEntry => ({ kind: "truncate", file: 1, length, end: 0 });
  const entries = [create(1, "a"), write(1, 0, "12345678"), truncate(3), truncate(5), sync(1)];
  expect(imageOf(entries, "dropped")).toEqual({ a: "123\0\0" });
});
