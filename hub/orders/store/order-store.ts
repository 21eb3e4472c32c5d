import { type ForwardState, isActive, type StoredOrder } from "@comanda/protocol";
import type { Db } from "../../db/open.ts";
import { HubError } from "../../platform/errors.ts";
import { createOrderChanges } from "./order-changes.ts";
import { createOrderRows } from "./order-rows.ts";
import { createShownOrders } from "./shown-orders.ts";
import { readBody, readShowableBody, type OnDamage } from "./stored-body.ts";
import { createVersionStore } from "./version-store.ts";
import { createWorkingSet } from "./working-set.ts";

export type OrderStore = ReturnType<typeof createOrderStore>;

/**
 * Stores orders with all their versions, and removals. `onDamage` is called without an argument for a row that does not match
 * its checksum, and with a description for a row that cannot be parsed.
 */
export function createOrderStore(db: Db, onDamage: OnDamage = () => {}) {
  const rows = createOrderRows(db);
  const versions = createVersionStore(db, onDamage);
  const workingSet = createWorkingSet((posReference) => {
    const row = rows.get(posReference);
    return row === null ? null : { order: readBody(row, onDamage), forward: JSON.parse(row.forward) as ForwardState };
  });

  return {
    ...createShownOrders({ rows, workingSet, onDamage }),
    ...createOrderChanges({ rows, versions, workingSet, onDamage }),

    /** The stored order without its forward state; null if there is none. */
    get: (posReference: string): StoredOrder | null => workingSet.get(posReference)?.order ?? null,

    /** Returns why an order can no longer be changed: paid, closed or discarded; null if it can, or is unknown. */
    whyFinished(posReference: string): HubError | null {
      const status = rows.getStatus(posReference);
      if (status !== null && isActive(status)) return null;
      if (status !== null) return new HubError("ORDER_LOCKED", "this check is paid");
      return rows.getRemoval(posReference) === null ? null : new HubError("NOT_FOUND", "this check was discarded");
    },

    exists: (posReference: string): boolean => rows.getStatus(posReference) !== null,

    /** Returns the stored order with its forward state, for terminals and the operator API; null if there is none. */
    getWithForward(posReference: string): StoredOrder | null {
      const found = workingSet.get(posReference);
      return found === null ? null : { ...found.order, forward: found.forward };
    },

    /** Reads a version for display in a list; null if it is missing or cannot be shown. */
    shownVersion(posReference: string, version: number): StoredOrder | null {
      const row = versions.find(posReference, version);
      return row === null ? null : readShowableBody(row, onDamage);
    },

    raiseFloor: versions.raiseFloor,
    getSeq: rows.getSeq,
    wasRemoved: (posReference: string): boolean => rows.getRemoval(posReference) !== null,
    getRemoval: rows.getRemoval,
    hasOtherWriter: versions.hasOtherWriter,

    listActiveOnTable: rows.listActiveOnTable,
    countActive: rows.countActive,
    listActiveHeads: rows.listActiveHeads,
    countActiveByOrigin: rows.countActiveByOrigin,
    listNamedSince: rows.listNamedSince,

    hasChangedMore: rows.hasChangedMore,
    /** How many orders a new terminal needs at most: active ones and those updated since a time (ms since 1970). */
    countCurrent: rows.countCurrent,

    firstAt: versions.firstAt,
    lastContent: versions.lastContent,
    listVersions: versions.listVersions,
    wasLineElsewhere: versions.wasLineElsewhere,
    versionText(posReference: string, version: number): { order: StoredOrder; text: string } | null {
      const row = versions.find(posReference, version);
      return row === null ? null : { order: readBody(row, onDamage), text: row.body };
    },
    versionBody(posReference: string, version: number): StoredOrder | null {
      const row = versions.find(posReference, version);
      return row === null ? null : readBody(row, onDamage);
    },
  };
}
