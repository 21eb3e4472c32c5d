import { expect, terminalUrl, test } from "./touch-test.ts";

test("[TOUCH-360] the form says whose restaurant it is, and keeps the user after a wrong password", async ({
  open,
  restaurant,
}) => {
  const answer = await fetch(new URL("/terminal/v1/hub", restaurant.hubUrl));
  const { name } = (await answer.json()) as { name: string };
  const page = await open({ name: "primero", isNew: true, refusalsExpected: true });
  await expect(page.locator(".gate-house")).toHaveText(name);
  await page.getByLabel("Usuario").fill("waiter");
  await page.getByLabel("Contraseña").fill("equivocada");
  await page.getByRole("button", { name: "Entrar" }).tap();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("Usuario")).toHaveValue("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar" }).tap();
  await expect(page.getByText("Wendy Almonte")).toBeVisible();
});

test("[TOUCH-361] where nobody else has a PIN, changing who works leads to the sign-in", async ({ open }) => {
  const page = await open({ name: "sin-claves" });
  await page.getByRole("button", { name: /^Trabaja / }).tap();
  await page.getByRole("button", { name: "Entrar con otro usuario" }).tap();
  await expect(page.getByRole("dialog").getByLabel("Usuario")).toBeVisible();
});

test("[TOUCH-362] a phone that opened the hub's address without a path is led to the terminal", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "perdido", isNew: true });
  await page.goto(terminalUrl(restaurant, "/"));
  await page.getByRole("link", { name: "Soy mesero · abrir el terminal" }).tap();
  await expect(page.getByLabel("Usuario")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/terminal/");
});
