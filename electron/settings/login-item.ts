import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Given at a start by the system: the app begins in the tray, without its window. */
export const hiddenSwitch = "--hidden";

export interface LoginItemParts {
  platform: NodeJS.Platform;
  /** Where Linux keeps what starts with the session. */
  configFolder: string;
  /** The program to start: the AppImage itself where the app runs from one. */
  program: string;
  setLoginItemSettings: (settings: { openAtLogin: boolean; args: string[] }) => void;
}

/** Starts the app with the manager's session, or no longer. Linux has a file for it, Windows and macOS a setting. */
export function setStartAtLogin(wanted: boolean, parts: LoginItemParts): void {
  if (parts.platform !== "linux") return parts.setLoginItemSettings({ openAtLogin: wanted, args: [hiddenSwitch] });
  const file = path.join(parts.configFolder, "autostart", "comanda-hub.desktop");
  if (!wanted) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, desktopEntry(parts.program));
}

function desktopEntry(program: string): string {
  const quoted = program.replace(/[\\"`$]/g, String.raw`\$&`);
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Comanda Hub",
    `Exec="${quoted}" ${hiddenSwitch}`,
    "Terminal=false",
    "",
  ].join("\n");
}
