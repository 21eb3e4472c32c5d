import type { ExternalMenu, ItemState } from "@comanda/protocol";
import type { PosState } from "../../../back-office/pos-state.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import type { ExternalHandlers } from "../../handlers.ts";
import { requireConfig } from "../require-config.ts";

/** What integrations can order. Lists fields one by one: the back-office's other fields may be private. */
export function externalMenuRoutes(deps: { world: World; pos: PosState; itemStates(): readonly ItemState[] }) {
  return {
    async readMenu(): Promise<ExternalMenu> {
      const { value, at } = await requireConfig(deps);
      const states = new Map(deps.itemStates().map((each) => [String(each.productId), each]));
      return {
        currency: value.currency,
        categories: value.categories.map(({ id, name }) => ({ id: String(id), name })),
        taxes: value.taxes.map(({ id, name, rate, included, orderTypes }) => {
          return { id: String(id), name, rate, included, orderTypes };
        }),
        products: value.products.map(({ id, name, price, categoryId, taxIds }) => {
          const { state = "available", left } = states.get(String(id)) ?? {};
          return {
            id: String(id),
            name,
            price,
            categoryId: String(categoryId),
            taxIds: taxIds.map(String),
            state,
            ...(state === "limited" && left != null && { left }),
          };
        }),
        asOf: isoTime(at),
      };
    },
  } satisfies Partial<ExternalHandlers>;
}
