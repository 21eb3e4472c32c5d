import { UpdateCheckAnswer } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export const releaseTargets = ["android", "windows", "linux", "darwin"] as const;
export type ReleaseTarget = (typeof releaseTargets)[number];

/** The newest client release of each target, for every architecture. */
export function createReleases(db: Db) {
  const select = db.prepare<[string], { release: string }>("SELECT release FROM client_release WHERE target = ?");
  const upsert = db.prepare(`
    INSERT INTO client_release (target, release) VALUES (?, ?)
    ON CONFLICT (target) DO UPDATE SET release = excluded.release`);
  const remove = db.prepare("DELETE FROM client_release WHERE target = ?");

  return {
    newest(target: ReleaseTarget): UpdateCheckAnswer | null {
      const row = select.get(target);
      return row === undefined ? null : UpdateCheckAnswer.parse(JSON.parse(row.release));
    },

    /** null removes it. */
    set(target: ReleaseTarget, release: UpdateCheckAnswer | null): void {
      if (release === null) remove.run(target);
      else upsert.run(target, JSON.stringify(release));
    },
  };
}
