import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { readIfThere, replacePrivate } from "@comanda/hub/db/files/private-files.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import { DesktopRole, DesktopSettings, TerminalHub } from "@comanda/protocol";
import { fileText } from "@comanda/protocol/file-text.ts";

/** What the app keeps in `settings.json`. */
export interface StoredSettings {
  /** The first-run wizard has been finished once. */
  configured: boolean;
  settings: DesktopSettings;
  /** Base64 of what the safe storage returned; null = none. */
  encryptedPassword: string | null;
  /** Settings of the hub that the app's form has no field for, by variable. */
  others: Record<string, string>;
  /** What this PC is. */
  role: DesktopRole;
  terminal: TerminalSettings;
  /** The data file that the hub has worked with last; null before the first. */
  dataFile: string | null;
}

/** What only the role "terminal" uses. */
export interface TerminalSettings {
  /** The hub that was chosen; its address is the one where it was last found. */
  hub: TerminalHub | null;
  /** Full screen without a menu. */
  kiosk: boolean;
}

export type SettingsFile = ReturnType<typeof createSettingsFile>;

/** One JSON file that only this user can read. A power cut during a write leaves the old or the new one. */
export function createSettingsFile(folder: string, first: StoredSettings) {
  const file = path.join(folder, "settings.json");
  let damage: string | null = null;
  let stored = read();

  function read(): StoredSettings {
    const text = readText();
    if (text === null) return first;
    try {
      return parse(JSON.parse(text));
    } catch {
      const aside = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
      renameSync(file, aside);
      damage = `The settings file could not be understood and was set aside as ${aside}; the defaults are used.`;
      return first;
    }
  }

  /** A file that another program or the system holds back is no damage: other settings would lead to another data file. */
  function readText(): string | null {
    try {
      const bytes = readIfThere(file);
      return bytes === null ? null : fileText(bytes);
    } catch (error) {
      throw new Error(`The settings file ${file} cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  function write(next: StoredSettings): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replacePrivate(file, JSON.stringify(next, null, 2));
    stored = next;
  }

  return {
    read: () => stored,
    write,
    /** Takes effect in any case, and is saved with the next write if it cannot be now; returns why, or null. */
    take(next: StoredSettings): unknown {
      try {
        write(next);
        return null;
      } catch (error) {
        stored = next;
        return error;
      }
    },
    /** Why the file was set aside at this start, or null. */
    damage: () => damage,
  };
}

function parse(content: unknown): StoredSettings {
  const { configured, settings, encryptedPassword, others, role, terminal, dataFile } =
    content as Partial<StoredSettings>;
  return {
    configured: configured === true,
    settings: DesktopSettings.parse(settings),
    encryptedPassword: typeof encryptedPassword === "string" ? encryptedPassword : null,
    others: Object.fromEntries(Object.entries(others ?? {}).map(([name, value]) => [name, String(value)])),
    role: DesktopRole.safeParse(role).data ?? "hub",
    terminal: { hub: TerminalHub.safeParse(terminal?.hub).data ?? null, kiosk: terminal?.kiosk === true },
    dataFile: typeof dataFile === "string" ? dataFile : null,
  };
}
