import type { BackOfficeSession } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

/** The sessions (shifts) of the point of sale. At most one is open. */
export function createPosSessions(db: Db) {
  const selectOpen = db.prepare<[], { id: number }>("SELECT id FROM pos_session WHERE closed_at IS NULL");
  const selectLast = db.prepare<[], { id: number }>("SELECT id FROM pos_session ORDER BY id DESC LIMIT 1");
  const insert = db.prepare("INSERT INTO pos_session (opened_at) VALUES (?)");
  const closeAll = db.prepare("UPDATE pos_session SET closed_at = ? WHERE closed_at IS NULL");

  function current(): BackOfficeSession | null {
    const row = selectOpen.get();
    return row === undefined ? null : present(row.id);
  }

  return {
    current,

    /** Returns the open session, or else the last one: money already taken is booked there. */
    idToBookInto(): number {
      const row = selectOpen.get() ?? selectLast.get();
      if (row === undefined) throw new Error("this file has never had a POS session");
      return row.id;
    },

    /** Does nothing if a session is open. */
    open(nowMs: number): void {
      if (selectOpen.get() === undefined) insert.run(nowMs);
    },

    close(nowMs: number): void {
      closeAll.run(nowMs);
    },
  };
}

function present(id: number): BackOfficeSession {
  return { id, name: `POS/${String(id).padStart(5, "0")}`, state: "opened" };
}
