import { z } from "zod";
import { route } from "../http/http-route.ts";
import { ItemState, SetItemState } from "../orders/kitchen.ts";

export const itemStateRoutes = {
  itemStates: route("GET", "/operator/v1/item-states", "manager", {
    summary: "Lists the products that have run out or are counted down.",
    answer: z.object({ itemStates: z.array(ItemState) }),
  }),
  setItemState: route("POST", "/operator/v1/item-states", "manager", {
    summary: "Says that a product has run out, how many are left, or that it is available again.",
    body: z.strictObject(SetItemState.shape),
    answer: z.object({ itemState: ItemState }),
    errors: ["LIMIT_REACHED"],
  }),
};
