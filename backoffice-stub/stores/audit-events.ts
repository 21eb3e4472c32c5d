import { HubEventId } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { isoTime } from "../world.ts";

type AuditEventType = "hub_finalize";

/** The order audit log: written in the transaction of the event, never changed. */
export function createAuditEvents(db: Db) {
  const insert = db.prepare("INSERT INTO audit_event (type, pos_reference, event_id, created_at) VALUES (?, ?, ?, ?)");
  const selectAll = db.prepare<[], { id: number; type: string; posReference: string; eventId: string; at: number }>(
    "SELECT id, type, pos_reference AS posReference, event_id AS eventId, created_at AS at FROM audit_event ORDER BY id",
  );

  return {
    /** Adds an event. The event id keeps its type, string or number. */
    add(type: AuditEventType, posReference: string, eventId: HubEventId, nowMs: number): void {
      insert.run(type, posReference, JSON.stringify(eventId), nowMs);
    },

    /** Sorted oldest first. */
    list: () =>
      selectAll.all().map(({ eventId, at, ...event }) => ({
        ...event,
        eventId: HubEventId.parse(JSON.parse(eventId)),
        createdAt: isoTime(at),
      })),
  };
}
