import type { PosConfig, SampleOrder } from "@comanda/protocol";
import { priceOrder, type TaxToPrice } from "@comanda/rules";
import type { PosState } from "../../back-office/pos-state.ts";
import type { World } from "../../platform/world.ts";
import type { LiveFloorPlanState } from "../service/live-floor-plan.ts";

/**
 * Returns an order that a new key can open at once: one dish of the menu with its price and taxes, on the first free table or
 * else for takeout. Each has its own reference. Null without a menu or a dish with a price.
 */
export function sampleOrder(deps: {
  world: World;
  pos: PosState;
  liveFloorPlan: LiveFloorPlanState;
}): SampleOrder | null {
  const config = deps.pos.config()?.value;
  const dish = config?.products.find(({ price }) => price > 0);
  if (config === undefined || dish === undefined) return null;
  const tables = deps.liveFloorPlan.read(true).floors.flatMap((floor) => floor.tables);
  const table = tables.find(({ status, checks }) => status === "available" && checks === 0) ?? null;
  const orderType = table === null ? "takeout" : "dine_in";
  const { rounding } = config;
  const line = { unitPrice: dish.price, quantity: 1, taxes: taxesOf(config, dish.taxIds) };
  const { subtotal, tax, taxes, total } = priceOrder([line], { orderType, rounding });
  const externalRef = `first-${deps.world.random.bytes(4).toString("hex")}`;
  return {
    order: {
      externalRef,
      orderType,
      ...(table !== null && { tableId: table.tableId }),
      guestCount: 1,
      lines: [
        {
          productId: String(dish.id),
          quantity: 1,
          unitPrice: dish.price,
          total,
          taxIds: taxes.map(({ id }) => String(id)),
          taxAmount: tax,
        },
      ],
      totals: { subtotal, tax, total },
    },
    dishName: dish.name,
    tableName: table?.name ?? null,
  };
}

function taxesOf(config: PosConfig, taxIds: readonly number[]): TaxToPrice[] {
  return config.taxes.filter(({ id }) => taxIds.includes(id));
}
