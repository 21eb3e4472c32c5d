import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fromSeed } from "@nats-io/nkeys";
import type { NatsConnection } from "@nats-io/transport-node";
import { errorMessage } from "../error-message.ts";
import type { HeadquartersSettings } from "../settings.ts";
import type { World } from "../world.ts";
import { connectNats } from "./connect.ts";
import { readOwnKey } from "./own-key.ts";
import { runOwnNats } from "./own-server.ts";
import { prepareStreams } from "./prepare-streams.ts";
import { type ChainUser, usersDocument } from "./users-document.ts";
import { watchOwn } from "./watch-own.ts";
import { writeAtomically } from "./write-atomically.ts";

const CONNECT_MS = 20_000;
/** Readable by the group: the chain's own NATS server may run as another account of it. */
const USERS_MODE = 0o640;

export type Nats = Awaited<ReturnType<typeof openNats>>;

/**
 * Connects to the NATS server of HQ_NATS_URL, or to the built-in one, which starts and stops with headquarters. `users` are
 * admitted from the start. The streams exist when it resolves.
 */
export async function openNats(settings: HeadquartersSettings, users: readonly ChainUser[], world: World) {
  const folder = path.join(settings.dataDir, "nats");
  const usersFile = settings.natsUsersFile;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const seed = await readOwnKey(path.join(folder, "headquarters.nk"));
  const ownKey = fromSeed(seed).getPublicKey();
  await writeAtomically(usersFile, usersDocument(ownKey, users), USERS_MODE).catch((cause: unknown) => {
    throw new Error(`the users' file of HQ_NATS_USERS_FILE: ${errorMessage(cause)}`, { cause });
  });

  const own = settings.natsUrl === null ? await runOwnNats({ folder, usersFile }, world) : null;
  const url = own?.url ?? settings.natsUrl ?? "";
  const reload = async (): Promise<void> => (own === null ? reloadByPidFile(settings.natsPidFile) : own.reload());
  // Reload before connecting: the server may have started before headquarters' key existed.
  if (own === null) await reload();

  let connection: NatsConnection;
  try {
    connection = await connectPatiently(
      own === null ? "the NATS server of HQ_NATS_URL" : "their own NATS server",
      () => connectNats({ url, seed, caFile: settings.natsCaFile }, world),
      world,
    );
    await prepareStreams(connection);
  } catch (error) {
    await own?.stop();
    throw error;
  }
  const watch = own === null ? null : watchOwn(connection, own.restart);
  let writing: Promise<void> = Promise.resolve();
  return {
    connection,
    /** The URL that restaurants connect to. */
    publicUrl: settings.natsPublicUrl ?? url,
    /** The server's certificate authority in PEM; null unless HQ_NATS_CA_FILE names it. */
    ca: settings.natsCaFile === null ? null : await readFile(settings.natsCaFile, "utf8"),
    /** Admits exactly the restaurants that `read` returns and disconnects others. Resolves when the server got the signal. */
    admit(read: () => Promise<readonly ChainUser[]>): Promise<void> {
      // One after the other, each reading in its turn, so that older data never replaces newer.
      writing = writing
        .catch(() => undefined)
        .then(async () => {
          await writeAtomically(usersFile, usersDocument(ownKey, await read()), USERS_MODE);
          await reload();
        });
      return writing;
    },
    async stop(): Promise<void> {
      await watch?.stop();
      await connection.close();
      await own?.stop();
    },
  };
}

/** Retries for CONNECT_MS: the server may not be up yet, or may not have reloaded its users. */
async function connectPatiently(
  server: string,
  connect: () => Promise<NatsConnection>,
  { log }: World,
): Promise<NatsConnection> {
  const deadline = performance.now() + CONNECT_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      const message = `${server}: ${errorMessage(error)}`;
      if (performance.now() > deadline) throw new Error(message, { cause: error });
      if (attempt === 0) log.warn(`${message}; waiting for it`);
      await pause(500);
    }
  }
}

async function reloadByPidFile(file: string | null): Promise<void> {
  if (file === null || !existsSync(file)) return;
  process.kill(Number(await readFile(file, "utf8")), "SIGHUP");
}
