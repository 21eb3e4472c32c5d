import { online } from "../support/restaurant.ts";
import { seriousIssues } from "../screens/screen-test.ts";
import { expect, test } from "./touch-test.ts";

test("[TOUCH-393] a booking that comes by telephone is written down, stands on every list and is seated; without the hub what was typed stays", async ({
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
    await expect(row(each)).toHaveText(/6 personas · .*809-555-0199 · por teléfono.*«silla de bebé»/);
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
