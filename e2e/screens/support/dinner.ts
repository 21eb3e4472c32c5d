import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, type FiscalStatus, type ForwardPage, type OrderDetail, type PaymentPage } from "@comanda/protocol";
import { addLine, type Terminal } from "@comanda/terminal";
import { WebSocket } from "ws";
import { newOrder } from "../../support/orders.ts";
import { online, openRestaurant, type Restaurant } from "../../support/restaurant.ts";
import { startWire } from "../../support/wire.ts";
import { line, products } from "./menu.ts";
import { createOperator, type Operator } from "./operator.ts";
import { startReceiver, type Receiver } from "./receiver.ts";

/** A dinner service in full swing: real programs, real terminals, and content for every screen. */
export interface Dinner {
  restaurant: Restaurant;
  operator: Operator;
  receiver: Receiver;
  waiter: Terminal;
  cashier: Terminal;
  /** A token with every scope. */
  apiKey: string;
  close(): Promise<void>;
}

/** Record ids of tables, by their printed names. */
export const tables = { mesa1: 28, mesa2: 29, mesa3: 30, mesa4: 31, mesa5: 32, mesa6: 33, terraza1: 61, terraza2: 62 };

/** Drinks go to the bar, all else to the kitchen. */
const stations = [
  { id: "caliente", name: "Cocina caliente", categoryIds: [1, 2, 3], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [4], productIds: [] },
];

/** Starts the dinner. `allowedHosts` are further host names of its pages; if absent, the screens can change that setting. */
export async function serveDinner({ allowedHosts }: { allowedHosts?: string } = {}): Promise<Dinner> {
  const restaurant = await openRestaurant(({ folder }) => {
    // Written to the file and not the environment, so that the screens can change them.
    writeFileSync(join(folder, ".env"), `HUB_STATIONS='${JSON.stringify(stations)}'\n`);
    return {
      HUB_NAME: "La Terraza",
      ...(allowedHosts === undefined ? {} : { HUB_ALLOWED_HOSTS: allowedHosts }),
      HUB_ENABLED_PLUGINS: "reservations",
      HUB_WEBHOOK_DISPATCH_MS: "200",
      HUB_EXTERNAL_RATE_MAX: "10000",
      HUB_EXTERNAL_KEY_RATE_MAX: "10000",
    };
  });
  const receiver = await startReceiver();
  const operator = await createOperator(restaurant);
  const apiKey = await operator.createKey("Página de pedidos");
  const waiter = await restaurant.terminal("tablet-1", { login: "waiter", clientVersion: "1.4.0" });
  const cashier = await restaurant.terminal("caja", { login: "cashier", clientVersion: "1.4.0" });
  const kitchen = await restaurant.terminal("cocina", { login: "waiter", clientVersion: "1.3.2" });
  await Promise.all([online(waiter), online(cashier), online(kitchen)]);

  await takeOrders(waiter);
  await cook(waiter, kitchen);
  await payAndDiscard(waiter, cashier);
  await payTwice(restaurant, operator, waiter, cashier);
  await refuse(restaurant, operator, cashier);
  await payFirst(waiter, cashier, operator);
  await payInParts(waiter, cashier);
  await merge(waiter);
  await cancel(waiter, kitchen, cashier);
  await payWithoutNumber({ waiter, cashier, operator }, "POS/2026/00016", 68);
  await markOutOfStock(waiter);
  await setPin(restaurant);
  await reportUnsent(restaurant, { pending: 3, payments: 1, amount: 1450 });
  await book(restaurant, apiKey);
  await waiter.putWaiting("espera-1", {
    guestName: "Pedro Luis",
    partySize: 4,
    phone: "809-555-0188",
    quotedMinutes: 20,
    status: "waiting",
  });
  await operator.createWebhook(`${receiver.url}/good`);
  await operator.createWebhook(`${receiver.url}/broken`);
  waiter.editOrder("POS/2026/00001", (content) => addLine(content, line("l9", "tostones")));
  await waiter.acquireLease("POS/2026/00001");
  waiter.setPresence({ posReference: "POS/2026/00001" });
  await Promise.all([waiter.idle(), cashier.idle(), kitchen.idle()]);

  return {
    restaurant,
    operator,
    receiver,
    waiter,
    cashier,
    apiKey,
    async close() {
      receiver.close();
      await restaurant.close();
    },
  };
}

