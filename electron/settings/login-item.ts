import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Passed when the system starts the app: it starts in the tray, without its window. */
export const hiddenSwitch = "--hidden";

/** Prefix of the argument that selects another profile than the default. */
export const profileSwitch = "--profile-dir=";

export interface LoginItemDeps {
  platform: NodeJS.Platform;
  /** The folder whose `autostart` Linux reads. */
  configFolder: string;
  /** The program to start: the AppImage itself if the app runs from one. */
  program: string;
  /** Arguments of this start, such as its profile. */
  args: readonly string[];
  setLoginItemSettings: (settings: { openAtLogin: boolean; args: string[]; name?: string }) => void;
}

/** Sets whether the app starts with the user's session: by a file on Linux, by a setting on Windows and macOS. */
export function setStartAtLogin(isEnabled: boolean, deps: LoginItemDeps): void {
  const args = [...deps.args, hiddenSwitch];
  const name = nameOf(deps.args);
  if (deps.platform !== "linux") {
    // On Windows, Electron quotes the program and each argument. Only there does a login item have a name.
    const item = { openAtLogin: isEnabled, args };
    return deps.setLoginItemSettings(name === null ? item : { ...item, name });
  }
  const file = path.join(deps.configFolder, "autostart", `${name ?? "comanda-hub"}.desktop`);
  if (!isEnabled) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, desktopEntry([deps.program, ...args]));
}

/** Returns a name per profile, so that each starts separately; null for the default profile. */
function nameOf(args: readonly string[]): string | null {
  const profile = args.find((arg) => arg.startsWith(profileSwitch));
  if (profile === undefined) return null;
  return `comanda-hub-${createHash("sha256").update(profile).digest("hex").slice(0, 8)}`;
}

function desktopEntry(command: readonly string[]): string {
  const quoted = command.map((part) => `"${part.replace(/[\\"`$]/g, String.raw`\$&`).replaceAll("%", "%%")}"`);
  // A value's own backslashes are read before the quotes of a command.
  const exec = quoted.join(" ").replaceAll("\\", String.raw`\\`);
  return ["[Desktop Entry]", "Type=Application", "Name=Comanda Hub", `Exec=${exec}`, "Terminal=false", ""].join("\n");
}
