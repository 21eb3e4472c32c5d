import { spawn } from "node:child_process";
import type { Offer } from "../guard-offer.ts";
import { redactAddresses } from "../redact-addresses.ts";
import type { DownloadHooks } from "../update-session.ts";
import { UpdateRefused } from "../update-refused.ts";
import type { AppAdapter, ElectronUpdaterModule, HttpExecutor, UpdaterClass } from "./engine-types.ts";
import { releaseProvider } from "./release-provider.ts";
import { type VerifyingUpdaterDeps, verifyingUpdater } from "./verifying-updater.ts";

/**
 * Defaults: `startProgram` starts a detached process, `relaunch` starts the AppImage itself, and after `stallMs`, one minute, a
 * download without progress is aborted.
 */
export interface EngineDeps
  extends
    Pick<VerifyingUpdaterDeps, "client" | "publicKeys" | "requireSpace">,
    Partial<Pick<VerifyingUpdaterDeps, "startProgram" | "relaunch" | "stallMs">> {
  electronUpdater: ElectronUpdaterModule;
  log: { info(text: string): void; warn(text: string): void };
  /** Replacements of Electron's app and network, outside Electron. */
  app?: AppAdapter;
  httpExecutor?: HttpExecutor;
}

const STALL_MS = 60_000;

const diskImageNotice = "The disk image is open. Drag Comanda Hub into Applications, then start it again.";

/** Makes electron-updater download and install what our manifest offers, after our own signature check. */
export function createUpdateEngine(deps: EngineDeps) {
  const { client, electronUpdater, publicKeys, log } = deps;
  const { startProgram = startDetached, relaunch = (file) => startProgram(file, []), stallMs = STALL_MS } = deps;
  const Base = client.bundle === "appimage" ? electronUpdater.AppImageUpdater : electronUpdater.NsisUpdater;
  const engineDeps = { client, publicKeys, requireSpace: deps.requireSpace, startProgram, relaunch, stallMs };
  const Updater = verifyingUpdater(Base as unknown as UpdaterClass, engineDeps);
  const updater = new Updater(null, deps.app);
  let chosen: Offer | null = null;
  let lastError: Error | undefined;
  let hooks: DownloadHooks | undefined;

  // `channel` must stay unset, because setting it allows downgrades. 'Later' must not install on quit.
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.logger = redactingLogger(log);
  // Replaces app-update.yml, whose only other field would be an Authenticode publisher.
  updater.configOnDisk = { value: Promise.resolve({ updaterCacheDirName: "comanda-hub-updater" }) };
  if (deps.httpExecutor !== undefined) updater.httpExecutor = deps.httpExecutor;
  updater.setFeedURL({
    provider: "custom",
    updateProvider: releaseProvider(client.bundle, client.version, () => chosen),
  });
  updater.on("error", (error) => (lastError = error));
  updater.on("download-progress", ({ transferred, total, bytesPerSecond }) =>
    hooks?.onProgress({
      transferredBytes: transferred,
      totalBytes: Number.isFinite(total) ? total : null,
      bytesPerSecond,
    }),
  );

  return {
    /** Downloads and verifies the offer's file. Rejects with an error whose message is for the operator. */
    async download(offer: Offer, downloadHooks: DownloadHooks): Promise<void> {
      chosen = offer;
      hooks = downloadHooks;
      updater.pending = { offer, onTransferred: () => downloadHooks.onTransferred() };
      try {
        const found = await updater.checkForUpdates();
        if (found?.isUpdateAvailable !== true)
          throw new UpdateRefused("The offered version is not newer than this one.");
        await updater.downloadUpdate(new electronUpdater.CancellationToken());
      } finally {
        updater.pending = null;
        hooks = undefined;
      }
    },
    /** Starts the installer and quits the app. Resolves to null, or to what a person still has to do. */
    async install(): Promise<string | null> {
      lastError = undefined;
      if (!updater.install(false, true)) throw lastError ?? new UpdateRefused("The update could not be installed.");
      await updater.untilStarted();
      if (client.bundle === "dmg") return diskImageNotice;
      setImmediate(() => updater.app.quit());
      return null;
    },
  };
}

export type UpdateEngine = ReturnType<typeof createUpdateEngine>;

function redactingLogger(log: EngineDeps["log"]) {
  const text = (message: unknown) => redactAddresses(String(message));
  return {
    info: (message: unknown) => log.info(text(message)),
    warn: (message: unknown) => log.warn(text(message)),
    error: (message: unknown) => log.warn(text(message)),
  };
}

async function startDetached(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve());
  });
  child.unref();
}
