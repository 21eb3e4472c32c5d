import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { createPreload } from "../../faults/preload.ts";
import type { Restaurant } from "../../support/restaurant.ts";
import { deviceLine, seedOutbox } from "../support/device-line.ts";
import { signInByForm } from "../support/people-acts.ts";
import { expect, hasAllScreens, terminalUrl, test } from "../support/touch-test.ts";
import { anHourAhead } from "../support/wrong-clock.ts";

const dish = "Quipes de res";

/** Opens a table of the terrace from the floor. */
async function openTable(page: Page, table: string): Promise<void> {
  await page.getByRole("link", { name: "Salón" }).tap();
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: new RegExp(`^${table} `) }).tap();
}

async function addDishes(page: Page, count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    await page.getByRole("button", { name: new RegExp(`^${dish}`) }).tap();
  }
}

/** Connects an observer; returns a function that counts the hub's dishes on a table. */
async function dishesOn(restaurant: Restaurant, tableId: number) {
  const observer = await restaurant.terminal(`fault-observer-${tableId}`);
  observer.start();
  await expect.poll(() => observer.connection().name).toBe("online");
  return () =>
    observer
      .orders()
      .filter((order) => order.tableId === tableId)
      .flatMap(({ snapshot }) => snapshot.lines)
      .reduce((sum, { quantity }) => sum + quantity, 0);
}

test("changes made while the hub was killed arrive once after it has restarted [TOUCH-151]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "fault-hub", refusalsExpected: true });
  await openTable(page, "Terraza 1");
  await addDishes(page, 2);
  await hasAllScreens(page);
  await restaurant.killHub();
  await addDishes(page, 3);
  await expect(page.getByRole("link", { name: /^Sin conexión · \d por enviar$/ })).toBeVisible();
  await page.getByRole("link", { name: /^Sin conexión/ }).tap();
  await expect(page.getByText(/^!?Sin conexión con la PC principal desde hace .* Siga trabajando/)).toBeVisible();
  await restaurant.startHub();
  await expect(page.getByText("Todo llegó a la PC principal.")).toBeVisible();
  await expect(page.getByText(/Conectado a la PC principal desde hace/)).toBeVisible();
  await expect.poll(await dishesOn(restaurant, 61)).toBe(5);
});

test("a payment that the hub cannot write to disk says so, and is recorded once it can [TOUCH-665]", async ({
  open,
  restaurant,
}) => {
  const own = await mkdtemp(join(tmpdir(), "comanda-disk-"));
  const preload = createPreload(restaurant.folder, own);
  await restaurant.hub().stop();
  await restaurant.startHub(preload.env);
  const page = await open({ name: "fault-disk", login: "cashier", kind: "tablet", refusalsExpected: true });
  const dishes = await dishesOn(restaurant, 68);
  const before = dishes();
  await openTable(page, "Terraza 8");
  await addDishes(page, 1);
  await expect.poll(dishes).toBe(before + 1);
  preload.setRule({ on: ["write", "sync"], action: "ENOSPC", times: 1_000_000 });
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: /por registrar$/ })).toBeVisible();
  await expect(page.getByText("Guardado en este terminal: espera a que responda la PC principal.")).toBeVisible();
  await expect(
    page.getByText("El disco de la PC principal está casi lleno o falla. Avise a un gerente."),
  ).toBeVisible();
  preload.setRule(null);
  await expect(page.getByRole("heading", { name: /^Cobrado/ })).toBeVisible();
  await restaurant.hub().stop();
  await restaurant.startHub();
  await rm(own, { recursive: true });
});

test("three tablets without a network send thirty changes exactly once when it is back [TOUCH-152]", async ({
  open,
  restaurant,
}) => {
  const pages = await Promise.all(
    [1, 2, 3].map((n) => open({ name: `fault-wifi-${n}`, kind: "tablet", refusalsExpected: true })),
  );
  for (const [index, page] of pages.entries()) await openTable(page, `Terraza ${index + 1}`);
  const before = (await dishesOn(restaurant, 61))();
  for (const page of pages) await hasAllScreens(page);
  for (const page of pages) await page.context().setOffline(true);
  await Promise.all(pages.map((page) => addDishes(page, 10)));
  for (const page of pages) await page.context().setOffline(false);
  for (const page of pages) await expect(page.getByRole("link", { name: /por enviar/ })).toBeHidden();
  await expect.poll(await dishesOn(restaurant, 61)).toBe(before + 10);
  await expect.poll(await dishesOn(restaurant, 62)).toBe(10);
  await expect.poll(await dishesOn(restaurant, 63)).toBe(10);
});

