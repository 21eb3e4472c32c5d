import { allScreens } from "./all-screens.ts";
import { expect, seriousIssues, test } from "./screen-test.ts";

for (const { language, locale } of [
  { language: "es", locale: "es-DO" },
  { language: "en", locale: "en-US" },
] as const) {
  test.describe(`in ${language}`, () => {
    test.use({ locale });
    test.setTimeout(180_000);
    test("[UI-6] [UI-24] every screen opens, without an error in the browser", async ({ open, page }) => {
      for (const { name, address, [language]: sign } of allScreens) {
        await test.step(name, async () => {
          await open(address);
          await expect.soft(page.getByText(sign).first(), name).toBeVisible();
        });
      }
      await expect(page.locator("html")).toHaveAttribute("lang", language);
    });
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, locale: "es-DO" });
    test.setTimeout(240_000);
    test("[UI-10] axe finds nothing serious on any screen", async ({ open, page }) => {
      for (const { name, address, es } of allScreens) {
        await test.step(name, async () => {
          await open(address);
          await expect.soft(page.getByText(es).first(), name).toBeVisible();
          expect.soft(await seriousIssues(page), name).toEqual([]);
        });
      }
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    });
  });
}
