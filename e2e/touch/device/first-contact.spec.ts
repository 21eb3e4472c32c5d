import { seriousIssues } from "../../screens/support/screen-test.ts";
import { resetPin, typePin } from "../support/people-acts.ts";
import { expect, terminalUrl, test } from "../support/touch-test.ts";

test("the sign-in form names the restaurant, and keeps the user after a wrong password [TOUCH-360]", async ({
  open,
  restaurant,
}) => {
  const answer = await fetch(new URL("/terminal/v1/hub", restaurant.hubUrl));
  const { name } = (await answer.json()) as { name: string };
  const page = await open({ name: "primero", isNew: true, refusalsExpected: true });
  await expect(page.locator(".gate-house")).toHaveText(name);
  await page.getByLabel("Usuario").fill("waiter");
  await page.getByLabel("Contraseña").fill("equivocada");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let requestCount = 0;
  await page.route("**/terminal/v1/sign-in", async (route) => {
    requestCount += 1;
    await released;
    await route.continue();
  });
  await page.getByLabel("Contraseña").press("Enter");
  for (let press = 2; press <= 3; press += 1) await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Entrar" })).toBeDisabled();
  release();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(requestCount).toBe(1);
  await expect(page.getByLabel("Usuario")).toHaveValue("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar" }).tap();
  await expect(page.getByText("Wendy Almonte")).toBeVisible();
});

test("a person without a PIN is offered one once after sign-in, and sets it without the password [TOUCH-401]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "ofrece-clave", isNew: true });
  const offer = page.getByRole("dialog", { name: "¿Quiere una clave (PIN)?" });
  const chip = (name: string) => page.getByRole("button", { name: `Trabaja ${name}` });
  const signIn = async (login: string) => {
    await page.getByLabel("Usuario").fill(login);
    await page.getByLabel("Contraseña").fill(login);
    await page.getByRole("button", { name: "Entrar", exact: true }).tap();
  };
  const signOut = async (name: string) => {
    await chip(name).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
    await page.getByRole("button", { name: "Salir" }).tap();
  };
  /** Checks that no PIN is offered after a reload. An offer would appear once the list of people has been received. */
  const expectNoOffer = async (name: string) => {
    await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
    const people = page.waitForResponse(/\/terminal\/v1\/people/);
    await page.reload();
    await people;
    await expect(chip(name)).toBeVisible();
    await expect(offer).toHaveCount(0);
  };

  await signIn("cashier");
  await expect(offer).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await offer.getByRole("button", { name: "Ahora no" }).tap();
  await expect(offer).toHaveCount(0);
  await signOut("Carlos Jiménez");
  await signIn("cashier");
  await expectNoOffer("Carlos Jiménez");

  await signOut("Carlos Jiménez");
  await signIn("waiter");
  await offer.getByRole("button", { name: "Poner clave" }).tap();
  for (const _ of ["first", "again"]) await typePin(page, "4826");
  await expect(page.getByText("Clave guardada")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // On another device, where the offer was never answered, none appears either: she has a PIN.
  const other = await open({ name: "ofrece-otra", isNew: true });
  const peopleResponse = other.waitForResponse(/\/terminal\/v1\/people/);
  await other.getByLabel("Usuario").fill("waiter");
  await other.getByLabel("Contraseña").fill("waiter");
  await other.getByRole("button", { name: "Entrar", exact: true }).tap();
  await peopleResponse;
  await expect(other.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await resetPin(restaurant, "Wendy Almonte");
});

test("the kitchen screen offers nobody a PIN [TOUCH-402]", async ({ open }) => {
  const page = await open({ name: "cocina-clave", isNew: true });
  await page.evaluate(() => (location.hash = "#/kitchen"));
  const people = page.waitForResponse(/\/terminal\/v1\/people/);
  await page.getByLabel("Usuario").fill("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar", exact: true }).tap();
  await people;
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // On the floor the device counts as her own again.
  await page.evaluate(() => (location.hash = "#/floor"));
  await expect(page.getByRole("dialog", { name: "¿Quiere una clave (PIN)?" })).toBeVisible();
});

test("switching the person leads to the sign-in form when nobody else has a PIN [TOUCH-361]", async ({ open }) => {
  const page = await open({ name: "sin-claves" });
  await page.getByRole("button", { name: /^Trabaja / }).tap();
  await page.getByRole("button", { name: "Entrar con otro usuario" }).tap();
  await expect(page.getByRole("dialog").getByLabel("Usuario")).toBeVisible();
});

test("the hub's page without a path links a phone to the terminal [TOUCH-362]", async ({ open, restaurant }) => {
  const page = await open({ name: "perdido", isNew: true });
  await page.goto(terminalUrl(restaurant, "/"));
  await page.getByRole("link", { name: "Soy mesero · abrir el terminal" }).tap();
  await expect(page.getByLabel("Usuario")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/terminal/");
});
