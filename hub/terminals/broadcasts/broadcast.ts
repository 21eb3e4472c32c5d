import type { HubMessage } from "@comanda/protocol";
import type { Change } from "../../changes/change.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";

/** A message for many terminals, serialized once for all of them. */
export interface Broadcast {
  text: string;
  /** The place in the shared state; null for what is not counted. */
  seq: number | null;
  /** A terminal that is left out, because it gets an answer of its own. */
  except: string | null;
  /** Set when only this terminal gets it. */
  only: string | null;
  /** The newest arrival (`ActiveTerminal.arrival`) that gets it; null when every terminal does. */
  upTo: number | null;
}

export function serialize(message: HubMessage): string {
  return JSON.stringify(message);
}

/** With the signature of the place that it leads to. */
export function signed(broadcast: Broadcast, sign: (seq: number) => string): Broadcast {
  const { seq, text } = broadcast;
  return seq === null
    ? broadcast
    : { ...broadcast, text: appendJsonField(text, "signature", JSON.stringify(sign(seq))) };
}

/** Null for what no terminal is told. */
export function broadcastOf(change: Change): Broadcast | null {
  const all = { seq: null, except: null, only: null, upTo: null };
  switch (change.kind) {
    case "notice":
      return null;
    case "order.stored": {
      const { seq, origin } = change;
      const { posReference, version } = change.order;
      const head = { type: "ORDER_CHANGED", seq, posReference, version, origin };
      return { ...all, seq, text: appendJsonField(JSON.stringify(head), "order", change.wire) };
    }
    case "order.removed": {
      const { seq, posReference, version, origin, mergedInto } = change;
      const message = { type: "ORDER_REMOVED", seq, posReference, version, origin } as const;
      return { ...all, seq, text: serialize({ ...message, ...(mergedInto !== undefined && { mergedInto }) }) };
    }
    case "ticket.changed": {
      const { seq, ticket } = change;
      return { ...all, seq, text: serialize({ type: "TICKET_CHANGED", seq, ticket }) };
    }
    case "item.changed": {
      const { seq, itemState } = change;
      const { productId, state, left, until } = itemState;
      const message = { type: "ITEM_STATE_CHANGED", seq, productId, state, left, until, itemState } as const;
      return { ...all, seq, text: serialize(message) };
    }
    case "till.changed": {
      const { seq, till } = change;
      return { ...all, seq, text: serialize({ type: "TILL_CHANGED", seq, till }) };
    }
    case "table.changed": {
      const { seq, table } = change;
      return { ...all, seq, text: serialize({ type: "TABLE_CHANGED", seq, table }) };
    }
    case "plugin.stored": {
      const { seq, record } = change;
      return { ...all, seq, text: serialize({ type: "PLUGIN_RECORD", seq, record }) };
    }
    case "plugin.removed": {
      const { seq, pluginId, key } = change;
      return { ...all, seq, text: serialize({ type: "PLUGIN_REMOVED", seq, pluginId, key }) };
    }
    case "lease.changed": {
      const { posReference, holder, by } = change;
      return { ...all, except: by, text: serialize({ type: "LEASE_CHANGED", posReference, holder }) };
    }
    case "lease.revoked": {
      const { posReference, by, from } = change;
      return { ...all, only: from, text: serialize({ type: "LEASE_REVOKED", posReference, by }) };
    }
    case "change.decided":
      return { ...all, only: change.terminalId, text: serialize(change.message) };
    case "print.changed":
      if (change.terminalId === null || !change.isNews) return null;
      return { ...all, only: change.terminalId, text: serialize({ type: "PRINT_CHANGED", job: change.job }) };
    case "session.changed":
      return { ...all, text: serialize({ type: "SESSION_CHANGED", session: change.session }) };
    case "menu.changed":
      return { ...all, text: serialize({ type: "MENU_CHANGED", menuVersion: change.menuVersion }) };
  }
}
