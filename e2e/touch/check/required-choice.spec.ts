import { BootstrapAnswer } from "@comanda/protocol";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { expect, tapsOf, test } from "../support/touch-test.ts";

/** Makes the doneness of a steak a required choice in the back-office's menu from now on. */
async function requireDoneness({ backOfficeUrl, token, stub }: Restaurant): Promise<void> {
  const answer = await fetch(new URL("/pos-api/v1/bootstrap", backOfficeUrl), {
    method: "POST",
    headers: { cookie: `session_id=${await token("waiter")}`, "content-type": "application/json" },
    body: "{}",
  });
  const body = BootstrapAnswer.parse(await answer.json());
  for (const product of body.config.products) {
    if (product.name !== "Churrasco") continue;
    product.modifierGroups = [{ name: "Término", min: 1, max: 1, modifierIds: [903, 904] }];
  }
  const fault = { path: "/pos-api/v1/bootstrap", action: "status", status: 200, body };
  await stub("/stub/v1/faults", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ faults: [fault] }),
  });
}

test("a dish with a required choice opens its choices, and is added once one is made [TOUCH-14]", async ({
  open,
  restaurant,
}) => {
  await requireDoneness(restaurant);
  const kitchen = await restaurant.terminal("cocina-termino");
  await online(kitchen);
  const steak = async () => (await kitchen.loadMenu()).products.find(({ name }) => name === "Churrasco");
  await expect.poll(async () => (await steak())?.modifierGroups?.length).toBe(1);

  const page = await open({ name: "mesero-termino" });
  await page.getByRole("link", { name: /^Mesa 5 / }).tap();
  await page.getByRole("tab", { name: "Platos fuertes" }).tap();
  const tile = page.locator(".tile").filter({ hasText: "Churrasco" });
  const sheet = page.getByRole("dialog", { name: "Churrasco" });
  const doneness = sheet.getByRole("region", { name: "Término" });
  await expect(tile).toBeVisible();
  const taps = await tapsOf(page, async () => {
    await tile.tap();
    await expect(sheet.getByRole("button", { name: "Falta elegir: Término" })).toBeDisabled();
    await expect(doneness).toContainText("Elija 1");
    expect(await seriousIssues(page)).toEqual([]);
    await doneness.getByRole("button", { name: "Término medio" }).tap();
    // At most one can be chosen, so the new choice replaces the former one.
    await doneness.getByRole("button", { name: "Bien cocido" }).tap();
    await expect(doneness.getByRole("button", { name: "Término medio" })).toHaveAttribute("aria-pressed", "false");
    await sheet.getByRole("button", { name: /^Agregar/ }).tap();
    await expect(sheet).toHaveCount(0);
  });
  expect(taps).toBe(4);
  await page.getByRole("button", { name: /^Enviar · Mesa 5/ }).tap();
  await expect
    .poll(() => kitchen.tickets().map(({ lines }) => lines.map(({ name, modifiers }) => [name, modifiers])))
    .toMatchObject([[["Churrasco", [{ name: "Bien cocido" }]]]]);
});
