import { seriousIssues } from "../../screens/support/screen-test.ts";
import { createOperator } from "../../screens/support/operator.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { expect, tapsOf, test } from "../support/touch-test.ts";

/** The record id of Terraza 1. */
const TABLE = 61;

test("the host seats a late booking with two taps, and also guests without a booking [TOUCH-120] [TOUCH-121] [TOUCH-122] [TOUCH-124]", async ({
  open,
  restaurant,
}) => {
  const { manager, book } = await bookings(restaurant, "gerente-reservas");
  await book("Rosa Almonte", 20);
  await book("Familia Peralta", -40);

  const page = await open({ name: "reservas-1", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/host"));
  const expected = page.getByRole("region", { name: "Por llegar" }).getByRole("listitem");
  await expect(expected).toHaveText([/Atrasada.*Familia Peralta/, /Pronto.*Rosa Almonte/]);
  expect(await seriousIssues(page)).toEqual([]);

  const taps = await tapsOf(page, async () => {
    await page.getByRole("button", { name: "Sentar: Familia Peralta" }).tap();
    await page.getByRole("button", { name: "Sentar en Terraza 1" }).tap();
  });
  expect(taps).toBe(2);
  await expect(page.getByRole("region", { name: "Ya atendidas" }).getByText("Familia Peralta")).toBeVisible();
  const check = () => manager.orders().find(({ tableId }) => tableId === TABLE);
  await expect
    .poll(() => check()?.snapshot)
    .toMatchObject({
      customerName: "Familia Peralta",
      guestCount: 3,
      pluginData: { reservations: { key: "Familia Peralta" } },
    });
  const status = () =>
    manager.reservations().bookings.find((each) => each.key === "Familia Peralta")?.reservation.status;
  await expect.poll(status).toBe("seated");

  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect(expected).toHaveCount(2);
  await expect.poll(check).toBe(undefined);
  await expect.poll(status).toBe("booked");

  await page.getByRole("button", { name: "Llegaron sin reserva" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "2", exact: true }).tap();
  // Its booking is due soon, so this table is offered last.
  await expect(sheet.locator(".seat-tables button").last()).toHaveText(/^Terraza 1Reservada \d/);
  await sheet.getByRole("button", { name: /^Terraza 1 / }).tap();
  await expect.poll(() => check()?.snapshot).toMatchObject({ guestCount: 2, lines: [] });
  await page.getByRole("button", { name: "Sentar: Rosa Almonte" }).tap();
  await expect(sheet.getByText("Terraza 1 está ocupada. Elija otra.")).toBeVisible();
});

test("a late booking becomes a no-show with one tap, another is cancelled, and both can be brought back [TOUCH-123]", async ({
  open,
  restaurant,
}) => {
  const { manager, book } = await bookings(restaurant, "gerente-ausentes");
  await book("Los Cabral", -50);
  await book("Julia Mota", 25);
  const status = (name: string) => manager.reservations().bookings.find(({ key }) => key === name)?.reservation.status;

  const page = await open({ name: "reservas-2" });
  await page.evaluate(() => (location.hash = "#/host"));
  const settled = page.getByRole("region", { name: "Ya atendidas" }).getByRole("listitem");
  const taps = await tapsOf(page, () => page.getByRole("button", { name: "No llegó: Los Cabral" }).tap());
  expect(taps).toBe(1);
  await expect(settled.filter({ hasText: "Los Cabral" })).toHaveText(/No llegó/);
  await expect.poll(() => status("Los Cabral")).toBe("no_show");
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => status("Los Cabral")).toBe("booked");

  await page.getByRole("button", { name: "Más sobre Julia Mota" }).tap();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Ya no viene/ })
    .tap();
  await expect(settled.filter({ hasText: "Julia Mota" })).toHaveText(/Cancelada/);
  await expect.poll(() => status("Julia Mota")).toBe("cancelled");
  await page.getByRole("button", { name: "Sí viene: Julia Mota" }).tap();
  await expect(page.getByRole("button", { name: "Sentar: Julia Mota" })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
});

