import { setItemState } from "../../../operator/set-item-state.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Routes for the availability of items. */
export function operatorItemStateRoutes(deps: Pick<Stores, "changes" | "itemStates" | "audit">) {
  const { changes, itemStates } = deps;

  return {
    itemStates: () => ({ itemStates: itemStates.list() }),

    async setItemState({ body, manager }) {
      return { itemState: await changes.write((tx) => setItemState(deps, tx, body, manager.userName)) };
    },
  } satisfies Partial<OperatorHandlers>;
}