test("a device that slept with its page in view checks its connection at once [TOUCH-150]", async ({ open }) => {
  const page = await open({ name: "dormido", kind: "tablet" });
  const line = await deviceLine(page);
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toHaveCount(0);
  // What watches for sleep comes after the first screen.
  await hasAllScreens(page);
  line.holdBack();
  // On some machines the monotonic clock stops during sleep, and no timer is due after it: only the wall clock jumps.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
  });
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible({ timeout: 12_000 });
  await line.restore();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toHaveCount(0);
});

test("unsent work survives a reload on an origin that is not secure [TOUCH-153]", async ({ open, restaurant }) => {
  const page = await open({ name: "fault-reload" });
  const line = await deviceLine(page);
  await openTable(page, "Terraza 4");
  await line.cut();
  await addDishes(page, 2);
  await page.reload();
  await expect(page.getByRole("link", { name: "Sin conexión · 2 por enviar" })).toBeVisible();
  await line.restore();
  await expect(page.getByRole("link", { name: /por enviar/ })).toBeHidden();
  await expect.poll(await dishesOn(restaurant, 64)).toBe(2);
});

test("unsent changes in storage that the browser emptied are reported as possibly lost, also by the hub [TOUCH-290]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "fault-evicted", refusalsExpected: true });
  const address = page.url();
  const line = await deviceLine(page);
  await openTable(page, "Terraza 6");
  await line.cut();
  await addDishes(page, 2);
  await expect(page.getByRole("link", { name: "Sin conexión · 2 por enviar" })).toBeVisible();
  await page.goto(new URL("/health", address).href);
  await page.evaluate(async () => {
    for (const { name = "" } of await indexedDB.databases()) {
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(name).addEventListener("success", resolve);
      });
    }
  });
  await page.goto(address);
  await line.restore();
  await page.getByRole("link", { name: /Trabajo por revisar/ }).tap();
  const card = page.getByRole("alert").filter({ hasText: "2 cambios quizá no llegaron a la PC principal" });
  await expect(card).toBeVisible();
  await expect(page.getByText("Todo llegó a la PC principal.")).toBeHidden();
  const unsent = async () => {
    const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
    const answer = await fetch(new URL("/operator/v1/closing", restaurant.hubUrl), { headers });
    const { unsentTerminals } = (await answer.json()) as { unsentTerminals: { terminalId: string; pending: number }[] };
    return unsentTerminals.filter(({ terminalId }) => terminalId === "fault-evicted");
  };
  await expect.poll(async () => (await unsent())[0]?.pending).toBe(2);
  await card.getByRole("button", { name: /Ya lo revisamos/ }).press("Enter", { delay: 1_000 });
  await expect(page.getByText("Todo llegó a la PC principal.")).toBeVisible();
  await expect.poll(unsent).toEqual([]);
});

