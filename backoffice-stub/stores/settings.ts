import type { Db } from "../db/open.ts";

export type SettingName = "restaurant" | "hub_mode" | "hub_address" | "min_client_version";
/** The system parameters. */
export function createSettings(db: Db) {
  const byName = db.prepare<[string], { value: string }>("SELECT value FROM setting WHERE name = ?");
  const upsert = db.prepare(`
    INSERT INTO setting (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  const remove = db.prepare("DELETE FROM setting WHERE name = ?");

  return {
    get: (name: SettingName): string | null => byName.get(name)?.value ?? null,

    /** null removes it. */
    set(name: SettingName, value: string | null): void {
      if (value === null) remove.run(name);
      else upsert.run(name, value);
    },
  };
}
