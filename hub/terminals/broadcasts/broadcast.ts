import type { HubMessage } from "@comanda/protocol";
import type { Change } from "../../changes/change.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";

/** A message for many terminals, serialized once. */
export interface Broadcast {
  text: string;
  /** Its place in the shared state, or null if it is not part of the shared state. */
  seq: number | null;
  /** A terminal that is skipped because it gets an answer of its own. */
  except: string | null;
  /** If set, only this terminal gets the message. */
  only: string | null;
  /** Only terminals with an arrival (`ActiveTerminal.arrival`) up to this get it; null means every terminal. */
  upTo: number | null;
}

export function serialize(message: HubMessage): string {
  return JSON.stringify(message);
}

/** Adds the signature of the broadcast's place in the shared state, if it has one. */
export function signed(broadcast: Broadcast, sign: (seq: number) => string): Broadcast {
  const { seq, text } = broadcast;
  return seq === null
    ? broadcast
    : { ...broadcast, text: appendJsonField(text, "signature", JSON.stringify(sign(seq))) };
}

/** For every terminal, and not part of the shared state. */
export const toAll = { seq: null, except: null, only: null, upTo: null } as const;

/** Returns the broadcast for a change, or null if terminals are not notified of it. */
export function broadcastOf(change: Change): Broadcast | null {
  switch (change.kind) {
    case "notice":
      return null;
    case "order.stored": {
      const { seq, origin } = change;
      const { posReference, version } = change.order;
      const head = { type: "ORDER_CHANGED", seq, posReference, version, origin };
      return { ...toAll, seq, text: appendJsonField(JSON.stringify(head), "order", change.wire) };
    }
    case "order.removed": {
      const { seq, posReference, version, origin, mergedInto } = change;
      const message = { type: "ORDER_REMOVED", seq, posReference, version, origin } as const;
      return shared({ ...message, ...(mergedInto !== undefined && { mergedInto }) });
    }
    case "ticket.changed":
      return shared({ type: "TICKET_CHANGED", seq: change.seq, ticket: change.ticket });
    case "item.changed": {
      const { seq, itemState } = change;
      const { productId, state, left, until } = itemState;
      return shared({ type: "ITEM_STATE_CHANGED", seq, productId, state, left, until, itemState });
    }
    case "till.changed":
      return shared({ type: "TILL_CHANGED", seq: change.seq, till: change.till });
    case "table.changed":
      return shared({ type: "TABLE_CHANGED", seq: change.seq, table: change.table });
    case "plugin.stored":
      return shared({ type: "PLUGIN_RECORD", seq: change.seq, record: change.record });
    case "plugin.removed":
      return shared({ type: "PLUGIN_REMOVED", seq: change.seq, pluginId: change.pluginId, key: change.key });
    case "lease.changed": {
      const { posReference, holder, by } = change;
      return { ...toAll, except: by, text: serialize({ type: "LEASE_CHANGED", posReference, holder }) };
    }
    case "lease.revoked": {
      const { posReference, by, from } = change;
      return { ...toAll, only: from, text: serialize({ type: "LEASE_REVOKED", posReference, by }) };
    }
    case "change.decided":
      return { ...toAll, only: change.terminalId, text: serialize(change.message) };
    case "print.changed":
      if (change.terminalId === null || !change.notifies) return null;
      return { ...toAll, only: change.terminalId, text: serialize({ type: "PRINT_CHANGED", job: change.job }) };
    case "session.changed":
      return { ...toAll, text: serialize({ type: "SESSION_CHANGED", session: change.session }) };
    case "menu.changed":
      return { ...toAll, text: serialize({ type: "MENU_CHANGED", menuVersion: change.menuVersion }) };
  }
}

function shared(message: HubMessage & { seq: number }): Broadcast {
  return { ...toAll, seq: message.seq, text: serialize(message) };
}
