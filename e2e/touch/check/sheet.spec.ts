import { expect, test } from "../support/touch-test.ts";

test("a sheet traps the focus, closes by Escape or a tap beside it, and returns the focus [TOUCH-171]", async ({
  open,
}) => {
  const page = await open({ name: "hojas", kind: "tablet" });
  const opener = page.getByRole("button", { name: "Número de mesa" });
  const sheet = page.getByRole("dialog", { name: "Número de mesa" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(sheet).toBeVisible();
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    // After the last element the focus goes to the browser, never to the page behind the sheet.
    expect(await page.evaluate(() => document.activeElement?.closest("dialog, body")?.tagName)).toMatch(/DIALOG|BODY/);
    expect(await page.evaluate(() => document.activeElement?.closest("#root") ?? null)).toBeNull();
  }
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.tap();
  await expect(sheet).toBeVisible();
  await page.touchscreen.tap(40, 600);
  await expect(sheet).toHaveCount(0);
});