for (const origin of ["http", "secure"] as const) {
  test(`a second tab reports at once that the first is open, and takes over when asked (${origin}) [TOUCH-154]`, async ({
    open,
    restaurant,
  }) => {
    const first = await open({ name: `fault-tab-${origin}` });
    // 127.0.0.1 is a secure context, so it has Web Locks.
    const address =
      origin === "http" ? terminalUrl(restaurant) : new URL("/terminal/?name=fault-tab-secure", restaurant.hubUrl).href;
    await first.goto(address);
    expect(await first.evaluate(() => window.isSecureContext)).toBe(origin === "secure");
    await expect(first.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
    const second = await first.context().newPage();
    await second.goto(address);
    await expect(second.getByRole("heading", { name: "Comanda está abierta en otra pestaña" })).toBeVisible();
    await expect(first.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
    await second.getByRole("button", { name: "Seguir aquí" }).tap();
    await expect(second.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
    await expect(first.getByRole("heading", { name: "Comanda está abierta en otra pestaña" })).toBeVisible();
    await first.getByRole("button", { name: "Seguir aquí" }).tap();
    await expect(first.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  });
}

test("a tab no longer shows an amount to give back that another tab has settled [TOUCH-146]", async ({ open }) => {
  const first = await open({ name: "fault-outcomes", login: "cashier" });
  const outcomeOf = (place: string) => ({
    id: place,
    posReference: place,
    place,
    collect: 0,
    giveBack: 150,
    rest: null,
  });
  await first.evaluate(
    (stored) => localStorage.setItem("comanda-terminal-outcomes", stored),
    JSON.stringify([outcomeOf("Ana"), outcomeOf("Luis")]),
  );
  const goTo = async (page: Page) => {
    await page.evaluate(() => (location.hash = "/conflicts"));
    await page.reload();
  };
  const continueHere = async (page: Page) => page.getByRole("button", { name: "Seguir aquí" }).tap();
  const refundNotices = (page: Page) => page.getByText(/^Devuelva RD\$150.00 al cliente de/);
  const markGiven = async (page: Page, place: string) => {
    const notice = page.getByRole("status").filter({ hasText: place });
    await notice.getByRole("button", { name: "Hecho" }).tap();
    await expect(notice).toHaveCount(0);
  };
  await goTo(first);
  await expect(refundNotices(first)).toHaveCount(2);
  const second = await first.context().newPage();
  await second.goto(first.url());
  await continueHere(second);
  await markGiven(second, "Ana");
  await continueHere(first);
  await expect(refundNotices(first)).toHaveText(/Luis/);
  await markGiven(first, "Luis");
  await continueHere(second);
  await expect(second.getByRole("heading", { name: "Por enviar y conexión" })).toBeVisible();
  await expect(refundNotices(second)).toHaveCount(0);
});

test("a browser without storage shows a warning, works, and asks before a reload loses unsent work [TOUCH-155]", async ({
  open,
  restaurant,
}) => {
  const page = await open({
    name: "fault-storage",
    before: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("denied", "SecurityError");
      };
    },
  });
  await expect(page.getByText(/^Este navegador no guarda nada/)).toBeVisible();
  const line = await deviceLine(page);
  await openTable(page, "Terraza 5");
  await line.cut();
  await addDishes(page, 1);
  await expect(page.getByRole("link", { name: "Sin conexión · 1 por enviar · sin guardar" })).toBeVisible();
  const dialogShown = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await dialogShown;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await line.restore();
  await expect(page.getByRole("link", { name: /por enviar/ })).toBeHidden();
  await expect.poll(await dishesOn(restaurant, 65)).toBe(1);
});

test("a browser that cannot read its storage shows a warning and works [TOUCH-155]", async ({ open, restaurant }) => {
  const page = await open({
    name: "fault-reading",
    before: () => {
      IDBObjectStore.prototype.getAll = () => {
        throw new DOMException("broken", "UnknownError");
      };
    },
  });
  await expect(page.getByText(/^Este navegador no guarda nada/)).toBeVisible();
  const dishes = await dishesOn(restaurant, 62);
  const before = dishes();
  await openTable(page, "Terraza 2");
  await addDishes(page, 1);
  await expect.poll(dishes).toBe(before + 1);
});

test("a lost database connection is reopened without losing changes [TOUCH-156]", async ({ open, restaurant }) => {
  const page = await open({
    name: "fault-database",
    before: () => {
      const databases: IDBDatabase[] = [];
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...options) {
        const request = open.apply(this, options);
        request.addEventListener("success", () => databases.push(request.result));
        return request;
      };
      // Closes the databases, as WebKit does to a page that slept.
      Object.assign(window, { loseDatabases: () => databases.splice(0).forEach((each) => each.close()) });
    },
  });
  const line = await deviceLine(page);
  await openTable(page, "Terraza 6");
  await line.cut();
  await page.evaluate(() => (window as unknown as { loseDatabases: () => void }).loseDatabases());
  await addDishes(page, 2);
  await page.reload();
  await expect(page.getByRole("link", { name: "Sin conexión · 2 por enviar" })).toBeVisible();
  await line.restore();
  await expect.poll(await dishesOn(restaurant, 66)).toBe(2);
});

test("a tap just before a reload is stored, and no change is sent before it is stored [TOUCH-175] [CLIENT-139]", async ({
  open,
  restaurant,
}) => {
  const page = await open({
    name: "fault-left",
    before: () => {
      const stored = new Set<unknown>();
      const early: string[] = [];
      Object.assign(window, { early });
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value: { mutationId?: string }, ...rest) {
        this.transaction.addEventListener("complete", () => stored.add(value.mutationId));
        return put.call(this, value, ...rest);
      };
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        const { type, mutationId } = JSON.parse(data as string) as { type: string; mutationId?: string };
        if (mutationId !== undefined && !stored.has(mutationId)) early.push(type);
        send.call(this, data);
      };
    },
  });
  await openTable(page, "Terraza 3");
  const dishes = await dishesOn(restaurant, 63);
  const before = dishes();
  await addDishes(page, 4);
  await expect.poll(dishes).toBe(before + 4);
  expect(await page.evaluate(() => (window as unknown as { early: string[] }).early)).toEqual([]);
  const line = await deviceLine(page);
  await line.cut();
  const tile = page.getByRole("button", { name: new RegExp(`^${dish}`) });
  // In one task: nothing is painted, and no timer runs, between the tap and the reload.
  await tile.evaluate((button: HTMLElement) => {
    button.click();
    location.reload();
  });
  // The count may include changes whose answers arrived shortly before.
  await expect(page.getByRole("link", { name: /^Sin conexión · \d por enviar$/ })).toBeVisible();
  await line.restore();
  await expect.poll(dishes).toBe(before + 5);
});