test("waiting guests are listed on every device, and are seated with two taps or marked as gone [TOUCH-125] [TOUCH-736]", async ({
  open,
  restaurant,
}) => {
  const { manager } = await bookings(restaurant, "gerente-espera");
  const onTable = () => manager.orders().find(({ tableId }) => tableId === TABLE);
  const former = onTable();
  if (former !== undefined) await manager.discardOrder(former.posReference).outcome;

  const page = await open({ name: "reservas-3", refusalsExpected: true });
  await page.evaluate(() => (location.hash = "#/host"));
  const sheet = page.getByRole("dialog");
  for (const name of ["Pedro Luis", "Las Santana"]) {
    await page.getByRole("button", { name: "Anotar en espera" }).tap();
    await sheet.getByLabel("Nombre").fill(name);
    await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "4" }).tap();
    await sheet.getByRole("button", { name: "20", exact: true }).tap();
    expect(await seriousIssues(page)).toEqual([]);
    await sheet.getByRole("button", { name: "Anotar", exact: true }).tap();
    await expect(sheet).toHaveCount(0);
  }
  const waiting = page.getByRole("region", { name: "En espera" }).getByRole("listitem");
  await expect(waiting).toHaveText([/^hace .*Pedro Luis.*4 personas.*se le dijo 20 min/, /Las Santana/]);
  const parties = () => manager.waiting().map(({ party }) => [party.guestName, party.status]);
  await expect.poll(parties).toEqual([
    ["Pedro Luis", "waiting"],
    ["Las Santana", "waiting"],
  ]);

  // The party grows and keeps its place. Details changed by another person in between must not be lost.
  const first = () => manager.waiting().find(({ party }) => party.guestName === "Pedro Luis");
  const { since, ...details } = first()!.party;
  await page.getByRole("button", { name: "Cambiar en espera: Pedro Luis" }).tap();
  await expect(sheet.getByLabel("Nombre")).toHaveValue("Pedro Luis");
  await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "6" }).tap();
  await manager.putWaiting(first()!.key, { ...details, phone: "809-555-0199" });
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(page.getByText(/^Otra persona cambió lo mismo/)).toBeVisible();
  await expect.poll(() => first()?.party).toMatchObject({ partySize: 4, phone: "809-555-0199" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cambiar en espera: Pedro Luis" }).tap();
  await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "6" }).tap();
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(waiting).toHaveText([/Pedro Luis.*6 personas.*se le dijo 20 min/, /Las Santana/]);
  await expect.poll(() => first()?.party).toMatchObject({ partySize: 6, phone: "809-555-0199", since });

  const taps = await tapsOf(page, async () => {
    await page.getByRole("button", { name: "Sentar: Pedro Luis" }).tap();
    await sheet.getByRole("button", { name: /^Terraza 1 / }).tap();
  });
  expect(taps).toBe(2);
  await expect.poll(() => onTable()?.snapshot).toMatchObject({ customerName: "Pedro Luis", guestCount: 6 });
  await expect.poll(() => parties()[0]).toEqual(["Pedro Luis", "seated"]);
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => parties()[0]).toEqual(["Pedro Luis", "waiting"]);
  await expect.poll(onTable).toBe(undefined);

  await page.getByRole("button", { name: "Se fue: Las Santana" }).tap();
  await expect.poll(() => parties()[1]).toEqual(["Las Santana", "left"]);
  await expect(waiting).toHaveCount(1);
});

/** Connects a manager's terminal, and a booking system that posts to the hub. */
async function bookings(restaurant: Restaurant, device: string) {
  const manager = await restaurant.terminal(device);
  await online(manager);
  const key = await (await createOperator(restaurant)).createKey(device);
  const book = (name: string, inMinutes: number) =>
    fetch(`${restaurant.hubUrl}/external/v1/plugins/reservations/events`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Api-Key": key },
      body: JSON.stringify({
        key: name,
        payload: {
          tableId: TABLE,
          at: new Date(manager.now() + inMinutes * 60_000).toISOString(),
          guestName: name,
          partySize: 3,
          notes: "cumpleaños",
        },
      }),
    });
  return { manager, book };
}