/** Resolves when `terminal` has received everything that `other` has. */
function untilCaughtUp(terminal: Terminal, other: Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (terminal.seq() >= other.seq()) resolve();
  };
  const events = ["orders", "tables", "tickets", "itemStates"] as const;
  const offs = events.map((event) => terminal.on(event, check));
  check();
  return promise.finally(() => offs.forEach((off) => off()));
}

function ticketsOf(terminal: Terminal, posReference: string) {
  return terminal.tickets().filter((ticket) => ticket.posReference === posReference);
}

async function takeOrders(waiter: Terminal): Promise<void> {
  const { mesa1, mesa2, mesa3, mesa5, terraza1, terraza2 } = tables;
  const guest = { staffName: "Wendy Mejía" };
  waiter.openOrder({ ...newOrder("POS/2026/00001", [line("l1", "mofongo", 2), line("l2", "chivo")], mesa1), ...guest });
  waiter.openOrder({
    ...newOrder("POS/2026/00002", [line("l1", "bandera", 3), line("l2", "tostones", 2, { note: "sin ajo" })], mesa2),
    ...guest,
    customerName: "María Altagracia",
    notes: "Alergia a mariscos",
  });
  waiter.openOrder({ ...newOrder("POS/2026/00003", [line("l1", "churrasco", 2)], mesa3), ...guest });
  waiter.openOrder({ ...newOrder("POS/2026/00004", [line("l1", "sancocho", 4)], mesa5), ...guest });
  waiter.openOrder({
    ...newOrder("POS/2026/00005", [line("l1", "churrasco"), line("l2", "mofongo")], terraza1),
    ...guest,
  });
  waiter.openOrder({ ...newOrder("POS/2026/00006", [line("l1", "bandera", 2)], terraza2), ...guest });
  await waiter.idle();
}

async function cook(waiter: Terminal, kitchen: Terminal): Promise<void> {
  for (const number of ["2", "3", "4", "5"]) waiter.sendToKitchen(`POS/2026/0000${number}`);
  await waiter.idle();
  await untilCaughtUp(kitchen, waiter);
  const ticketOf = (posReference: string) => ticketsOf(kitchen, posReference)[0]?.id ?? "";
  for (const number of ["2", "3", "4"]) kitchen.kitchenSeen(ticketOf(`POS/2026/0000${number}`), "caliente");
  kitchen.bump("POS/2026/00002", "l1", 1);
  await kitchen.idle();
  await untilCaughtUp(waiter, kitchen);
  waiter.editOrder("POS/2026/00003", (content) => addLine(content, line("l2", "chivo")));
  await waiter.idle();
}

async function payAndDiscard(waiter: Terminal, cashier: Terminal): Promise<void> {
  waiter.openOrder(newOrder("POS/2026/00007", [line("l1", "sancocho", 2)], tables.mesa6));
  waiter.openOrder(newOrder("POS/2026/00008", [line("l1", "chivo", 2)], tables.mesa4));
  waiter.openOrder(newOrder("POS/2026/00009", [line("l1", "tostones")], 34));
  await waiter.idle();
  await untilCaughtUp(cashier, waiter);
  cashier.checkOut("POS/2026/00004");
  cashier.pay("POS/2026/00007", { payments: [{ methodId: 1, amount: 1331.2 }] });
  cashier.discardOrder("POS/2026/00009", "mesa equivocada");
  await cashier.idle();
}

/** Takes money for the same check at two tills: the second payment cannot be applied and waits for a manager. */
async function payTwice(
  restaurant: Restaurant,
  operator: Operator,
  waiter: Terminal,
  cashier: Terminal,
): Promise<void> {
  const wire = await startWire(restaurant.hubSocketUrl);
  const late = await restaurant.terminal("caja-2", { login: "cashier", clientVersion: "1.4.0", url: wire.url });
  waiter.openOrder(newOrder("POS/2026/00010", [line("l1", "churrasco")], 35));
  await waiter.idle();
  await online(late);
  await untilCaughtUp(late, waiter);
  wire.fromHub = () => "drop";
  await untilCaughtUp(cashier, waiter);
  cashier.pay("POS/2026/00010", { payments: [{ methodId: 1, amount: 1600 }] });
  await cashier.idle();
  late.pay("POS/2026/00010", { payments: [{ methodId: 2, amount: 1600 }] });
  await operator.until<PaymentPage>("/operator/v1/payments", (page) => page.total === 1);
  await late.stop();
  await wire.close();
}

