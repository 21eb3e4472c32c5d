import type { Database } from "better-sqlite3";
import type { World } from "../platform/world.ts";
import * as init from "./migrations/0001-init.ts";
import * as evidence from "./migrations/0002-evidence.ts";
import * as restores from "./migrations/0003-restores.ts";
import * as deviceKeys from "./migrations/0004-device-keys.ts";
import * as endedSessions from "./migrations/0005-ended-sessions.ts";
import * as webhookSafety from "./migrations/0006-webhook-safety.ts";
import * as years from "./migrations/0007-years.ts";
import * as webhookEvents from "./migrations/0008-webhook-events.ts";
import * as orderCounts from "./migrations/0009-order-counts.ts";
import { registerSeal } from "./seal.ts";

/** Forward only and never edited once shipped; the index of each is its schema version minus one. */
const migrations: readonly ((db: Database, world: World) => void)[] = [
  init.migrate,
  evidence.migrate,
  restores.migrate,
  deviceKeys.migrate,
  endedSessions.migrate,
  webhookSafety.migrate,
  years.migrate,
  webhookEvents.migrate,
  orderCounts.migrate,
];

export const newestVersion = migrations.length;

/** Brings the schema up to date, or to an earlier version, each step in a transaction of its own. */
export function migrate(db: Database, world: World, version = newestVersion): void {
  registerSeal(db);
  const from = Number(db.pragma("user_version", { simple: true }));
  for (const [index, step] of migrations.slice(0, version).entries()) {
    if (index < from) continue;
    db.transaction(() => {
      step(db, world);
      db.pragma(`user_version = ${index + 1}`);
    })();
    world.log.info({ schema: index + 1 }, "data file migrated");
  }
}
