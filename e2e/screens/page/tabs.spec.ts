import { expect, test } from "../support/screen-test.ts";

test("a sign-in applies to every tab of the browser but not to local storage or cookies [UI-239]", async ({
  openPublic,
  page,
  context,
}) => {
  await openPublic("/orders");
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("manager");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();

  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();
  // The second tab stays signed in when the first one reloads, and after its own reload.
  await second.reload();
  await expect(second.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();
  expect(await second.evaluate(() => [...Object.values(localStorage), document.cookie].join(" "))).not.toContain(
    await second.evaluate(() => JSON.parse(sessionStorage.getItem("comanda-session") ?? "{}").token as string),
  );

  await second.getByRole("button", { name: "Account of Marisol Peña" }).click();
  await second.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("POS/2026/00001")).toHaveCount(0);

  // A tab that shows the sign-in opens when another tab signs in.
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("manager");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(second.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();
});
