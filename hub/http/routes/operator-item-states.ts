import type { AuditLog } from "../../operator/audit-log.ts";
import type { OperatorHandlers } from "../handlers.ts";
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
        const { productId, state, left } = change.itemState;
        const note = state === "limited" ? `${state}: ${left}` : state;
        audit.record(tx, manager.userName, "item.state", String(productId), note);
        return change.itemState;
      });
      return { itemState };
    },
  } satisfies Partial<OperatorHandlers>;
}