/** Creates an order that the back-office refuses and a manager sets aside. */
async function refuse(restaurant: Restaurant, operator: Operator, cashier: Terminal): Promise<void> {
  await restaurant.stub("/stub/v1/faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      faults: [
        {
          refuse: {
            posReferences: ["POS/2026/00008"],
            error: "El producto 112 no tiene cuenta contable",
            errorCode: "VALIDATION_ERROR",
          },
        },
      ],
    }),
  });
  cashier.pay("POS/2026/00008", { payments: [{ methodId: 2, amount: 1638.4 }] });
  await cashier.idle();
  const { events } = await operator.until<ForwardPage>("/operator/v1/forward?search=00008", (page) =>
    page.events.some((event) => event.error !== null),
  );
  const [event] = events;
  if (event === undefined) throw new Error("the refused order is not in the queue");
  const until = new Date(Date.now() + DAY_MS).toISOString();
  await operator.post(`/operator/v1/forward/${event.eventId}/set-aside`, {
    note: "Lo revisa contabilidad mañana",
    until,
  });
}

/** Sells a takeaway, paid in cash with a fiscal number before it goes to the kitchen, and partly credited later. */
async function payFirst(waiter: Terminal, cashier: Terminal, operator: Operator): Promise<void> {
  const order = "POS/2026/00011";
  waiter.openOrder({
    ...newOrder(order, [line("l1", "sancocho"), line("l2", "mojito")]),
    orderType: "takeout",
    tableId: null,
    customerName: "Altagracia Rosario",
  });
  await waiter.idle();
  await untilCaughtUp(cashier, waiter);
  cashier.voidLine(order, "l2", { reason: "se equivocó" });
  await cashier.idle();
  const { total } = cashier.order(order)?.snapshot.totals ?? { total: 0 };
  cashier.pay(order, {
    payments: [{ methodId: 1, amount: total, tendered: 1000, change: Math.round((1000 - total) * 100) / 100 }],
    fiscal: { type: "B01", rnc: "131246789", name: "Constructora del Este SRL" },
  });
  await cashier.idle();
  await untilCaughtUp(waiter, cashier);
  waiter.sendToKitchen(order);
  await waiter.idle();
  await operator.until<OrderDetail>(
    `/operator/v1/orders/${encodeURIComponent(order)}`,
    ({ order: { forward } }) => forward?.state === "done",
  );
}

/** Pays in parts: one payment stays, another is taken back. The check's drinks go to the bar. */
async function payInParts(waiter: Terminal, cashier: Terminal): Promise<void> {
  const order = "POS/2026/00012";
  waiter.openOrder(newOrder(order, [line("l1", "churrasco", 2), line("l2", "mojito", 2)], 36));
  waiter.sendToKitchen(order);
  await waiter.idle();
  await untilCaughtUp(cashier, waiter);
  cashier.tender(order, { methodId: 1, amount: 900, tendered: 1000, change: 100, tip: 50 });
  cashier.tender(order, { methodId: 2, amount: 600 });
  await cashier.idle();
  const card = cashier.order(order)?.snapshot.tenders?.find(({ methodId }) => methodId === 2);
  cashier.voidTender(card?.tenderId ?? "", "tarjeta equivocada");
  await cashier.idle();
}

async function merge(waiter: Terminal): Promise<void> {
  waiter.openOrder(newOrder("POS/2026/00013", [line("l1", "tostones")], 63));
  waiter.openOrder(newOrder("POS/2026/00014", [line("l1", "bandera")], 64));
  await waiter.idle();
  waiter.mergeOrders(["POS/2026/00013"], "POS/2026/00014");
  await waiter.idle();
}

