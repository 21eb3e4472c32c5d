import { BackOfficeUpdate } from "@comanda/protocol";
import { z } from "zod";
import type { Db } from "../db/open.ts";
import { keyValueTable } from "./key-value-table.ts";

export const releaseTargets = ["android", "windows", "linux", "darwin"] as const;
export type ReleaseTarget = (typeof releaseTargets)[number];

/** Tests may set any URL, including ones that clients refuse. */
export const Release = BackOfficeUpdate.extend({ url: z.string() });
export type Release = z.infer<typeof Release>;

/** The newest client release of each target, for every architecture. */
export function createReleases(db: Db) {
  const releases = keyValueTable<ReleaseTarget>(db, "client_release", "target", "release");
  return {
    newest(target: ReleaseTarget): Release | null {
      const text = releases.get(target);
      return text === null ? null : Release.parse(JSON.parse(text));
    },

    /** null removes the release. */
    set: (target: ReleaseTarget, release: Release | null): void =>
      releases.set(target, release === null ? null : JSON.stringify(release)),
  };
}
