import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { readIfThere, replacePrivate } from "@comanda/hub/db/files/private-files.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import { DesktopRole, DesktopSettings, TerminalHub } from "@comanda/protocol";
import { fileText } from "@comanda/protocol/file-text.ts";
import { z } from "zod";

/** What only the role "terminal" uses. */
const TerminalSettings = z.object({
  /** The hub that was chosen; its address is the one where it was last found. */
  hub: TerminalHub.nullable().catch(null),
  /** Full screen without a menu. */
  kiosk: z.boolean().catch(false),
});
export type TerminalSettings = z.infer<typeof TerminalSettings>;

/** What the app keeps in `settings.json`. Only without `settings` that can be read is the file damaged. */
const StoredSettings = z.object({
  /** The first-run wizard has been finished once. */
  configured: z.boolean().catch(false),
  settings: DesktopSettings,
  /** Base64 of what the safe storage returned; null = none. */
  encryptedPassword: z.string().nullable().catch(null),
  /** Settings of the hub that the app's form has no field for, by variable. */
  others: z.record(z.string(), z.coerce.string()).catch({}),
  /** What this PC is. */
  role: DesktopRole.catch("hub"),
  terminal: TerminalSettings.catch({ hub: null, kiosk: false }),
  /** The data file that the hub has worked with last; null before the first. */
  dataFile: z.string().nullable().catch(null),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

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
      return StoredSettings.parse(JSON.parse(text));
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
