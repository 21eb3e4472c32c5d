import { emulateOldestBrowser, emulateUnsupportedBrowser } from "../../support/old-browser.ts";
import { allScreens } from "../support/all-screens.ts";
import { expect, test } from "../support/screen-test.ts";

test("every screen works in the oldest supported browser [UI-926]", async ({ page, open, dinner }) => {
  test.setTimeout(240_000);
  await page.addInitScript(emulateOldestBrowser);
  await open("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  for (const { name, address, en } of allScreens) {
    await open(address);
    await expect(page.getByText(en).first(), name).toBeVisible();
  }
  // The page also validates an address that a person types.
  await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await page.getByRole("textbox", { name: "Address (http or https)" }).fill(`${dinner.receiver.url}/old-browser`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "The secret, shown only once" })).toBeVisible();
});

for (const [name, address] of [
  ["the screens", "/"],
  ["the terminal", "/terminal/"],
]) {
  test(`${name} say that a browser is too old [UI-926]`, async ({ browser, dinner }) => {
    const page = await browser.newPage();
    await page.addInitScript(emulateUnsupportedBrowser);
    await page.goto(`${dinner.restaurant.hubUrl}${address}`);
    await expect(page.getByText("This browser is too old. Update it: Chrome 119, Safari 17.4 or newer.")).toBeVisible();
    await page.close();
  });
}
