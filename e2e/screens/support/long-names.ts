import { tables, type Dinner } from "./dinner.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { line } from "./menu.ts";

/** A name without a place for a line break. */
const UNBROKEN = "InstitutoTecnologicoDeSantoDomingo".repeat(2).slice(0, 60);

/** Adds names as long as people write them to every screen that shows names. */
export async function addLongNames(dinner: Dinner): Promise<void> {
  const { restaurant, operator, receiver, waiter } = dinner;
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
  await addUnbrokenNames(dinner);
}

/** Adds an open check, a paid one and a booking, whose names have no spaces. */
async function addUnbrokenNames({ restaurant, waiter, apiKey }: Dinner): Promise<void> {
  const names = { staffName: UNBROKEN, customerName: UNBROKEN, notes: UNBROKEN };
  for (const posReference of ["POS/2026/00018", "POS/2026/00019"]) {
    waiter.openOrder({
      ...newOrder(posReference, [line("l1", "mofongo", 12, { note: UNBROKEN })]),
      ...names,
      orderType: "takeout",
      tableId: null,
    });
    waiter.sendToKitchen(posReference);
  }
  await waiter.idle();
  const { total } = waiter.order("POS/2026/00019")?.snapshot.totals ?? { total: 0 };
  waiter.pay("POS/2026/00019", { payments: [{ methodId: 1, amount: total }] });
  await waiter.idle();
  const payload = {
    tableId: tables.mesa3,
    at: new Date().toISOString(),
    guestName: UNBROKEN,
    partySize: 4,
    phone: "809-555-0102",
    notes: UNBROKEN,
  };
  await fetch(`${restaurant.hubUrl}/external/v1/plugins/reservations/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Api-Key": apiKey },
    body: JSON.stringify({ key: "reserva-larga", payload }),
  });
}
