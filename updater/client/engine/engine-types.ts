// The parts of electron-updater that the engine relies on. Several are `protected` or internal in its own types, so they
// are declared here; the tests of the update engine fail when a new version behaves differently.
import type { IncomingMessage } from "node:http";
import type * as ElectronUpdater from "electron-updater";
import type { AppAdapter } from "electron-updater/out/AppAdapter.js";

export type { AppAdapter };

/** The exports of electron-updater, passed in: this package imports neither it nor Electron at run time. */
export type ElectronUpdaterModule = Pick<
  typeof ElectronUpdater,
  "NsisUpdater" | "AppImageUpdater" | "CancellationToken"
>;
export type CancellationToken = InstanceType<ElectronUpdaterModule["CancellationToken"]>;

export interface FileToFetch {
  url: URL;
  info: { url: string };
}

export interface LatestVersion {
  version: string;
  files: { url: string }[];
  path: string;
  sha512: string;
  releaseDate: string;
}

export interface DownloadOptions {
  updateInfoAndProvider: { info: LatestVersion; provider: { resolveFiles(info: LatestVersion): FileToFetch[] } };
  cancellationToken: CancellationToken;
}

export interface DownloadTask {
  fileExtension: string;
  fileInfo: FileToFetch;
  downloadUpdateOptions: DownloadOptions;
  task(
    file: string,
    options: object,
    packageFile: string | null,
    removeTemporary: () => Promise<unknown>,
  ): Promise<unknown>;
}

export interface HttpExecutor {
  createRequest(options: object, onResponse: (response: IncomingMessage) => void): unknown;
  download(url: URL, file: string, options: object): Promise<unknown>;
}

export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  disableDifferentialDownload: boolean;
  disableWebInstaller: boolean;
  logger: { info(text: unknown): void; warn(text: unknown): void; error(text: unknown): void } | null;
  readonly app: AppAdapter;
  httpExecutor: HttpExecutor;
  configOnDisk: { readonly value: Promise<{ updaterCacheDirName: string }> };
  quitAndInstallCalled: boolean;
  readonly installerPath: string | null;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(
    event: "download-progress",
    listener: (progress: { transferred: number; total: number; bytesPerSecond: number }) => void,
  ): unknown;
  setFeedURL(options: { provider: "custom"; updateProvider: unknown }): void;
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean } | null>;
  downloadUpdate(token: CancellationToken): Promise<string[]>;
  isUpdaterActive(): boolean;
  dispatchError(error: Error): void;
  doDownloadUpdate(options: DownloadOptions): Promise<{ updateFile: string }>;
  executeDownload(task: DownloadTask): Promise<{ updateFile: string }>;
  install(isSilent: boolean, isForceRunAfter: boolean): boolean;
  doInstall(options: { isSilent: boolean; isForceRunAfter: boolean; isAdminRightsRequired: boolean }): boolean;
  spawnLog(command: string, args?: string[], env?: NodeJS.ProcessEnv): Promise<boolean>;
}

export type UpdaterClass = new (options: null, app?: AppAdapter) => Updater;
