import { createHash } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { answers } from "./answers.ts";

/**
 * Keeps other headquarters out of a folder while this process lives, however it ends: two would destroy the embedded database.
 * Resolves with what lets them in again; throws an Error where another process has the folder.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  // A path of a socket is short, whatever the folder's is.
  const name = `comanda-headquarters-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  const address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`);
  if (await answers({ path: address })) throw new Error(`headquarters with the folder ${folder} run already`);
  // What a process leaves that was killed.
  if (process.platform !== "win32") await rm(address, { force: true });
  const lock = createServer((socket) => socket.destroy());
  lock.listen(address);
  await once(lock, "listening");
  lock.unref();
  return async () => {
    lock.close();
    await once(lock, "close");
  };
}