/** Voids one of two dishes after the kitchen has seen them. */
async function cancel(waiter: Terminal, kitchen: Terminal, cashier: Terminal): Promise<void> {
  const order = "POS/2026/00015";
  waiter.openOrder(newOrder(order, [line("l1", "chivo", 2)], 65));
  waiter.sendToKitchen(order);
  await waiter.idle();
  await Promise.all([untilCaughtUp(kitchen, waiter), untilCaughtUp(cashier, waiter)]);
  kitchen.kitchenSeen(ticketsOf(kitchen, order)[0]?.id ?? "", "caliente");
  await kitchen.idle();
  await untilCaughtUp(cashier, kitchen);
  cashier.voidLine(order, "l1", { quantity: 1, reason: "no lo quiere" });
  await cashier.idle();
}

/** Pays with a fiscal receipt (B01) but without the buyer's tax number, for which the back-office assigns no number. */
export async function payWithoutNumber(
  { waiter, cashier, operator }: Pick<Dinner, "waiter" | "cashier" | "operator">,
  order: string,
  tableId: number,
  type = "B01",
): Promise<void> {
  waiter.openOrder(newOrder(order, [line("l1", "sancocho")], tableId));
  await waiter.idle();
  await untilCaughtUp(cashier, waiter);
  const { total } = cashier.order(order)?.snapshot.totals ?? { total: 0 };
  cashier.pay(order, { payments: [{ methodId: 2, amount: total }], fiscal: { type } });
  await cashier.idle();
  await operator.until<FiscalStatus>("/operator/v1/fiscal", ({ failed }) =>
    failed.some(({ posReference }) => posReference === order),
  );
}

async function markOutOfStock(waiter: Terminal): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  waiter.setItemState({ productId: products.chillo.productId, state: "out", until: tomorrow });
  waiter.setItemState({ productId: products.flan.productId, state: "limited", left: 4 });
  await waiter.idle();
}

async function setPin(restaurant: Restaurant): Promise<void> {
  const answer = await fetch(`${restaurant.hubUrl}/terminal/v1/pin`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${await restaurant.token("waiter")}` },
    body: JSON.stringify({ pin: "4711" }),
  });
  if (!answer.ok) throw new Error(`the PIN was not set: ${answer.status} ${await answer.text()}`);
}

/** Reports unsent work of a tablet and then disconnects it. */
export async function reportUnsent(
  restaurant: Restaurant,
  unsent: { pending: number; payments: number; amount: number },
): Promise<void> {
  const socket = new WebSocket(restaurant.hubSocketUrl);
  await once(socket, "open");
  const oldestAt = new Date(Date.now() - 8 * 60_000).toISOString();
  const token = await restaurant.token("waiter");
  socket.send(
    JSON.stringify({
      type: "AUTH",
      token,
      deviceId: "tablet-7",
      outbox: { ...unsent, oldestAt },
    }),
  );
  await once(socket, "message");
  socket.close();
  await once(socket, "close");
}

/** Writes today's bookings; another call moves them to the present day. */
export async function book(restaurant: Restaurant, apiKey: string): Promise<void> {
  const post = (key: string, payload: Record<string, unknown>) =>
    fetch(`${restaurant.hubUrl}/external/v1/plugins/reservations/events`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Api-Key": apiKey },
      body: JSON.stringify({ key, payload }),
    });
  const now = new Date();
  // Before five o'clock the waiters' day is still yesterday, while the booking day is today.
  const isNight = now.getHours() < 5;
  // From noon on, or late in the day so that none is over: a booking is shown for six hours.
  const start = isNight ? now.getTime() : Math.max(new Date(now).setHours(12, 0, 0, 0), now.getTime() - 4 * 3_600_000);
  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
  await post("reserva-1", {
    tableId: tables.mesa4,
    at: at(1),
    guestName: "Rosa Almonte",
    partySize: 4,
    phone: "809-555-0101",
  });
  await post("reserva-2", {
    tableId: tables.mesa6,
    at: at(2.5),
    guestName: "Familia Peralta",
    partySize: 6,
    notes: "cumpleaños",
  });
  await post("reserva-3", { tableId: tables.mesa4, at: at(4), guestName: "José Núñez", partySize: 2 });
  // A booking of today, like the others, but without a time zone.
  const localTime = `${now.toLocaleDateString("sv-SE")}T20:00:00`;
  await post("reserva-4", { tableId: tables.mesa1, at: localTime, guestName: "Sin zona horaria" });
}
