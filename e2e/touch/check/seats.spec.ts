import type { Page } from "@playwright/test";
import { expect, test } from "../support/touch-test.ts";

const labels = { es: /^asiento 2$/i, en: /^seat 2$/i } as const;
const go = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), `#${address}`);

for (const [language, word] of Object.entries(labels) as ["es" | "en", RegExp][]) {
  test(`a seat has the same name on the check, in the split and in the kitchen (${language}) [TOUCH-376]`, async ({
    open,
  }) => {
    const table = language === "es" ? 28 : 29;
    const page = await open({ name: `asientos-${language}`, kind: "pc", language });
    await go(page, `/table/${table}`);
    const tile = page.locator(".tile").filter({ hasText: "Tostones con salsa de ajo" });
    await tile.click({ button: "right" });
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByRole("group", { name: language === "es" ? "Asiento" : "Seat" })).toBeVisible();
    await sheet.getByRole("button", { name: language === "es" ? "Cerrar" : "Close" }).tap();
    await page.getByRole("button", { name: language === "es" ? "1 persona" : "1 guest" }).tap();
    await page.getByRole("button", { name: language === "es" ? "Una persona más" : "One guest more" }).tap();
    await page
      .getByRole("group", { name: language === "es" ? "Asiento" : "Seat" })
      .getByRole("button", { name: word })
      .tap();
    await tile.tap();
    const row = page.locator(".line").filter({ hasText: "Tostones" });
    await expect(row.getByText(word)).toBeVisible();
    await row.tap();
    await page.getByRole("button", { name: /^(Cambiar|Change) Tostones/ }).tap();
    await expect(sheet.getByRole("button", { name: word })).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^(Enviar|Send) · / }).tap();
    await page.getByRole("link", { name: new RegExp(`^Mesa ${table - 27} `) }).tap();
    await expect(row.getByText(/^(Enviado|Sent)/)).toBeVisible();
    await expect(row.getByText(word)).toBeVisible();
    await page.getByRole("button", { name: language === "es" ? "Dividir" : "Split" }).tap();
    await expect(sheet.last().getByText(word)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);

    await go(page, "/kitchen");
    await expect(page.getByRole("article", { name: `Mesa ${table - 27}`, exact: true }).getByText(word)).toBeVisible();
  });
}
