import { z } from "zod";
import { route } from "../http/http-route.ts";
import { ItemState, SetItemState } from "../orders/kitchen.ts";

export const itemStateRoutes = {
  itemStates: route("GET", "/operator/v1/item-states", "manager", {
    summary: "Lists the products that are sold out or limited to a remaining count.",
    answer: z.object({ itemStates: z.array(ItemState) }),
  }),
  setItemState: route("POST", "/operator/v1/item-states", "manager", {
    summary: "Marks a product as sold out, limited to a remaining count, or available again.",
    body: z.strictObject(SetItemState.shape),
    answer: z.object({ itemState: ItemState }),
    errors: ["LIMIT_REACHED"],
  }),
};
