import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Passed when the system starts the app: it starts in the tray, without its window. */
export const hiddenSwitch = "--hidden";

/** Begins the argument that names another profile than the user's own. */
export const profileSwitch = "--profile-dir=";

export interface LoginItemDeps {
  platform: NodeJS.Platform;
  /** The folder whose `autostart` Linux reads. */
  configFolder: string;
  /** The program to start: the AppImage itself where the app runs from one. */
  program: string;
  /** What this start was told, such as its profile. */
  args: readonly string[];
  setLoginItemSettings: (settings: { openAtLogin: boolean; args: string[]; name?: string }) => void;
}

/** Starts the app with the user's session, or no longer. Linux has a file for it, Windows and macOS a setting. */
export function setStartAtLogin(isWanted: boolean, deps: LoginItemDeps): void {
  const args = [...deps.args, hiddenSwitch];
  const name = nameOf(deps.args);
  if (deps.platform !== "linux") {
    // Electron quotes the program and each argument for Windows; only there a login item has a name.
    const item = { openAtLogin: isWanted, args };
    return deps.setLoginItemSettings(name === null ? item : { ...item, name });
  }
  const file = path.join(deps.configFolder, "autostart", `${name ?? "comanda-hub"}.desktop`);
  if (!isWanted) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, desktopEntry([deps.program, ...args]));
}

/** Each profile starts on its own; null for the user's own one. */
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
