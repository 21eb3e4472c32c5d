import type { Dinner } from "./dinner.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { line } from "./menu.ts";

/** Names as long as people write them, wherever a screen shows names. */
export async function addLongNames({ restaurant, operator, receiver, waiter }: Dinner): Promise<void> {
  const tablet = await restaurant.terminal("tableta-de-la-terraza-del-segundo-piso-nueva", {
    login: "waiter",
    clientVersion: "1.4.0-rc.12+20261122",
  });
  await online(tablet);
  waiter.openOrder({
    ...newOrder("POS/2026/00017", [line("l1", "mofongo", 12, { note: "sin camarones, con mucho ajo y aparte" })], 34),
    staffName: "María de los Ángeles Altagracia Encarnación de la Rosa",
    customerName: "Asociación Dominicana de Constructores y Promotores de Vivienda",
    notes: "Cumpleaños del presidente: la cuenta se divide entre doce y todas llevan comprobante de crédito fiscal.",
  });
  waiter.sendToKitchen("POS/2026/00017");
  await waiter.idle();
  await operator.createKey("Plataforma de pedidos en línea y programa de fidelidad de clientes frecuentes");
  await operator.createWebhook(`${receiver.url}/good/${"notificaciones-de-ordenes-y-pagos/".repeat(4)}`);
}
