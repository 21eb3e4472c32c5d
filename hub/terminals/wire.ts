import type { HubMessage } from "@comanda/protocol";
import type { Change } from "../changes/change.ts";
import { appendJsonField } from "../platform/append-json-field.ts";

/** A change as terminals hear of it, serialized once for all of them. */
export interface News {
  text: string;
  /** The place in the shared state; null for what is not counted. */
  seq: number | null;
  /** A terminal that need not hear it, because it gets an answer of its own. */
  except: string | null;
  /** Set when only this terminal is told. */
  only: string | null;
  /** The newest arrival (`ActiveTerminal.arrival`) that hears it; null when everyone does. */
  upTo: number | null;
}

export function serialize(message: HubMessage): string {
  return JSON.stringify(message);
}

export function newsOf(change: Exclude<Change, { kind: "notice" }>): News {
  const news = (text: string, seq: number | null = null): News => ({ text, seq, except: null, only: null, upTo: null });
  switch (change.kind) {
    case "order.stored": {
      const { posReference, version } = change.order;
      const head = JSON.stringify({
        type: "ORDER_CHANGED",
        seq: change.seq,
        posReference,
        version,
        origin: change.origin,
      });
      return news(appendJsonField(head, "order", change.wire), change.seq);
    }
    case "order.removed": {
      const { seq, posReference, version, origin } = change;
      return news(serialize({ type: "ORDER_REMOVED", seq, posReference, version, origin }), seq);
    }
    case "table.changed":
      return news(serialize({ type: "TABLE_CHANGED", seq: change.seq, table: change.table }), change.seq);
    case "plugin.stored":
      return news(serialize({ type: "PLUGIN_RECORD", seq: change.seq, record: change.record }), change.seq);
    case "plugin.removed": {
      const { seq, pluginId, key } = change;
      return news(serialize({ type: "PLUGIN_REMOVED", seq, pluginId, key }), seq);
    }
    case "lease.changed": {
      const { posReference, holder, by } = change;
      return { ...news(serialize({ type: "LEASE_CHANGED", posReference, holder })), except: by };
    }
    case "lease.revoked": {
      const { posReference, by, from } = change;
      return { ...news(serialize({ type: "LEASE_REVOKED", posReference, by })), only: from };
    }
    case "session.changed":
      return news(serialize({ type: "SESSION_CHANGED", session: change.session }));
  }
}
