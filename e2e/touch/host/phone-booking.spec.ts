import { MINUTE_MS } from "@comanda/protocol";
import { online } from "../../support/restaurant.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { expect, test } from "../support/touch-test.ts";

test("a telephone booking is on every list and can be seated, and its typed text survives a lost hub [TOUCH-393]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "telefono-1", refusalsExpected: true });
  const other = await open({ name: "telefono-2", kind: "tablet" });
  for (const each of [page, other]) await each.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Anotar reserva" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Nombre").fill("Familia Tavárez");
  await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "6" }).tap();
  await sheet.getByLabel("Teléfono").fill("809-555-0199");
  await sheet.getByLabel("Nota").fill("silla de bebé");
  expect(await seriousIssues(page)).toEqual([]);
  await page.context().setOffline(true);
  await sheet.getByRole("button", { name: "Reservar" }).tap();
  await expect(page.getByText("No hay conexión con la PC principal ahora.")).toBeVisible();
  await expect(sheet.getByLabel("Nombre")).toHaveValue("Familia Tavárez");
  await page.context().setOffline(false);

  const manager = await restaurant.terminal("telefono-gerente");
  await online(manager);
  await expect(async () => {
    if (await sheet.isVisible()) await sheet.getByRole("button", { name: "Reservar" }).tap({ timeout: 2_000 });
    await expect(sheet).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  await expect(page.getByText(/^Reserva de Familia Tavárez: /)).toBeVisible();
  const row = (of: typeof page) => of.getByRole("listitem").filter({ hasText: "Familia Tavárez" });
  for (const each of [page, other]) {
    await expect(row(each)).toHaveText(/6 personas · .*809\u2011555\u20110199 · por teléfono.*«silla de bebé»/);
  }
  await other.getByRole("button", { name: "Sentar: Familia Tavárez" }).tap();
  await other
    .getByRole("dialog")
    .getByRole("button", { name: /^Sentar en / })
    .tap();
  await expect
    .poll(() => manager.orders().find(({ snapshot }) => snapshot.customerName === "Familia Tavárez")?.snapshot)
    .toMatchObject({ guestCount: 6 });
  await expect(row(page)).toHaveText(/Sentada/);
});

test("a telephone booking is opened by its name, changed and cancelled, each with undo [TOUCH-400]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("telefono-cambia");
  await online(manager);
  const at = new Date((Math.floor(manager.now() / MINUTE_MS) + 90) * MINUTE_MS).toISOString();
  const details = { tableId: 31, at, guestName: "Yokasta", partySize: 2, phone: "809-555-0110" };
  const key = "tel-yokasta";
  const first = await manager.putBooking(key, details);
  const booking = () => manager.reservations().bookings.find((each) => each.key === key)?.reservation;

  const page = await open({ name: "telefono-3", refusalsExpected: true });
  await page.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Cambiar la reserva: Yokasta" }).tap();
  const sheet = page.getByRole("dialog", { name: "Cambiar la reserva" });
  await expect(sheet.getByLabel("Nombre")).toHaveValue("Yokasta");
  await expect(sheet.getByLabel("Teléfono")).toHaveValue("809-555-0110");
  await expect(sheet.getByRole("group", { name: "¿Cuántas personas?" }).locator("[aria-pressed=true]")).toHaveText("2");
  expect(await seriousIssues(page)).toEqual([]);
  await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "7" }).tap();
  await sheet.getByLabel("Teléfono").fill("");
  await sheet.getByLabel("Nota").fill("terraza");
  // Another person changes the booking in between: nothing is overwritten, and the typed text stays.
  const second = await manager.putBooking(key, { ...details, notes: "cumpleaños", version: first });
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(page.locator(".notice")).toBeVisible();
  await expect(sheet.getByLabel("Nota")).toHaveValue("terraza");
  await page.keyboard.press("Escape");
  await expect(page.getByText("«cumpleaños»")).toBeVisible();

  await page.getByRole("button", { name: "Cambiar la reserva: Yokasta" }).tap();
  await sheet.getByRole("group", { name: "¿Cuántas personas?" }).getByRole("button", { name: "7" }).tap();
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(sheet).toHaveCount(0);
  await expect.poll(booking).toMatchObject({ partySize: 7, at, tableId: 31, notes: "cumpleaños" });
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(booking).toMatchObject({ partySize: 2, phone: "809-555-0110" });
  expect(manager.reservations().bookings.find((each) => each.key === key)?.version).toBe(second + 2);

  await page.getByRole("button", { name: "Cambiar la reserva: Yokasta" }).tap();
  await sheet.getByRole("button", { name: "Cancelar reserva" }).tap();
  await expect.poll(() => booking()?.status).toBe("cancelled");
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => booking()?.status).toBe("booked");
});

test("a device set to another time zone enters and shows bookings in the restaurant's time [TOUCH-628]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("zona-gerente");
  await online(manager);
  const { timeZone } = await manager.loadLearned();
  const page = await open({ name: "zona-1", timeZone: timeZone === "Asia/Tokyo" ? "America/Lima" : "Asia/Tokyo" });
  await page.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Anotar reserva" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Nombre").fill("Altagracia");
  const written = `${await sheet.getByLabel("Día").inputValue()} ${await sheet.getByLabel("Hora").inputValue()}`;
  await sheet.getByRole("button", { name: "Reservar" }).tap();
  await expect(sheet).toHaveCount(0);
  const restaurantFormat = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
  const booked = () =>
    manager
      .reservations()
      .bookings.filter(({ reservation }) => reservation.guestName === "Altagracia")
      .map(({ reservation }) => restaurantFormat.format(Date.parse(reservation.at)));
  await expect.poll(booked).toEqual([written]);
  await page.getByRole("button", { name: "Cambiar la reserva: Altagracia" }).tap();
  await expect(sheet.getByLabel("Hora")).toHaveValue(written.slice(-5));
});
