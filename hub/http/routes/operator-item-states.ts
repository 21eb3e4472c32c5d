import type { AuditLog } from "../../operator/audit-log.ts";
import type { OperatorHandlers } from "../handlers.ts";
import { said, type ItemState, type Said } from "@comanda/protocol";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";

/** What has run out. */
export function operatorItemStateRoutes(deps: { changes: ChangeLog; itemStates: ItemStates; audit: AuditLog }) {
  const { changes, itemStates, audit } = deps;

  return {
    itemStates: () => ({ itemStates: itemStates.list() }),

    async setItemState({ body, manager }) {
      const itemState = await changes.write((tx) => {
        const change = itemStates.set(tx, body);
        const { productId } = change.itemState;
        audit.record(tx, manager.userName, "item.state", String(productId), noteOf(change.itemState));
        return change.itemState;
      });
      return { itemState };
    },
  } satisfies Partial<OperatorHandlers>;
}

function noteOf({ state, left }: ItemState): Said {
  if (state === "limited") return said("note_item_limited", { left: left ?? 0 });
  return said(state === "out" ? "note_item_out" : "note_item_available");
}
