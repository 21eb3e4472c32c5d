import type { ClosingReport } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { createOperator } from "../../screens/support/operator.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { owed, pageOf, pesos, type Amounts, type Dish } from "../support/ledger.ts";
import { expect, test } from "../support/touch-test.ts";

const [CASH, CARD, CREDIT] = ["1", "2", "3"];
/** A closed check as accounting has it; amounts in pesos. */
interface Booked {
  status: string;
  total: number;
}

const tap = (page: Page, name: string | RegExp): Promise<void> => page.getByRole("button", { name }).first().tap();
const inSheet = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name }).first().tap();
const line = (page: Page, dish: Dish) => page.getByRole("button", { name: new RegExp(`^\\d+ ${dish}`) });
const plus = (one: Amounts, other: Amounts): Amounts => ({
  net: one.net + other.net,
  itbis: one.itbis + other.itbis,
  legalTip: one.legalTip + other.legalTip,
  total: one.total + other.total,
});

test("a whole evening on six devices matches, to the centavo, a ledger computed apart from the product [TOUCH-3]", async ({
  open,
  restaurant,
}) => {
  test.setTimeout(600_000);
  // The hub is killed during the test: each browser logs the refused connections.
  const ana = await open({ name: "ana", kind: "phone", refusalsExpected: true });
  const luis = await open({ name: "luis", kind: "tablet", refusalsExpected: true });
  const till = await open({ name: "caja", kind: "tablet", login: "cashier", refusalsExpected: true });
  const manager = await open({ name: "gerente", kind: "phone", login: "manager", refusalsExpected: true });
  const kitchen = await open({ name: "cocina", kind: "tablet", refusalsExpected: true });
  const pass = await open({ name: "pase", kind: "pc", refusalsExpected: true });
  const watcher = await restaurant.terminal("libreta");
  await online(watcher);
  const anasLine = await deviceLine(ana);
  for (const [page, screen] of [
    [kitchen, "#/kitchen"],
    [pass, "#/expo"],
  ] as const) {
    await page.evaluate((hash) => void (location.hash = hash), screen);
  }
  await tap(kitchen, "Empezar turno");

  /** Kept by hand: each check's total, the money in the drawer and on card slips, and the dishes ordered from the kitchen. */
  const checks: Amounts[] = [];
  const takings = new Map<string, number>();
  const tips = new Map<string, number>();
  const cooked: Dish[] = [];
  const record = (book: Map<string, number>, method = "", centavos = 0) =>
    book.set(method, (book.get(method) ?? 0) + centavos);

  const goTo = async (page: Page, table: string): Promise<void> => {
    await page.evaluate(() => void (location.hash = "#/floor"));
    await page.getByRole("tab", { name: table.startsWith("Mesa") ? "Salón" : "Terraza" }).tap();
    await page.getByRole("link", { name: new RegExp(`^${table} `) }).tap();
  };
  const add = async (page: Page, dishes: readonly Dish[]): Promise<void> => {
    for (const dish of dishes) {
      await page.getByRole("tab", { name: pageOf(dish), exact: true }).tap();
      await page.locator(".tile").filter({ hasText: dish }).first().tap();
    }
  };
  const send = async (page: Page, dishes: readonly Dish[]): Promise<void> => {
    await page.getByRole("button", { name: /^Enviar · / }).tap();
    cooked.push(...dishes);
  };
  /** Seats guests at a free table and sends their order. */
  const order = async (page: Page, table: string, dishes: readonly Dish[]): Promise<void> => {
    await goTo(page, table);
    await add(page, dishes);
    await send(page, dishes);
    await expect.poll(() => watcher.orders().some((each) => isOn(each, table))).toBe(true);
  };
  const isOn = (each: ReturnType<typeof watcher.orders>[number], table: string): boolean =>
    each.tableId === tableIdOf(table) && each.snapshot.status !== "paid" && each.snapshot.status !== "closed";
  const openPayment = async (page: Page, table: string): Promise<void> => {
    await goTo(page, table);
    await tap(page, /^Cobrar/);
  };
  const onPaper = (centavos: number): string => pesos(centavos).slice("RD$".length);
  /** Checks the amounts on the receipt. */
  const isPaid = async (page: Page, amounts: Amounts, { isTable = true, tip = 0 } = {}): Promise<void> => {
    const receipt = page.getByRole("article");
    await expect(receipt).toContainText(/NCF: E3[12]\d{10}/);
    await expect(receipt).toContainText(`Subtotal${onPaper(amounts.net)}`);
    await expect(receipt).toContainText(`ITBIS 18 %${onPaper(amounts.itbis)}`);
    if (isTable) await expect(receipt).toContainText(`Propina legal 10 %${onPaper(amounts.legalTip)}`);
    await expect(receipt).toContainText(`TOTAL${pesos(amounts.total)}`);
    if (tip > 0) await expect(receipt).toContainText(`Propina voluntaria${onPaper(tip)}`);
    checks.push(amounts);
    await tap(page, "Listo");
  };
  const exactCash = async (page: Page, table: string, amounts: Amounts): Promise<void> => {
    await openPayment(page, table);
    await tap(page, "Exacto");
    record(takings, CASH, amounts.total);
    await isPaid(page, amounts);
  };
  const byCard = async (page: Page, table: string, amounts: Amounts): Promise<void> => {
    await openPayment(page, table);
    await tap(page, /^Tarjeta/);
    record(takings, CARD, amounts.total);
    await isPaid(page, amounts);
  };
  const act = async (page: Page, name: string, ...choices: (string | RegExp)[]): Promise<void> => {
    await tap(page, "Acciones de la cuenta");
    for (const choice of [name, ...choices]) await inSheet(page, choice);
  };

  let firstCheck: Amounts;
  const firstDishes: Dish[] = ["Tostones con salsa de ajo", "Sancocho", "Cerveza grande", "Cerveza grande", "Agua"];
  await test.step("check 1, cash; check 2, a card with a tip of 10 %", async () => {
    await order(ana, "Mesa 1", firstDishes);
    await order(luis, "Mesa 2", ["Mofongo de camarones", "Mojito"]);
    firstCheck = owed(firstDishes);
    await exactCash(till, "Mesa 1", firstCheck);
    const amounts = owed(["Mofongo de camarones", "Mojito"]);
    const tip = amounts.total / 10;
    await openPayment(till, "Mesa 2");
    await tap(till, "10 %");
    await tap(till, /^Tarjeta/);
    record(takings, CARD, amounts.total);
    record(tips, CARD, tip);
    await isPaid(till, amounts, { tip });
  });

  await test.step("check 3, a note of RD$500 and the rest on a card; check 4, in halves", async () => {
    await order(ana, "Mesa 3", ["Chivo guisado", "Moro de guandules", "Refresco"]);
    await order(luis, "Mesa 4", ["Chillo frito", "Aguacate"]);
    const third = owed(["Chivo guisado", "Moro de guandules", "Refresco"]);
    await openPayment(till, "Mesa 3");
    await tap(till, "Otro monto");
    for (const digit of "500") await till.getByRole("button", { name: digit, exact: true }).last().tap();
    await inSheet(till, "Efectivo");
    await tap(till, /^Tarjeta/);
    record(takings, CASH, 500_00);
    record(takings, CARD, third.total - 500_00);
    await isPaid(till, third);
    const fourth = owed(["Chillo frito", "Aguacate"]);
    await openPayment(till, "Mesa 4");
    await tap(till, "÷2");
    await tap(till, "Efectivo");
    await expect(till.getByText("Parte 2 de 2")).toBeVisible();
    await tap(till, /^Tarjeta/);
    const half = Math.ceil(fourth.total / 2);
    record(takings, CASH, half);
    record(takings, CARD, fourth.total - half);
    await isPaid(till, fourth);
  });

  await test.step("checks 5 and 6, one table split by dishes", async () => {
    await order(ana, "Mesa 5", ["Churrasco", "La Bandera", "Agua"]);
    await goTo(till, "Mesa 5");
    await tap(till, "Dividir");
    await inSheet(till, /^1 La Bandera/);
    await inSheet(till, "Hacer 2 cuentas");
    await expect.poll(() => watcher.orders().filter((each) => isOn(each, "Mesa 5"))).toHaveLength(2);
    // Pays the check that is shown after the split first, then the remaining one.
    const parts = [owed(["Churrasco", "Agua"]), owed(["La Bandera"])];
    await goTo(till, "Mesa 5");
    await expect(line(till, "Churrasco")).toBeVisible();
    await tap(till, /^Cobrar/);
    await tap(till, "Exacto");
    record(takings, CASH, parts[0]!.total);
    await isPaid(till, parts[0]!);
    await byCard(till, "Mesa 5", parts[1]!);
  });

  await test.step("check 7, a dish that was not liked is void; change of RD$1,000", async () => {
    await order(luis, "Mesa 6", ["Pasteles en hoja", "Sopa de pollo", "Refresco"]);
    await goTo(till, "Mesa 6");
    await line(till, "Sopa de pollo").tap();
    await tap(till, /^Anular$/);
    await tap(till, "No le gustó");
    await expect(till.getByText(/Anulado · No le gustó/)).toBeVisible();
    cooked.splice(cooked.lastIndexOf("Sopa de pollo"), 1);
    const amounts = owed(["Pasteles en hoja", "Refresco"]);
    await tap(till, /^Cobrar/);
    await tap(till, /^RD\$1,000$/);
    const change = till.getByRole("button", {
      name: new RegExp(`^Devuelta RD\\${pesos(1000_00 - amounts.total).slice(2)}`),
    });
    await change.tap();
    record(takings, CASH, amounts.total);
    await isPaid(till, amounts);
  });

  await test.step("checks 8 and 9, two dishes move from one table to another", async () => {
    await order(ana, "Mesa 7", ["Quipes de res", "Croquetas de pollo", "Tres leches"]);
    await order(luis, "Mesa 8", ["Sancocho"]);
    await goTo(luis, "Mesa 7");
    await line(luis, "Quipes de res").tap();
    await line(luis, "Tres leches").tap();
    await tap(luis, "Mover");
    await tap(luis, /^Mesa 8/);
    await expect(line(luis, "Quipes de res")).toHaveCount(0);
    await exactCash(till, "Mesa 7", owed(["Croquetas de pollo"]));
    await byCard(till, "Mesa 8", owed(["Sancocho", "Quipes de res", "Tres leches"]));
  });

  await test.step("check 10, two checks become one; check 11 changes its table", async () => {
    await order(ana, "Mesa 9", ["Chicharrón de cerdo"]);
    await order(luis, "Mesa 10", ["Mojito", "Yaniqueques"]);
    await goTo(luis, "Mesa 9");
    await act(luis, "Unir con otra cuenta", /^Mesa 10/);
    await expect.poll(() => watcher.orders().some((each) => isOn(each, "Mesa 9"))).toBe(false);
    await exactCash(till, "Mesa 10", owed(["Chicharrón de cerdo", "Mojito", "Yaniqueques"]));
    await order(ana, "Terraza 1", ["La Bandera"]);
    await goTo(luis, "Terraza 1");
    await act(luis, "Cambiar de mesa", /^Terraza 2/);
    await expect.poll(() => watcher.orders().some((each) => isOn(each, "Terraza 2"))).toBe(true);
    await byCard(till, "Terraza 2", owed(["La Bandera"]));
  });

  await test.step("check 12, taken away and paid before it is sent; the hub is killed on the way", async () => {
    await restaurant.killHub();
    await restaurant.startHub();
    await online(watcher);
    const dishes: Dish[] = ["Pollo entero para llevar", "Pan de agua, funda"];
    await till.evaluate(() => void (location.hash = "#/takeaway"));
    await till.getByRole("link", { name: "Nueva para llevar" }).tap();
    await add(till, dishes);
    await tap(till, /^Cobrar/);
    await tap(till, /^Tarjeta/);
    const amounts = owed(dishes, { takeaway: true });
    record(takings, CARD, amounts.total);
    cooked.push(...dishes);
    await isPaid(till, amounts, { isTable: false });
  });

  await test.step("check 13, a discount of 10 %; check 14, a company's account", async () => {
    await order(ana, "Mesa 1", ["Churrasco", "Flan de coco"]);
    await goTo(till, "Mesa 1");
    await act(till, "Descuento", /^10 %$/, "Cortesía");
    const off = owed(["Churrasco", "Flan de coco"], { percentOff: 10 });
    await expect
      .poll(() => watcher.orders().find((each) => isOn(each, "Mesa 1"))?.snapshot.totals.total)
      .toBe(off.total / 100);
    await openPayment(till, "Mesa 1");
    await tap(till, "Exacto");
    record(takings, CASH, off.total);
    await expect(till.getByRole("article")).toContainText(`TOTAL${pesos(off.total)}`);
    checks.push(off);
    await tap(till, "Listo");
    await order(luis, "Mesa 2", ["Chillo frito", "Chillo frito", "Mojito"]);
    const credit = owed(["Chillo frito", "Chillo frito", "Mojito"]);
    await openPayment(till, "Mesa 2");
    await tap(till, /^Consumidor final/);
    await tap(till, /^Constructora del Este/);
    await tap(till, "Crédito de cliente");
    await tap(till, `Cargar ${pesos(credit.total)} a crédito`);
    record(takings, CREDIT, credit.total);
    await isPaid(till, credit);
  });

  await test.step("check 15, the same round again; check 16, ordered while the device was cut off", async () => {
    const round: Dish[] = ["Cerveza grande", "Chicharrón de cerdo"];
    await order(luis, "Terraza 3", round);
    await goTo(luis, "Terraza 3");
    await tap(luis, "Otra ronda igual");
    cooked.push(...round);
    await expect
      .poll(() => watcher.orders().find((each) => isOn(each, "Terraza 3"))?.snapshot.totals.total)
      .toBe(owed([...round, ...round]).total / 100);
    await exactCash(till, "Terraza 3", owed([...round, ...round]));
    await goTo(ana, "Terraza 4");
    await anasLine.cut();
    const offline: Dish[] = ["Mofongo de camarones", "Refresco"];
    await add(ana, offline);
    await send(ana, offline);
    await expect(ana.getByRole("link", { name: /^Terraza 4 Por enviar/ })).toBeVisible();
    expect(watcher.orders().some((each) => isOn(each, "Terraza 4"))).toBe(false);
    await anasLine.restore();
    await expect.poll(() => watcher.orders().some((each) => isOn(each, "Terraza 4"))).toBe(true);
    await byCard(till, "Terraza 4", owed(offline));
  });

  await test.step("check 17, a second course that waits; check 18, what has run out is taken off", async () => {
    await goTo(luis, "Terraza 5");
    await add(luis, ["Sopa de pollo", "Chivo guisado"]);
    await line(luis, "Chivo guisado").tap();
    await tap(luis, /^Cambiar Chivo guisado/);
    await inSheet(luis, "Tiempo 2");
    await inSheet(luis, /^Guardar/);
    await send(luis, ["Sopa de pollo"]);
    await goTo(luis, "Terraza 5");
    await tap(luis, /tiempo 2$/);
    cooked.push("Chivo guisado");
    await expect
      .poll(() => watcher.tickets().some(({ lines }) => lines.some(({ name }) => name === "Chivo guisado")))
      .toBe(true);
    await exactCash(till, "Terraza 5", owed(["Sopa de pollo", "Chivo guisado"]));
    await goTo(luis, "Terraza 6");
    await add(luis, ["Tres leches", "Yaniqueques"]);
    await watcher.setItemState({ productId: 104, state: "out" }).outcome;
    await tap(luis, /^Enviar · /);
    await goTo(luis, "Terraza 6");
    const strip = luis.locator(".strip").filter({ hasText: "Agotado: Yaniqueques" });
    await strip.getByRole("button", { name: "Quitar" }).tap();
    await expect(strip).toHaveCount(0);
    await send(luis, ["Tres leches"]);
    await watcher.setItemState({ productId: 104, state: "available" }).outcome;
    await exactCash(till, "Terraza 6", owed(["Tres leches"]));
  });

  await test.step("a table whose dishes are all void is freed, and no sale", async () => {
    await order(luis, "Mesa 3", ["Quipes de res"]);
    await goTo(till, "Mesa 3");
    await line(till, "Quipes de res").tap();
    await tap(till, /^Anular$/);
    await tap(till, "Se equivocó");
    await tap(till, /^Liberar la mesa/);
    cooked.splice(cooked.lastIndexOf("Quipes de res"), 1);
    await expect.poll(() => watcher.orders().some((each) => isOn(each, "Mesa 3"))).toBe(false);
  });

  await test.step("checks 19 to 21, three tables at once", async () => {
    const tables: [string, Dish[]][] = [
      ["Terraza 7", ["La Bandera", "La Bandera", "Agua", "Agua", "Aguacate"]],
      ["Terraza 8", ["Churrasco", "Mojito", "Mojito"]],
      ["Mesa 6", ["Sancocho", "Moro de guandules", "Cerveza grande"]],
    ];
    await order(ana, ...tables[0]!);
    await order(luis, ...tables[1]!);
    await order(ana, ...tables[2]!);
    for (const [table, dishes] of tables) await exactCash(till, table, owed(dishes));
  });

  const refund = owed(["Cerveza grande"]);
  await test.step("the manager gives one beer of check 1 back", async () => {
    await manager.getByRole("link", { name: "Cobradas" }).tap();
    await manager
      .getByRole("button", { name: /^Mesa 1 / })
      .last()
      .tap();
    await expect(manager.getByRole("article", { name: "COPIA" })).toContainText(`TOTAL${pesos(firstCheck.total)}`);
    await tap(manager, "Devolver");
    const removeOne = (dish: Dish) => inSheet(manager, `Uno menos: ${dish}`);
    for (const dish of ["Tostones con salsa de ajo", "Sancocho", "Agua"] as const) await removeOne(dish);
    await expect(manager.getByRole("dialog")).toContainText(/Se devuelve RD\$/);
    await removeOne("Cerveza grande");
    await inSheet(manager, "No le gustó");
    await manager
      .getByRole("dialog")
      .getByRole("button", { name: `Mantenga para devolver ${pesos(refund.total)}` })
      .dispatchEvent("pointerdown");
    await expect(manager.getByText(/^Nota de crédito E34\d{10} por /)).toContainText(pesos(refund.total));
    await inSheet(manager, "Listo");
  });

  await test.step("the kitchen makes all of it, and nothing else", async () => {
    const readyButtons = kitchen.getByRole("button", { name: /^Todo listo/ });
    const seenButtons = kitchen.getByRole("button", { name: /^Visto/ });
    const isMade = () => watcher.tickets().every(({ isOver }) => isOver);
    await expect(async () => {
      for (const button of [readyButtons, seenButtons])
        if ((await button.count()) > 0) await button.first().tap({ timeout: 2000 });
      expect(isMade()).toBe(true);
    }).toPass({ timeout: 120_000, intervals: [50] });
    const made = watcher
      .recentTickets()
      .flatMap(({ lines }) => lines)
      .flatMap(({ name, preparedQuantity }) => Array.from({ length: preparedQuantity }, () => name));
    expect(made.toSorted()).toEqual(cooked.toSorted());
    const takenButtons = pass.getByRole("button", { name: "Llevado", exact: true });
    await expect(async () => {
      if ((await takenButtons.count()) > 0) await takenButtons.first().tap({ timeout: 2000 });
      expect(await takenButtons.count()).toBe(0);
    }).toPass({ timeout: 60_000, intervals: [50] });
  });

  await test.step("accounting and the closing page say what the paper says", async () => {
    const sum = checks.reduce(plus);
    expect(checks).toHaveLength(21);
    const inPesos = (centavos: number): number => centavos / 100;
    await expect
      .poll(async () => {
        const { orders } = await restaurant.stub<{ orders: Booked[] }>("/stub/v1/orders");
        return orders
          .filter(({ status }) => status === "paid")
          .map(({ total }) => total)
          .toSorted((one, another) => one - another);
      })
      .toEqual(checks.map(({ total }) => inPesos(total)).toSorted((one, another) => one - another));
    const operator = await createOperator(restaurant);
    const closing = await operator.until<ClosingReport>(
      "/operator/v1/closing",
      ({ totals }) => totals.notYetInAccounting === 0 && totals.paidOrders === checks.length,
    );
    expect(closing.totals).toMatchObject({
      paidOrders: 21,
      paidAmount: inPesos(sum.total),
      tips: inPesos(tips.get(CARD)!),
      refunds: { notes: 1, amount: inPesos(refund.total) },
    });
    const byMethod = Object.fromEntries(closing.totals.byMethod.map(({ methodId, amount }) => [methodId, amount]));
    expect(byMethod).toEqual(Object.fromEntries([...takings].map(([method, amount]) => [method, inPesos(amount)])));
  });
});

/** Returns a table's record id, which differs from its printed number. */
function tableIdOf(table: string): number {
  const [room, number] = table.split(" ");
  return (room === "Mesa" ? 27 : 60) + Number(number);
}
