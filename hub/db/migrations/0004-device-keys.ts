import type { Database } from "better-sqlite3";
import type { World } from "../../platform/world.ts";

/** So long the devices of an upgraded hub may be signed in by anyone, a day on which the restaurant is closed included. */
const OPEN_FOR_MS = 3 * 86_400_000;

/**
 * The key by which a device is known again, as a SHA-256 digest. `open_until` is set for devices that were there before
 * keys: until then (ms since 1970) the first person who signs in there gets the key, as on a new device.
 */
export function migrate(db: Database, world: World): void {
  db.exec(`
    ALTER TABLE terminals ADD COLUMN key_digest TEXT;
    ALTER TABLE terminals ADD COLUMN open_until INTEGER;
  `);
  db.prepare("UPDATE terminals SET open_until = ?").run(world.clock.now() + OPEN_FOR_MS);
}
