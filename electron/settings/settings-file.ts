import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { readIfPresent, replacePrivate } from "@comanda/hub/db/files/private-files.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import { DesktopRole, DesktopSettings, TerminalHub } from "@comanda/protocol";
import { fileText } from "@comanda/protocol/file-text.ts";
import { z } from "zod";

/** Settings used only by the role "terminal". */
const TerminalSettings = z.object({
  /** The chosen hub. Its address is where it was last found. */
  hub: TerminalHub.nullable().catch(null),
  /** Full screen without a menu. */
  kiosk: z.boolean().catch(false),
});
export type TerminalSettings = z.infer<typeof TerminalSettings>;

/** Content of `settings.json`. The file counts as damaged only if `settings` is missing or unreadable. */
const StoredSettings = z.object({
  /** Whether the first-run wizard was ever finished. */
  configured: z.boolean().catch(false),
  settings: DesktopSettings,
  /** What the safe storage returned, in base64; null if there is no password. */
  encryptedPassword: z.string().nullable().catch(null),
  /** Hub settings without a field in the app's form, by variable. */
  others: z.record(z.string(), z.coerce.string()).catch({}),
  /** The role of this PC. */
  role: DesktopRole.catch("hub"),
  terminal: TerminalSettings.catch({ hub: null, kiosk: false }),
  /** The data file that the hub last used; null before the first. */
  dataFile: z.string().nullable().catch(null),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

export type SettingsFile = ReturnType<typeof createSettingsFile>;

/** Keeps one JSON file that only this user can read. A power cut during a write leaves the old or the new content. */
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

  /** Throws if the file exists but cannot be read: default settings would use another data file. */
  function readText(): string | null {
    try {
      const bytes = readIfPresent(file);
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
    /** Applies settings in any case. If saving fails, the next write saves them; returns the error, or null. */
    take(next: StoredSettings): unknown {
      try {
        write(next);
        return null;
      } catch (error) {
        stored = next;
        return error;
      }
    },
    /** Returns why the file was set aside at this start, or null. */
    damage: () => damage,
  };
}
