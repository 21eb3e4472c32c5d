import { expect, test } from "@playwright/test";
import { openRestaurant } from "../../support/restaurant.ts";
import { createOperator } from "../support/operator.ts";

test("before the first answer of the back-office the register is shown as not read, not as closed [UI-525]", async ({
  page,
}) => {
  const restaurant = await openRestaurant({ ERP_URL: "http://127.0.0.1:9" });
  await page.goto(`${restaurant.hubUrl}/#/`);
  const banner = page.getByRole("banner");
  await expect(banner.getByText("Register not read yet")).toBeVisible();
  await expect(banner.getByText("Register closed")).toHaveCount(0);
  await expect(page.getByText("not read from the back-office yet")).toBeVisible();
  await restaurant.close();
});

test("an empty list links to the screen where its content is set up [UI-526]", async ({ page }) => {
  const restaurant = await openRestaurant();
  const { token, user } = await createOperator(restaurant);
  await page.addInitScript(
    (stored) => sessionStorage.setItem("comanda-session", stored),
    JSON.stringify({ token, user }),
  );
  const steps = [
    { from: "/tills", link: "Go to Tills", to: "/tills/tills" },
    { from: "/printers/routes", link: "Connect a terminal", to: "/terminals/connect" },
    { from: "/integrations/tools", link: "Go to Webhooks", to: "/integrations/webhooks" },
  ];
  for (const { from, link, to } of steps) {
    await page.goto(`${restaurant.hubUrl}/#${from}`);
    await page.getByRole("main").getByRole("link", { name: link }).click();
    await expect(page).toHaveURL(`${restaurant.hubUrl}/#${to}`);
  }
  // With a till set up, the next step is the cashiers'.
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "Caja 1", terminals: [] });
  expect((await fetch(`${restaurant.hubUrl}/operator/v1/tills`, { method: "POST", headers, body })).ok).toBe(true);
  await page.goto(`${restaurant.hubUrl}/#/tills`);
  await expect(page.getByText("Cashiers open their shift on the terminal, under Till.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to Tills" })).toHaveCount(0);
  await restaurant.close();
});
