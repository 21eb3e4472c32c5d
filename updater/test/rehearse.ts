import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import electronUpdater from "electron-updater";
import type { UpdateState } from "@comanda/protocol";
import {
  type Bundle,
  type CheckOutcome,
  type InstalledClient,
  type UpdateEngine,
  type UpdateSession,
  checkForUpdate,
  createUpdateEngine,
  startUpdateSession,
} from "../client/index.ts";
import { NodeHttpExecutor } from "./node-http-executor.ts";

export interface RehearsedClient extends AsyncDisposable {
  engine: UpdateEngine;
  session: UpdateSession;
  /** Every state that a screen was shown, with repeated names collapsed. */
  shown: string[];
  /** Every complete state. */
  states: UpdateState[];
  /** Programs started. */
  started: string[][];
  relaunched: string[];
  quit: Promise<void>;
  /** The log's lines. */
  logged: string[];
  /** Files that the engine keeps. */
  cachedFiles(): Promise<string[]>;
  cacheFolder: string;
  appImage: string;
}

export interface Rehearsal {
  proxyUrl: string;
  backOfficeUrl?: string;
  publicKeys: string[];
  bundle?: Bundle;
  version?: string;
  /** A download without a byte for this long is aborted. */
  stallMs?: number;
  /** Throws if a disk has no room for a file. By default every disk has room. */
  requireSpace?: (folder: string, bytes: number) => void;
  /** The folder for downloads. */
  cache?: string;
  /** Called when a program is started, beside recording it. */
  onStart?: (command: string) => Promise<void>;
  /** Intercepts each check: the client gets the returned outcome. */
  onCheck?: (outcome: CheckOutcome, nth: number) => Promise<CheckOutcome> | CheckOutcome;
}

const systems: Record<Bundle, Pick<InstalledClient, "os" | "arch">> = {
  nsis: { os: "windows", arch: "x86_64" },
  msi: { os: "windows", arch: "x86_64" },
  appimage: { os: "linux", arch: "x86_64" },
  dmg: { os: "darwin", arch: "aarch64" },
};

/** Simulates an installed client from its launch: real check, flow and engine; only Electron's app and network are fake. */
export async function rehearse({
  proxyUrl,
  backOfficeUrl,
  publicKeys,
  bundle = "appimage",
  version = "1.3.0",
  stallMs,
  requireSpace = () => {},
  cache,
  onStart = () => Promise.resolve(),
  onCheck,
}: Rehearsal): Promise<RehearsedClient> {
  const folder = await mkdtemp(path.join(tmpdir(), "comanda-client-"));
  const appImage = path.join(folder, "Comanda Hub.AppImage");
  await writeFile(appImage, "the installed version", { mode: 0o755 });
  const baseCachePath = cache ?? path.join(folder, "cache");
  await mkdir(baseCachePath, { recursive: true });
  process.env["APPIMAGE"] = appImage;

  const client: InstalledClient = { version, bundle, ...systems[bundle] };
  const record = {
    shown: [] as string[],
    states: [] as UpdateState[],
    started: [] as string[][],
    relaunched: [] as string[],
    logged: [] as string[],
  };
  const quit = Promise.withResolvers<void>();
  const engine = createUpdateEngine({
    client,
    publicKeys,
    electronUpdater,
    requireSpace,
    ...(stallMs === undefined ? {} : { stallMs }),
    log: { info: (text) => record.logged.push(text), warn: (text) => record.logged.push(text) },
    startProgram(command, args) {
      record.started.push([command, ...args]);
      return onStart(command);
    },
    relaunch: async (file) => void record.relaunched.push(file),
    httpExecutor: new NodeHttpExecutor(),
    app: {
      version,
      name: "comanda-hub",
      isPackaged: true,
      appUpdateConfigPath: path.join(folder, "none.yml"),
      userDataPath: folder,
      baseCachePath,
      whenReady: () => Promise.resolve(),
      relaunch: () => undefined,
      quit: () => quit.resolve(),
      onQuit: () => undefined,
    },
  });

  let checks = 0;
  const session = startUpdateSession({
    platform: "desktop",
    async check() {
      // A missing server refuses at once. A running one may be on a busy machine.
      const outcome = await checkForUpdate({ proxyUrl, backOfficeUrl, fetch, timeoutMs: 30_000 }, client);
      checks += 1;
      return onCheck === undefined ? outcome : onCheck(outcome, checks);
    },
    download: (offer, hooks) => engine.download(offer, hooks),
    install: () => engine.install(),
    openInBrowser: () => Promise.resolve(),
    onState(state) {
      record.states.push(state);
      if (record.shown.at(-1) !== state.name) record.shown.push(state.name);
    },
  });

  const cacheFolder = path.join(baseCachePath, "comanda-hub-updater", "pending");
  return {
    engine,
    session,
    ...record,
    quit: quit.promise,
    cacheFolder,
    appImage,
    cachedFiles: async () => (await readdir(cacheFolder).catch(() => [])).filter((name) => name !== "update-info.json"),
    async [Symbol.asyncDispose]() {
      delete process.env["APPIMAGE"];
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the content of the AppImage that would start next. */
export function installedContent(client: RehearsedClient): Promise<Buffer> {
  return readFile(client.appImage);
}
