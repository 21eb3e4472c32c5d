import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { devices, expect, tapsOf, test } from "../support/touch-test.ts";

/** The record ids of tables 5 to 7. */
const [FIVE, SIX, SEVEN] = [32, 33, 34] as const;

test("the floor shows each table's state and who is there, orders urgent tables first, and fits the screen [TOUCH-50] [TOUCH-51] [TOUCH-176]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("ayudante-salon", { login: "manager" });
  await online(other);
  other.openOrder({ ...newOrder("SALON-1", [lineOf("a", 500)], FIVE), staffName: "Ana" });
  other.sendToKitchen("SALON-1");
  other.openOrder(newOrder("SALON-2", [lineOf("b", 200)], SIX));
  other.joinTables("SALON-2", [SIX, SEVEN]);
  await other.idle();
  other.setPresence({ posReference: "SALON-1" });

  const tablet = await open({ name: "salon-tablet", kind: "tablet" });
  await expect(
    tablet.getByRole("link", { name: /^Mesa 5 En cocina .*RD\$500.00 .*Ahora aquí: ?Marisol/ }),
  ).toBeVisible();
  await expect(tablet.getByRole("link", { name: /^Mesa 7 1 sin enviar .*Con Mesa 6/ })).toBeVisible();
  const urgentTables = tablet.getByRole("region", { name: "Por atender" }).getByRole("link");
  await expect(urgentTables).toHaveText([/^1 sin enviarMesa 6/, /^1 sin enviarMesa 7/, /^En cocinaMesa 5/]);
  for (const size of [devices.tablet, devices.pc]) {
    await tablet.setViewportSize(size);
    const overflow = await tablet.locator(".plan").evaluate((plan) => ({
      across: plan.scrollWidth - plan.clientWidth,
      names: [...plan.querySelectorAll(".table-name")].filter((each) => each.scrollWidth > each.clientWidth + 1).length,
    }));
    expect(overflow).toEqual({ across: 0, names: 0 });
  }

  const phone = await open({ name: "salon-phone", kind: "phone" });
  await expect(phone.getByRole("link", { name: /^Mesa/ }).first()).toHaveAccessibleName(/^Mesa 6 1 sin enviar/);
  const taps = await tapsOf(phone, async () => {
    await phone.getByRole("button", { name: "Número de mesa" }).tap();
    await phone.getByRole("button", { name: "5", exact: true }).tap();
    await phone.getByRole("button", { name: "Mesa 5" }).tap();
    await expect(phone).toHaveURL(/#\/table\/32$/);
  });
  expect(taps).toBe(3);
  await phone.goBack();
  await phone.setViewportSize({ width: 320, height: 640 });
  const floor = phone.locator(".floor");
  await expect(floor).toBeVisible();
  expect(await floor.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  for (const posReference of ["SALON-1", "SALON-2"]) other.discardOrder(posReference, "fin de la prueba");
  await other.idle();
  for (const { id, posReference, stationId } of other.tickets()) {
    if (posReference.startsWith("SALON-")) other.kitchenSeen(id, stationId ?? "cocina");
  }
  await other.idle();
});

test("each button of the floor shows its name, on a small phone too [TOUCH-1573]", async ({ open }) => {
  for (const kind of ["phone", "tablet"] as const) {
    const page = await open({ name: `salon-nombres-${kind}`, kind });
    if (kind === "phone") await page.setViewportSize({ width: 360, height: 740 });
    const buttons = page.locator(".floor-tools button");
    await expect(buttons).toHaveText(["Salón", "Terraza", "Número", "Mías", ...(kind === "phone" ? ["Lista"] : [])]);
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Número de mesa" })).toHaveText("Número");
  }
});

test("the floor opens on the area that was last chosen, also after a reload [TOUCH-53]", async ({ open }) => {
  const page = await open({ name: "salon-terraza" });
  const terrace = page.getByRole("tab", { name: "Terraza" });
  await terrace.tap();
  await page.getByRole("link", { name: /^Terraza 1 / }).tap();
  await page.getByRole("link", { name: "Salón" }).tap();
  await expect(terrace).toHaveAttribute("aria-selected", "true");
  await page.reload();
  await expect(terrace).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("link", { name: /^Terraza 1 / })).toBeVisible();
});
