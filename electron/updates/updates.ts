import { existsSync } from "node:fs";
import path from "node:path";
import { requireSpace } from "@comanda/hub/db/files/disk-space.ts";
import type { UpdateCheck, UpdateChoice, UpdateState } from "@comanda/protocol";
import {
  checkForUpdate,
  createUpdateEngine,
  describeInstallation,
  hasChannel,
  releaseChannel,
  startUpdateSession,
  type CheckSources,
  type EngineDeps,
  type InstalledClient,
  type ReleaseChannel,
} from "@comanda/updater/client";

/** The update flow as the rest of the app sees it. */
export interface Updates {
  state: () => UpdateState;
  choose: (choice: UpdateChoice) => void;
  /** Checks now and resolves to the result. */
  check: () => Promise<UpdateCheck>;
}

export interface UpdateDeps {
  channel: ReleaseChannel;
  client: InstalledClient | undefined;
  /** The back-office's configured address, used if the proxy cannot be reached. */
  backOfficeUrl: () => string | undefined;
  fetch: CheckSources["fetch"];
  electronUpdater: EngineDeps["electronUpdater"];
  relaunch: (program: string) => void;
  /** Saves this start's arguments for the version that an installer starts without arguments. */
  leaveForInstaller: () => void;
  openInBrowser: (address: string) => Promise<void>;
  /** Stops the hub before an installer runs. `startHub` starts it again if the installation did not take over. */
  stopHub: () => Promise<void>;
  startHub: () => Promise<unknown>;
  onState: (state: UpdateState) => void;
  log: { info: (facts: object, message: string) => void; warn: (facts: object, message: string) => void };
}

/** Runs the update flow from launch. An app without a channel, or on a system without releases, never checks. */
export function setupUpdates(deps: UpdateDeps): Updates {
  const { channel, client, log } = deps;
  if (client === undefined || !hasChannel(channel)) {
    return { state: () => ({ name: "app" }), choose: () => undefined, check: () => Promise.resolve("no_channel") };
  }

  const engine = createUpdateEngine({
    client,
    publicKeys: channel.publicKeys,
    requireSpace,
    electronUpdater: deps.electronUpdater,
    log: { info: (text) => log.info({}, text), warn: (text) => log.warn({}, text) },
    relaunch: (program) => Promise.resolve(deps.relaunch(program)),
  });
  const session = startUpdateSession({
    platform: "desktop",
    check: () =>
      checkForUpdate({ proxyUrl: channel.proxyUrl, backOfficeUrl: deps.backOfficeUrl(), fetch: deps.fetch }, client),
    download: engine.download,
    async install() {
      try {
        await deps.stopHub();
        deps.leaveForInstaller();
        const notice = await engine.install();
        if (notice !== null) await deps.startHub();
        return notice;
      } catch (error) {
        await deps.startHub();
        throw error;
      }
    },
    openInBrowser: deps.openInBrowser,
    onState: deps.onState,
    onEvent: (event, problem) => log.info(problem === undefined ? { event } : { event, problem }, "update"),
  });
  return {
    state: session.state,
    choose: session.choose,
    async check() {
      session.choose("try-again");
      await session.settled();
      return session.state().name === "app" ? "up_to_date" : "pending";
    },
  };
}

/** Returns the channel. A packaged app uses only its built-in one; an app run from source can use another. */
export function channelOf(isPackaged: boolean, env: Readonly<Record<string, string | undefined>>): ReleaseChannel {
  const { COMANDA_UPDATE_URL: proxyUrl, COMANDA_UPDATE_KEYS: keys } = env;
  if (isPackaged || proxyUrl === undefined || keys === undefined) return releaseChannel;
  return { proxyUrl, publicKeys: keys.split(",").map((key) => key.trim()) };
}

/** Returns how this app was installed, or undefined if no release fits, such as on Linux outside an AppImage. */
export function installationOf(
  version: string,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): InstalledClient | undefined {
  if (platform === "linux" && env["APPIMAGE"] === undefined) return undefined;
  // The NSIS installer puts its uninstaller beside the program; the MSI does not.
  const uninstaller = path.join(path.dirname(program), `Uninstall ${path.basename(program)}`);
  return describeInstallation(version, platform, arch, platform === "win32" && !existsSync(uninstaller));
}
