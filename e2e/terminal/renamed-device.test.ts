import { memoryStorage } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { online } from "../support/restaurant.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { fresh, restaurant } = useRestaurant({});

describe("renamed device", () => {
  it("a device opened under another name with its former storage keeps its place at the hub [CLIENT-315]", async () => {
    const storage = memoryStorage();
    const former = await restaurant().terminal("caja-vieja", { storage, login: "waiter" });
    await online(former);
    expect([await former.isNameFree("caja-nueva"), await former.isNameFree("caja-vieja")]).toEqual([true, true]);
    const order = newOrder(fresh("POS/N"), [lineOf("soup")]);
    former.openOrder(order);
    await former.idle();
    await former.stop();

    // A different user than the last one signs in: only the device's key admits them.
    const options = { storage, login: "cashier", isRenamed: true };
    const renamed = await restaurant().terminal("caja-nueva", options);
    await online(renamed);
    expect(renamed.signedIn()).toMatchObject({ terminalId: "caja-nueva", user: { role: "cashier" } });
    renamed.editOrder(order.posReference, (content) => ({ ...content, customerName: "Ana" }));
    await renamed.idle();
    await eventually(() => renamed.order(order.posReference)).toMatchObject({ pending: 0, version: 2 });
    expect(await renamed.isNameFree("caja-vieja")).toBe(true);
    const other = await restaurant().terminal("caja-otra", { login: "waiter" });
    await online(other);
    expect(await other.isNameFree("caja-nueva")).toBe(false);
  });
});
