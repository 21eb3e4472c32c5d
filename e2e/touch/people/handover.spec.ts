import { seriousIssues } from "../../screens/support/screen-test.ts";
import { setPin } from "../support/people-acts.ts";
import { expect, test } from "../support/touch-test.ts";

test("a waiter goes on at another device with a code and a PIN [TOUCH-61] [TOUCH-62]", async ({ open, restaurant }) => {
  await setPin(restaurant, "waiter", "2222");
  const phone = await open({ name: "relevo-telefono" });
  await expect(phone.getByRole("link", { name: /^Mesa / }).first()).toBeVisible();
  await phone.evaluate(() => (location.hash = "#/host"));
  await phone.getByRole("button", { name: /^Trabaja/ }).tap();
  await phone.getByRole("dialog").getByRole("button", { name: "Más" }).tap();
  await phone.getByRole("button", { name: "Seguir en otro dispositivo" }).tap();
  await expect(phone.getByText("La PC principal tiene todo lo de este dispositivo.")).toBeVisible();
  expect(await seriousIssues(phone)).toEqual([]);
  const title = await phone
    .getByRole("img", { name: /^Código para/ })
    .locator("title")
    .textContent();
  const link = /http:\S+/.exec(title ?? "")?.[0] ?? "";
  expect(link).toMatch(/\/terminal\/\?who=\d+#\/host$/);

  const tablet = await open({ name: "relevo-tableta", login: "cashier", kind: "tablet", managerWasHere: true });
  await expect(tablet.getByRole("link", { name: /^Mesa / }).first()).toBeVisible();
  await tablet.goto(link);
  const pad = tablet.getByRole("dialog");
  await expect(pad.getByRole("button", { pressed: true })).toHaveCount(1);
  for (const digit of "2222") await pad.getByRole("button", { name: digit, exact: true }).tap();
  await pad.getByRole("button", { name: "Aceptar" }).tap();
  await expect(tablet.getByRole("button", { name: "Llegaron sin reserva" })).toBeVisible();
  const waiter = (await phone.getByRole("button", { name: /^Trabaja/ }).getAttribute("aria-label")) ?? "";
  await expect(tablet.getByRole("button", { name: waiter })).toBeVisible();
});
