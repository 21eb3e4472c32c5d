import type { AuditLog } from "../../../audit/audit-log.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import type { ChangeLog } from "../../../changes/change-log.ts";
import type { ItemStates } from "../../../kitchen/item-states.ts";
import { setItemState } from "../../../operator/set-item-state.ts";

/** What has run out. */
export function operatorItemStateRoutes(deps: { changes: ChangeLog; itemStates: ItemStates; audit: AuditLog }) {
  const { changes, itemStates } = deps;

  return {
    itemStates: () => ({ itemStates: itemStates.list() }),

    async setItemState({ body, manager }) {
      return { itemState: await changes.write((tx) => setItemState(deps, tx, body, manager.userName)) };
    },
  } satisfies Partial<OperatorHandlers>;
}
