import { mkdir } from "node:fs/promises";
import { HqSignIn } from "@comanda/protocol/headquarters.ts";
import { openDatabase } from "./db/open.ts";
import { lockFolder } from "./lock-folder.ts";
import { addOwner } from "./people/add-owner.ts";
import type { HeadquartersSettings } from "./settings.ts";

/** Creates an owner in the configured database and returns the new password. */
export async function addOwnerTo(settings: HeadquartersSettings, login: string, now: number): Promise<string> {
  const name = HqSignIn.shape.login.parse(login);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  // Only the embedded database is in the folder, and only one process may open it.
  const unlock = settings.databaseUrl === null ? await lockFolder(settings.dataDir) : async () => undefined;
  const database = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
  try {
    return await addOwner(database, name, now);
  } finally {
    await database.close();
    await unlock();
  }
}
