import { rmSync } from "node:fs";
import path from "node:path";
import type { Offer } from "../guard-offer.ts";
import type { Bundle, InstalledClient } from "../installed-client.ts";
import { AddressExpired, UpdateRefused } from "../update-refused.ts";
import { announcedSizeBytes, verifyOffer } from "../verify-offer.ts";
import type { DownloadOptions, DownloadTask, HttpExecutor, UpdaterClass } from "./engine-types.ts";
import { digestFile, replaceAppImage } from "./replace-app-image.ts";
import { type GrowthProblem, watchGrowth } from "./watch-growth.ts";

export interface VerifyingUpdaterDeps {
  client: InstalledClient;
  publicKeys: readonly string[];
  /** Throws, with a message for the operator, if a folder's disk would be low on space after `bytes` more. */
  requireSpace(folder: string, bytes: number): void;
  /** Starts a program that outlives this one. */
  startProgram(command: string, args: string[]): Promise<void>;
  /** Starts the new AppImage once this process has ended; in Electron `app.relaunch({ execPath: file })`. */
  relaunch(file: string): Promise<void>;
  /** A download without a byte for this long is aborted. Electron's network would wait forever. */
  stallMs: number;
}

export interface PendingDownload {
  offer: Offer;
  onTransferred(): void;
}

/**
 * Returns electron-updater's NSIS or AppImage updater with our signature check. A download succeeds only if its signature is
 * valid, and the file is read again right before installation and must be unchanged. MSI and disk images, unsupported by
 * electron-updater, take the same path with their own installers.
 */
export function verifyingUpdater(Base: UpdaterClass, deps: VerifyingUpdaterDeps) {
  const { client, publicKeys } = deps;

  return class VerifyingUpdater extends Base {
    pending: PendingDownload | null = null;
    verified: { file: string; digest: string } | null = null;
    /** The start of the last program. */
    starting: Promise<unknown> = Promise.resolve();

    /** The app decides whether to check before it creates an engine. */
    override isUpdaterActive(): boolean {
      return true;
    }

    override doDownloadUpdate(options: DownloadOptions): Promise<{ updateFile: string }> {
      if (client.bundle === "nsis" || client.bundle === "appimage") return super.doDownloadUpdate(options);
      const [fileInfo] = options.updateInfoAndProvider.provider.resolveFiles(options.updateInfoAndProvider.info);
      if (fileInfo === undefined) throw new UpdateRefused("There is nothing to download.");
      return this.executeDownload({
        fileExtension: client.bundle,
        fileInfo,
        downloadUpdateOptions: options,
        task: (file, downloadOptions) => this.httpExecutor.download(fileInfo.url, file, downloadOptions),
      });
    }

    override async executeDownload(task: DownloadTask): Promise<{ updateFile: string }> {
      const { pending } = this;
      if (pending === null) throw new UpdateRefused("No update was chosen.");
      this.verified = null;
      let digest: string | undefined;
      const gated: DownloadTask["task"] = async (file, options, packageFile, removeTemporary) => {
        // The installed program takes about as much space again.
        deps.requireSpace(path.dirname(file), 2 * announcedSizeBytes(pending.offer));
        const fetch = () => task.task(file, options, packageFile, removeTemporary);
        await fetchWatched(file, pending.offer, task, this.httpExecutor, deps.stallMs, fetch);
        pending.onTransferred();
        ({ digest } = await verifyOffer(file, pending.offer, publicKeys, client));
      };
      const { updateFile } = await super.executeDownload({ ...task, task: gated });
      this.verified = { file: updateFile, digest: digest ?? (await this.verifyCached(updateFile, pending.offer)) };
      return { updateFile };
    }

    /** Verifies a file downloaded earlier, which electron-updater would trust. */
    async verifyCached(file: string, offer: Offer): Promise<string> {
      try {
        return (await verifyOffer(file, offer, publicKeys, client)).digest;
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      }
    }

    override install(isSilent: boolean, isForceRunAfter: boolean): boolean {
      const { installerPath, verified } = this;
      if (installerPath === null || verified?.file !== installerPath || digestFile(installerPath) !== verified.digest) {
        this.verified = null;
        if (installerPath !== null) rmSync(installerPath, { force: true });
        this.dispatchError(new UpdateRefused("The downloaded file is not the one that was verified."));
        return false;
      }
      const started = super.install(isSilent, isForceRunAfter);
      if (!started) this.quitAndInstallCalled = false;
      return started;
    }

    /** Resolves once the program that `install` starts is running. Until then the app must not quit. */
    async untilStarted(): Promise<void> {
      const { starting } = this;
      try {
        await starting;
      } catch (error) {
        // electron-updater retries a failed start with elevated rights.
        if (this.starting !== starting) return this.untilStarted();
        this.quitAndInstallCalled = false;
        throw error;
      }
    }

    override doInstall(options: Parameters<InstanceType<UpdaterClass>["doInstall"]>[0]): boolean {
      const { verified } = this;
      if (verified === null) return false;
      const start = (command: string, args: string[]) => {
        this.starting = deps.startProgram(command, args);
        return true;
      };
      const bundle: Bundle = client.bundle;
      switch (bundle) {
        case "nsis":
          return super.doInstall(options);
        case "msi":
          // With less UI than /qr, the package neither restarts the app nor reports a failure.
          return start(`${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\msiexec.exe`, [
            "/i",
            verified.file,
            "/qr",
            "/norestart",
          ]);
        case "dmg":
          return start("/usr/bin/open", [verified.file]);
        case "appimage": {
          const running = process.env["APPIMAGE"];
          if (running === undefined) throw new UpdateRefused("This app does not run from an AppImage.");
          const replaced = replaceAppImage(verified, running);
          this.starting = deps.relaunch(replaced);
          return true;
        }
      }
    }

    /** electron-updater starts the NSIS installer through this method. */
    override spawnLog(command: string, args: string[] = []): Promise<boolean> {
      const starting = deps.startProgram(command, args).then(() => true);
      this.starting = starting;
      return starting;
    }
  };
}

const growthProblems: Record<GrowthProblem, string> = {
  "too-large": "The downloaded file is larger than announced.",
  stalled: "Nothing more arrives of the update: the connection is too bad, or gone.",
};

async function fetchWatched(
  file: string,
  offer: Offer,
  task: DownloadTask,
  http: HttpExecutor,
  stallMs: number,
  fetch: () => Promise<unknown>,
): Promise<void> {
  const responses = watchResponses(http);
  const giveUp = () => task.downloadUpdateOptions.cancellationToken.cancel();
  const growth = watchGrowth(file, { maxBytes: announcedSizeBytes(offer), stallMs, giveUp });
  try {
    await fetch();
  } catch (error) {
    const problem = growth.problem();
    if (problem !== undefined) throw new UpdateRefused(growthProblems[problem]);
    const status = responses.lastStatus();
    if (status === 403 || status === 410) throw new AddressExpired();
    throw error;
  } finally {
    growth.end();
    responses.end();
  }
}

/** Records the response status, because electron-updater's error for a refused download does not contain it. */
function watchResponses(http: HttpExecutor): { lastStatus(): number | undefined; end(): void } {
  let status: number | undefined;
  const { createRequest } = http;
  http.createRequest = (options, onResponse) =>
    createRequest.call(http, options, (response) => {
      status = response.statusCode;
      onResponse(response);
    });
  return { lastStatus: () => status, end: () => void (http.createRequest = createRequest) };
}
