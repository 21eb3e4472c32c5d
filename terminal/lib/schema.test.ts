import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import * as zods from "../test/read-schemas.ts";

const schemas = { ...zods };
const names = Object.keys(schemas) as (keyof typeof schemas)[];

let ours: typeof zods;
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "comanda-schema-"));
  await build({
    configFile: false,
    logLevel: "error",
    root: import.meta.dirname,
    resolve: { alias: [{ find: /^zod$/, replacement: path.join(import.meta.dirname, "schema.ts") }] },
    build: {
      outDir: folder,
      minify: false,
      // As the page's own build: other schemas are not even made.
      rolldownOptions: { treeshake: { manualPureFunctions: ["z", "plainText", "noteText", "route"] } },
      target: "es2023",
      lib: { entry: "../test/read-schemas.ts", formats: ["es"], fileName: "read" },
    },
  });
  ours = (await import(pathToFileURL(path.join(folder, "read.js")).href)) as typeof zods;
  await rm(folder, { recursive: true });
});

const texts = [
  "",
  " ",
  "a",
  "Mesa 4 ",
  "hub",
  "\u0000",
  "\ud800",
  "é\n",
  "x".repeat(70),
  "x".repeat(2001),
  "2026-02-28",
  "2026-02-30",
  "2026-02-28T20:15:00.5Z",
  "2026-02-28T20:15:00-04:00",
  "2026-02-28T25:15:00Z",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
  "E310000000001",
  "B0100000001",
  "131-23456-7",
  "12345",
];
const numbers = [0, 1, -1, 4, 2.5, 1e9, 1e16, -1e16, Number.NaN, Number.POSITIVE_INFINITY];
const strays = [undefined, null, true, {}, [], "a", 3, [{}], { __proto__: null, a: 1 }];

type Gen = fc.GeneratorValue;
interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  values?: unknown[];
  entries?: Record<string, unknown>;
  valueType?: z.ZodType;
}

/** Something that the schema may accept, with a fault in it now and then. */
function like(schema: z.ZodType, g: Gen): unknown {
  if (g(fc.integer, { min: 0, max: 400 }) === 0) return g(fc.constantFrom, ...strays);
  const def = schema.def as unknown as Def;
  const good = <T>(values: T[]): T => {
    const passing = values.filter((value) => schema.safeParse(value).success);
    return g(
      fc.constantFrom,
      ...(passing.length === 0 || g(fc.integer, { min: 0, max: 300 }) === 0 ? values : passing),
    );
  };
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape ?? {}).flatMap(([key, inner]) => {
        const isLeftOut = inner.safeParse(undefined).success && g(fc.boolean);
        return isLeftOut || g(fc.integer, { min: 0, max: 600 }) === 0 ? [] : [[key, like(inner, g)]];
      });
      if (g(fc.integer, { min: 0, max: 8 }) === 0)
        fields.push(["extraTotal", g(fc.constantFrom, ...strays, ...numbers)]);
      return Object.fromEntries(fields);
    }
    case "array":
      return Array.from({ length: g(fc.integer, { min: 0, max: 3 }) }, () => like(def.element!, g));
    case "record":
      return Object.fromEntries(
        Array.from({ length: g(fc.integer, { min: 0, max: 2 }) }, () => [
          g(fc.constantFrom, ...texts, "a-1", "reservations"),
          like(def.valueType!, g),
        ]),
      );
    case "union":
      return like(g(fc.constantFrom, ...def.options!), g);
    case "optional":
    case "nullable":
    case "default":
    case "catch":
    case "readonly":
      return g(fc.boolean) ? like(def.innerType!, g) : good([undefined, null]);
    case "pipe":
      return like(def.in!, g);
    case "literal":
      return g(fc.constantFrom, ...def.values!);
    case "enum":
      return g(fc.constantFrom, ...Object.values(def.entries!));
    case "string":
      return good(texts);
    case "number":
      return good(numbers);
    case "boolean":
      return g(fc.boolean);
    default:
      return g(fc.constantFrom, ...strays, ...texts, ...numbers);
  }
}

function expectSame(zod: z.ZodType, own: z.ZodType): { accepted: number; refused: number } {
  const counts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const value = like(zod, g);
      const theirs = zod.safeParse(value);
      const read = own.safeParse(value);
      expect(read.success).toBe(theirs.success);
      if (theirs.success) expect(read.data).toStrictEqual(theirs.data);
      counts[theirs.success ? "accepted" : "refused"] += 1;
    }),
    { numRuns: 200, seed: 14 },
  );
  return counts;
}

describe("the page's own reading of schemas", () => {
  it.each(names)("[TOUCH-172] accepts, refuses and returns what zod does for %s", (name) => {
    const { accepted, refused } = expectSame(schemas[name], ours[name]);
    expect(Math.min(accepted, refused)).toBeGreaterThan(5);
  });

  it("[TOUCH-172] names the place of a fault and the schema's own words for it", () => {
    const { error } = ours.WaitingParty.safeParse({ guestName: "Ana\u0000" });
    expect(error?.issues.map(({ path: place, message }) => `${place.join(".")}: ${message}`)).toContain(
      "guestName: must not hold control characters",
    );
  });
});
