import { spawn } from "node:child_process";
import type { Offer } from "../guard-offer.ts";
import type { InstalledClient } from "../installed-client.ts";
import { redactAddresses } from "../redact-addresses.ts";
import type { DownloadHooks } from "../update-session.ts";
import { UpdateRefused } from "../update-refused.ts";
import type { AppAdapter, ElectronUpdaterModule, HttpExecutor, UpdaterClass } from "./engine-types.ts";
import { releaseProvider } from "./release-provider.ts";
import { verifyingUpdater } from "./verifying-updater.ts";

export interface EngineParts {
  client: InstalledClient;
  publicKeys: readonly string[];
  electronUpdater: ElectronUpdaterModule;
  log: { info(text: string): void; warn(text: string): void };
  /** Starts the AppImage again after this process has ended; in Electron `app.relaunch({ execPath: file })`. */
  relaunch?: (file: string) => Promise<void>;
  startProgram?: (command: string, args: string[]) => Promise<void>;
  /** Outside Electron: what stands in for its app and its network. */
  app?: AppAdapter;
  httpExecutor?: HttpExecutor;
}

export interface UpdateEngine {
  /** Fetches the offer's file and verifies it. Rejects with what the operator is told. */
  download(offer: Offer, hooks: DownloadHooks): Promise<void>;
  /** Hands the verified file to its installer and ends the app, or says what is left for a person to do. */
  install(): Promise<string | null>;
}

const diskImageNotice = "The disk image is open. Drag Comanda Hub into Applications, then start it again.";

/** Makes electron-updater fetch and install what our manifest offers, behind our signature check. */
export function createUpdateEngine(parts: EngineParts): UpdateEngine {
  const { client, electronUpdater, publicKeys, log } = parts;
  const { startProgram = startDetached, relaunch = (file) => startProgram(file, []) } = parts;
  const Base = client.bundle === "appimage" ? electronUpdater.AppImageUpdater : electronUpdater.NsisUpdater;
  const Updater = verifyingUpdater(Base as unknown as UpdaterClass, { client, publicKeys, startProgram, relaunch });
  const updater = new Updater(null, parts.app);
  let chosen: Offer | null = null;
  let lastError: Error | undefined;
  let hooks: DownloadHooks | undefined;

  // Never `channel`: setting it allows downgrades. 'Later' must not install on quit.
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.logger = redactingLogger(log);
  // In place of app-update.yml: its only other field would be a publisher for Authenticode.
  updater.configOnDisk = { value: Promise.resolve({ updaterCacheDirName: "comanda-hub-updater" }) };
  if (parts.httpExecutor !== undefined) updater.httpExecutor = parts.httpExecutor;
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
    async download(offer, downloadHooks) {
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
    async install() {
      lastError = undefined;
      if (!updater.install(false, true)) throw lastError ?? new UpdateRefused("The update could not be installed.");
      if (client.bundle === "dmg") return diskImageNotice;
      setImmediate(() => updater.app.quit());
      return null;
    },
  };
}

function redactingLogger(log: EngineParts["log"]) {
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