test("on a device with a mouse, text typed on a new host sheet goes to the name, spaces included [TOUCH-525]", async ({
  open,
}) => {
  const page = await open({
    name: "reservas-teclado",
    kind: "pc",
    // The devices of these tests have only touch screens: this one reports a mouse.
    before: () => {
      const ask = window.matchMedia.bind(window);
      window.matchMedia = (query) => ask(query === "(pointer: fine)" ? "all" : query);
    },
  });
  await page.evaluate(() => (location.hash = "#/host"));
  for (const act of ["Anotar en espera", "Anotar reserva"]) {
    await page.getByRole("button", { name: act }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("Familia Peralta");
    await expect(page.getByRole("dialog").getByLabel("Nombre")).toHaveValue("Familia Peralta");
    await page.keyboard.press("Escape");
  }
});

for (const width of [600, 820, 1100, 1280]) {
  test(`fifteen waiting parties leave the expected bookings in sight (${width}) [TOUCH-605]`, async ({
    open,
    restaurant,
  }) => {
    const host = await restaurant.terminal(`anfitriona-${width}`);
    await online(host);
    const details = { partySize: 4, phone: "809-555-0188", quotedMinutes: 20 };
    const names = Array.from({ length: 15 }, (_, index) => `Familia Rodríguez de la Cruz ${width + index}`);
    for (const guestName of names) await host.putWaiting(guestName, { ...details, guestName, status: "waiting" });
    const page = await open({ name: `viernes-${width}`, kind: "pc" });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => (location.hash = "#/host"));
    const waiting = page
      .getByRole("region", { name: "En espera" })
      .getByRole("listitem")
      .filter({ hasText: "de la Cruz" });
    await expect(waiting).toHaveCount(names.length);
    await expect(page.getByRole("heading", { name: "Por llegar" })).toBeInViewport();
    const number = waiting.first().getByText("809\u2011555\u20110188");
    const lines = await number.evaluate((each) => {
      const text = [...each.childNodes].find((node) => node.textContent?.includes("809"))!;
      const range = document.createRange();
      const from = text.textContent!.indexOf("809");
      range.setStart(text, from);
      range.setEnd(text, from + "809-555-0188".length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).toBe(1);
    for (const guestName of names) await host.putWaiting(guestName, { ...details, guestName, status: "left" });
  });
}

test("where many wait, guests are found by name or telephone [TOUCH-1530]", async ({ open, restaurant }) => {
  const manager = await restaurant.terminal("gerente-busca-espera");
  await online(manager);
  const page = await open({ name: "anfitrion-busca", kind: "phone" });
  await page.evaluate(() => (location.hash = "#/host"));
  const party = { partySize: 2, quotedMinutes: 10, status: "waiting" } as const;
  for (let index = 0; index < 10; index += 1) {
    const guestName = index === 7 ? "Doña Altagracia Núñez" : `Cola ${index}`;
    await manager.putWaiting(`cola-${index}`, { guestName, ...party, phone: `829-555-017${index}` });
  }
  const seat = page.getByRole("button", { name: /^Sentar: (Cola|Doña)/ });
  await expect(seat).toHaveCount(10);
  const search = page.getByRole("searchbox", { name: "Buscar clientes" });
  await search.fill("nunez");
  await expect(seat).toHaveText(["Sentar"]);
  await expect(page.getByRole("heading", { name: "En espera · 1" })).toBeVisible();
  await search.fill("0173");
  await expect(page.getByRole("button", { name: "Sentar: Cola 3" })).toBeVisible();
  await expect(seat).toHaveCount(1);
  await search.fill("nadie");
  await expect(page.getByText("Nadie coincide con lo buscado.")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "Borrar", exact: true }).tap();
  await expect(seat).toHaveCount(10);
  for (const { key, party: each } of manager.waiting()) {
    if (key.startsWith("cola-")) await manager.putWaiting(key, { ...each, status: "left" });
  }
});

test("on a phone the heading of the bookings stays in sight below the wait list, and a tap leads there [TOUCH-605]", async ({
  open,
  restaurant,
}) => {
  const { manager, book } = await bookings(restaurant, "anfitriona-390");
  await book("Los Tavárez", -30);
  const details = { partySize: 4, phone: "809-555-0188", quotedMinutes: 20 };
  const names = Array.from({ length: 15 }, (_, index) => `Familia ${index + 1}`);
  for (const guestName of names) await manager.putWaiting(guestName, { ...details, guestName, status: "waiting" });
  const page = await open({ name: "viernes-390" });
  await page.evaluate(() => (location.hash = "#/host"));
  const list = (name: string) => page.getByRole("region", { name }).getByRole("listitem");
  await expect(list("En espera").filter({ hasText: "Familia" })).toHaveCount(names.length);
  // At least three rows must be fully visible above the keyboard.
  await expect(list("En espera").nth(2)).toBeInViewport({ ratio: 1 });
  const expected = page.getByRole("button", { name: /^Por llegar · \d+ \d+ atrasadas?$/ });
  await expect(expected).toBeInViewport({ ratio: 1 });
  await expect(list("Por llegar").first()).not.toBeInViewport();
  await expected.tap();
  await expect(list("Por llegar").first()).toBeInViewport({ ratio: 1 });
  await expect(expected).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: /^En espera · \d+$/ }).tap();
  await expect(list("En espera").first()).toBeInViewport({ ratio: 1 });
  for (const guestName of names) await manager.putWaiting(guestName, { ...details, guestName, status: "left" });
});
