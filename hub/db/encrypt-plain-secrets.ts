import type Database from "better-sqlite3";
import { isCorrupt } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { isEncrypted, type SecretCipher } from "./secret-cipher.ts";

/**
 * Once after an update, and after an old backup was restored: encrypts webhook secrets that the file holds as they are,
 * and writes the file anew, since what was overwritten or deleted stays in its free space. Cut off at any moment, or
 * without room on the disk, the next start does it.
 */
export function encryptPlainSecrets(db: Database.Database, cipher: SecretCipher, world: World): void {
  const holdsPlain = db.prepare("SELECT holds_plain_secrets FROM hub_state").pluck().get() === 1;
  if (!holdsPlain) return;
  try {
    db.transaction(() => encryptRows(db, cipher))();
    // In a file: the copy is as large as the data.
    db.pragma("temp_store = FILE");
    db.exec("VACUUM");
    db.prepare("UPDATE hub_state SET holds_plain_secrets = 0").run();
    // The log still holds the pages from before.
    db.pragma("wal_checkpoint(TRUNCATE)");
    world.log.info("the secrets of webhooks were encrypted");
  } catch (error) {
    if (isCorrupt(error)) throw error;
    world.log.error({ err: error }, "the secrets of webhooks could not be encrypted; the next start tries again");
  } finally {
    db.pragma("temp_store = MEMORY");
  }
}

function encryptRows(db: Database.Database, cipher: SecretCipher): void {
  const all = db.prepare<[], { id: string; secret: string }>("SELECT id, secret FROM webhook_subscriptions");
  const store = db.prepare<[string, string]>("UPDATE webhook_subscriptions SET secret = ? WHERE id = ?");
  for (const { id, secret } of all.all()) if (!isEncrypted(secret)) store.run(cipher.encrypt(secret, id), id);
}
