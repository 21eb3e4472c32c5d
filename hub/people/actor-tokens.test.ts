import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DAY_MS } from "@comanda/protocol";
import pino from "pino";
import { afterEach, expect, it } from "vitest";
import { openDataFile } from "../db/open.ts";
import { realWorld } from "../platform/world.ts";
import { createActorTokens } from "./actor-tokens.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tokens-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("an actor token is checked as of now for a mutation queued in the future [PEOPLE-24]", () => {
  const world = realWorld(pino({ level: "silent" }));
  const file = path.join(folder, "hub.sqlite");
  const dataFile = openDataFile({ file, backupDir: folder, allowEmpty: true, world });
  const tokens = createActorTokens(dataFile.db, world, world.clock.now);
  const token = tokens.give({ userId: 7, deviceId: "tablet", isPin: true });
  const use = { mutationId: "m", as: "actor", ageMs: -400 * DAY_MS } as const;
  expect(tokens.find(token, "tablet", use)).toEqual({ userId: 7, standing: "valid" });
  dataFile.close();
});
