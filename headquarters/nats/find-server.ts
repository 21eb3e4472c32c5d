import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { errorMessage } from "../error-message.ts";

const run = promisify(execFile);

/**
 * Returns the path of a nats-server: `NATS_SERVER`, the one on the PATH, or else Debian's package unpacked into `cacheDir`.
 * Debian's is for newcomers and tests: it has not been patched since 2022 (docs/headquarters/servers.md).
 * Throws an Error that says how to get one.
 */
export async function findNatsServer(cacheDir: string, environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment["NATS_SERVER"];
  if (named !== undefined) {
    if (await isExecutable(named)) return named;
    throw new Error(`NATS_SERVER names ${named}, which is no program that can be run`);
  }
  for (const folder of (environment["PATH"] ?? "").split(path.delimiter)) {
    const file = path.join(folder, process.platform === "win32" ? "nats-server.exe" : "nats-server");
    if (path.isAbsolute(folder) && (await isExecutable(file))) return file;
  }
  const cached = path.join(cacheDir, "nats-server");
  if (!(await isExecutable(cached))) await unpackDebianPackage(cacheDir, cached);
  return cached;
}

async function unpackDebianPackage(cacheDir: string, target: string): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(path.join(cacheDir, "nats-server-"));
  try {
    await download(folder);
    const [file] = await readdir(folder);
    if (file === undefined) throw new Error("apt-get downloaded nothing");
    await run("dpkg", ["-x", file, "package"], { cwd: folder });
    // Atomic, because another process may do the same.
    await rename(path.join(folder, "package/usr/sbin/nats-server"), target);
  } catch (error) {
    throw new Error(
      "There is no nats-server: install one (https://nats.io/download), or name it in NATS_SERVER. " +
        `Debian's package could not be had: ${errorMessage(error)}`,
      { cause: error },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Downloads Debian's package. Updates the package lists if that fails: a new machine has none. */
async function download(folder: string): Promise<void> {
  const get = () => run("apt-get", ["download", "nats-server"], { cwd: folder });
  await get().catch(async () => {
    await run("apt-get", ["update"]);
    await get();
  });
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
