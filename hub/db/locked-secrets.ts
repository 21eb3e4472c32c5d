import { existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { World } from "../platform/world.ts";
import { createSecretCipher, keyFileOf } from "./secret-cipher.ts";

/**
 * How many webhook secrets of a data file that no hub has open cannot be read with the key file beside it. Leaves nothing
 * behind; 0 for a file of a version without encryption.
 */
export function countLockedSecrets(file: string, world: World): number {
  const logs = ["-wal", "-shm"].map((suffix) => file + suffix).filter((each) => !existsSync(each));
  const db = new Database(file, { readonly: true, timeout: 200 });
  try {
    const cipher = createSecretCipher(keyFileOf(file), world);
    const live = db.prepare<[], { id: string; secret: string }>(
      "SELECT id, secret FROM webhook_subscriptions WHERE deleted_at IS NULL",
    );
    return live.all().filter(({ id, secret }) => cipher.decrypt(secret, id) === null).length;
  } finally {
    db.close();
    for (const left of logs) rmSync(left, { force: true });
  }
}
