import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, tapsOf, test } from "../support/touch-test.ts";

/** The record ids of tables 5 and 6. */
const [FIVE, SIX] = [32, 33] as const;

test("the floor marks the user's own tables and can hide those of others [TOUCH-390]", async ({ open, restaurant }) => {
  const other = await restaurant.terminal("colega", { login: "manager" });
  await online(other);
  other.openOrder({ ...newOrder("PARTY-1", [lineOf("a", 500)], FIVE), staffName: "Marisol Peña" });
  other.openOrder({ ...newOrder("PARTY-2", [lineOf("b", 200)], SIX), staffName: "Wendy Almonte" });
  await other.idle();

  const phone = await open({ name: "mias", kind: "phone" });
  const table = (name: RegExp) => phone.locator(".floor-list").getByRole("link", { name });
  await expect(table(/^Mesa 5 .*De Marisol Peña$/)).toBeVisible();
  await expect(table(/^Mesa 6 .*Mía$/)).toBeVisible();
  await phone.getByRole("button", { name: "Mías" }).tap();
  await expect(table(/^Mesa 5 /)).toBeHidden();
  await expect(table(/^Mesa 6 .*Mía$/)).toBeVisible();
  await expect(table(/^Mesa 7 Libre/)).toHaveCount(1);
  await phone.reload();
  await expect(table(/^Mesa 6 .*Mía$/)).toBeVisible();
  await expect(table(/^Mesa 5 /)).toBeHidden();
  await phone.setViewportSize({ width: 820, height: 1180 });
  const plan = phone.locator(".plan");
  await expect(plan.getByRole("link", { name: /^Mesa 5 / })).toHaveAttribute("data-muted", "true");
  await expect(plan.getByRole("link", { name: /^Mesa 6 / })).toHaveAttribute("data-muted", "false");
  await expect(phone.getByRole("region", { name: "Por atender" }).getByRole("link")).toHaveText([/Mesa 6.*Mía/]);
  await phone.getByRole("button", { name: "Mías" }).tap();
  await expect(plan.getByRole("link", { name: /^Mesa 5 / })).toHaveAttribute("data-muted", "false");
  for (const posReference of ["PARTY-1", "PARTY-2"]) other.discardOrder(posReference, "fin de la prueba");
  await other.idle();
});

test("setting the number of guests takes two taps, adds their seats, and shows on check and floor [TOUCH-392]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "comensales", kind: "phone" });
  await page.getByRole("link", { name: /^Mesa 5 Libre/ }).tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  const guests = page.getByRole("group", { name: "¿Cuántas personas?" });
  const taps = await tapsOf(page, async () => {
    await page.getByRole("button", { name: "1 persona" }).tap();
    await guests.getByRole("button", { name: "4", exact: true }).tap();
  });
  expect(taps).toBe(2);
  await expect(page.getByRole("button", { name: "4 personas" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Asiento" }).getByRole("button")).toHaveText([
    "Para todos",
    "1",
    "2",
    "3",
    "4",
  ]);
  await guests.getByRole("button", { name: "8", exact: true }).tap();
  await guests.getByRole("button", { name: "Una persona más" }).tap();
  await expect(guests.getByRole("button", { name: "Una persona menos" })).toBeVisible();
  await expect(page.getByRole("button", { name: "9 personas" })).toBeVisible();
  await guests.getByRole("button", { name: "4", exact: true }).tap();

  const observer = await restaurant.terminal("comensales-vista", { login: "manager" });
  await online(observer);
  const check = () => observer.orders().find(({ tableId }) => tableId === FIVE);
  await expect.poll(() => check()?.snapshot.guestCount).toBe(4);
  await page.getByRole("link", { name: "Volver" }).tap();
  await expect(page.getByRole("link", { name: /^Mesa 5 .*4 pers\./ })).toBeVisible();
  await page.getByRole("link", { name: /^Cuenta de Mesa 5/ }).tap();
  await expect(page.getByRole("dialog").getByText(/^4 personas/)).toBeVisible();
  observer.discardOrder(check()?.posReference ?? "", "fin de la prueba");
  await observer.idle();
});
