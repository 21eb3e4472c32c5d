import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DesktopSettings, TerminalHub } from "@comanda/protocol";
import { newFolder } from "./programs.ts";

/** Creates a profile that has completed the wizard; `others` are settings of the hub that the wizard does not offer. */
export function savedProfile(
  settings: Partial<DesktopSettings> = {},
  others: Readonly<Record<string, string>> = {},
): string {
  return writeProfile(settings, { others });
}

/** Creates a profile in the role "terminal" with the chosen hub. */
export function terminalProfile(hub: TerminalHub | null, settings: Partial<DesktopSettings> = {}): string {
  return writeProfile(settings, { role: "terminal", terminal: { hub, kiosk: false } });
}

function writeProfile(settings: Partial<DesktopSettings>, more: object): string {
  const profile = newFolder("profile");
  const saved: DesktopSettings = {
    language: "en",
    hubName: "La Terraza",
    port: 8766,
    backOffice: { url: "http://127.0.0.1:8069", database: "demo", login: "" },
    plugins: [],
    startAtLogin: false,
    ...settings,
  };
  mkdirSync(profile, { recursive: true });
  writeFileSync(
    path.join(profile, "settings.json"),
    JSON.stringify({ configured: true, settings: saved, encryptedPassword: null, ...more }),
  );
  return profile;
}
