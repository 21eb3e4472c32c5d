import type { Db } from "../db/open.ts";

/** Who wrote a version with an approval, or discarded an order: facts that the versions do not contain. */
export interface VersionPeople {
  version: number;
  userName: string;
  approvedBy: string | null;
}

export type VersionPeopleStore = ReturnType<typeof createVersionPeopleStore>;

/** Stored in a separate table, so that packing and thinning versions keeps it. Deleted with the order. */
export function createVersionPeopleStore(db: Db) {
  const save = db.prepare<VersionPeople & { posReference: string }>(`
    INSERT OR REPLACE INTO version_people (pos_reference, version, user_name, approved_by)
    VALUES (@posReference, @version, @userName, @approvedBy)`);
  const findByOrder = db.prepare<[string], VersionPeople>(`
    SELECT version, user_name AS userName, approved_by AS approvedBy FROM version_people WHERE pos_reference = ?`);

  return {
    save: (posReference: string, people: VersionPeople): void => void save.run({ posReference, ...people }),
    findByOrder: (posReference: string): Map<number, VersionPeople> =>
      new Map(findByOrder.all(posReference).map((row) => [row.version, row])),
  };
}
