import { existsSync } from "node:fs";
import path from "node:path";
import type { UpdateCheck, UpdateChoice, UpdateState } from "@comanda/protocol";
import {
  checkForUpdate,
  createUpdateEngine,
  describeInstallation,
  hasChannel,
  releaseChannel,
  startUpdateSession,
  type CheckSources,
  type EngineParts,
  type InstalledClient,
  type ReleaseChannel,
} from "@comanda/updater/client";

/** The update flow as the rest of the app sees it. */
export interface Updates {
  state: () => UpdateState;
  choose: (choice: UpdateChoice) => void;
  /** Checks now; resolves when it is known what came of it. */
  check: () => Promise<UpdateCheck>;
}

export interface UpdateParts {
  channel: ReleaseChannel;
  client: InstalledClient | undefined;
  /** The back-office's address when one is configured: it is asked when the proxy cannot be. */
  backOfficeUrl: () => string | undefined;
  fetch: CheckSources["fetch"];
  electronUpdater: EngineParts["electronUpdater"];
  relaunch: (program: string) => void;
  openInBrowser: (address: string) => Promise<void>;
  /** Ends the hub so that an installer finds nothing running, and brings it back where none took over. */
  stopHub: () => Promise<void>;
  startHub: () => Promise<unknown>;
  onState: (state: UpdateState) => void;
  log: { info: (facts: object, message: string) => void; warn: (facts: object, message: string) => void };
}

/** Runs the update flow from launch on; an app without a channel, or on a system without releases, has nothing to check. */
export function setupUpdates(parts: UpdateParts): Updates {
  const { channel, client, log } = parts;
  if (client === undefined || !hasChannel(channel)) {
    return { state: () => ({ name: "app" }), choose: () => undefined, check: () => Promise.resolve("no_channel") };
  }

  const engine = createUpdateEngine({
    client,
    publicKeys: channel.publicKeys,
    electronUpdater: parts.electronUpdater,
    log: { info: (text) => log.info({}, text), warn: (text) => log.warn({}, text) },
    relaunch: (program) => Promise.resolve(parts.relaunch(program)),
  });
  const session = startUpdateSession({
    platform: "desktop",
    check: () =>
      checkForUpdate({ proxyUrl: channel.proxyUrl, backOfficeUrl: parts.backOfficeUrl(), fetch: parts.fetch }, client),
    download: engine.download,
    async install() {
      await parts.stopHub();
      try {
        const leftToDo = await engine.install();
        if (leftToDo !== null) await parts.startHub();
        return leftToDo;
      } catch (error) {
        await parts.startHub();
        throw error;
      }
    },
    openInBrowser: parts.openInBrowser,
    onState: parts.onState,
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

/** A packaged app believes only what it was built with; from the sources another channel can be named to try one out. */
export function channelOf(isPackaged: boolean, env: Readonly<Record<string, string | undefined>>): ReleaseChannel {
  const { COMANDA_UPDATE_URL: proxyUrl, COMANDA_UPDATE_KEYS: keys } = env;
  if (isPackaged || proxyUrl === undefined || keys === undefined) return releaseChannel;
  return { proxyUrl, publicKeys: keys.split(",").map((key) => key.trim()) };
}

/** How this app came onto the machine; undefined where no release fits, such as on Linux outside an AppImage. */
export function installationOf(
  version: string,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): InstalledClient | undefined {
  if (platform === "linux" && env["APPIMAGE"] === undefined) return undefined;
  // The NSIS installer leaves its uninstaller beside the program; the MSI leaves none.
  const uninstaller = path.join(path.dirname(program), `Uninstall ${path.basename(program)}`);
  return describeInstallation(version, platform, arch, platform === "win32" && !existsSync(uninstaller));
}
