import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Passed when the system starts the app: it starts in the tray, without its window. */
export const hiddenSwitch = "--hidden";

export interface LoginItemDeps {
  platform: NodeJS.Platform;
  /** The folder whose `autostart` Linux reads. */
  configFolder: string;
  /** The program to start: the AppImage itself where the app runs from one. */
  program: string;
  /** What this start was told, such as its profile. */
  args: readonly string[];
  setLoginItemSettings: (settings: { openAtLogin: boolean; args: string[] }) => void;
}

/** Starts the app with the user's session, or no longer. Linux has a file for it, Windows and macOS a setting. */
export function setStartAtLogin(isWanted: boolean, deps: LoginItemDeps): void {
  const args = [...deps.args, hiddenSwitch];
  if (deps.platform === "win32") {
    return deps.setLoginItemSettings({ openAtLogin: isWanted, args: args.map(quotedForWindows) });
  }
  if (deps.platform !== "linux") return deps.setLoginItemSettings({ openAtLogin: isWanted, args });
  const file = path.join(deps.configFolder, "autostart", "comanda-hub.desktop");
  if (!isWanted) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, desktopEntry([deps.program, ...args]));
}

/** Electron joins the arguments with blanks to one line. A program reads backslashes before a quote in pairs. */
function quotedForWindows(arg: string): string {
  return `"${arg.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes.repeat(2) + (quote && String.raw`\"`))}"`;
}

function desktopEntry(command: readonly string[]): string {
  const quoted = command.map((part) => `"${part.replace(/[\\"`$]/g, String.raw`\$&`).replaceAll("%", "%%")}"`);
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Comanda Hub",
    `Exec=${quoted.join(" ")}`,
    "Terminal=false",
    "",
  ].join("\n");
}