test("a device clock that is an hour fast only shows a sentence in the device test [TOUCH-157]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "fault-clock", before: anHourAhead });
  await openTable(page, "Terraza 7");
  await addDishes(page, 1);
  await expect.poll(await dishesOn(restaurant, 67)).toBe(1);
  await page.goto(terminalUrl(restaurant, "/terminal/#/device"));
  await expect(page.getByText(/^El reloj va 1 h adelantado\./).first()).toBeVisible();
});

test("after an ended session, the sign-in form says why and how many changes wait, then sends them [TOUCH-158] [TOUCH-395]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "fault-session", isNew: true, refusalsExpected: true });
  const signIn = async () => {
    await signInByForm(page, "waiter");
    await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  };
  await signIn();
  await seedOutbox(page, "fault-session", [{ type: "ORDER_SEND", posReference: "Nunca/1" }]);
  await expect(page.getByRole("link", { name: /^1 por decidir/ })).toBeVisible();
  const dishes = await dishesOn(restaurant, 68);
  const before = dishes();
  const line = await deviceLine(page);
  await openTable(page, "Terraza 8");
  await line.cut();
  await addDishes(page, 2);
  const account = await page.evaluate(() => localStorage.getItem("comanda-terminal-account") ?? "");
  const { token } = JSON.parse(account) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  await fetch(new URL("/terminal/v1/sign-out", restaurant.hubUrl), { method: "POST", headers });
  await line.restore();
  await expect(page.getByText("Su sesión terminó. Entre de nuevo.")).toBeVisible();
  await expect(page.getByText("Hay 2 cambios guardados en este dispositivo; se envían al entrar.")).toBeVisible();
  await expect(page.getByText("Hay 1 cambio por decidir; lo verá al entrar.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Usuario" })).toHaveValue("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar", exact: true }).tap();
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await expect.poll(dishes).toBe(before + 2);
});

test("a device under the name of another person's device can take a name of its own [TOUCH-159]", async ({ open }) => {
  const ownerPage = await open({ name: "fault-taken" });
  await expect(ownerPage.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  const otherPage = await open({ name: "fault-taken", login: "cashier" });
  await expect(
    otherPage.getByText("Este dispositivo es de otra persona. Entra esa persona o un gerente."),
  ).toBeVisible();
  await expect(ownerPage.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await otherPage.getByRole("button", { name: "Es otro dispositivo: darle su propio nombre" }).tap();
  await expect(otherPage.getByRole("button", { name: "Trabaja Carlos Jiménez" })).toBeVisible();
  await expect(otherPage.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
});
