import { allScreens } from "../support/all-screens.ts";
import { expect, test } from "../support/screen-test.ts";

// Uses its own dinner: activity of other specs would push the expected line of the audit log out of view.
test.use({ ownDinner: "smoke" });

for (const { language, locale } of [
  { language: "es", locale: "es-DO" },
  { language: "en", locale: "en-US" },
] as const) {
  test.describe(`in ${language}`, () => {
    test.use({ locale });
    test.setTimeout(180_000);
    const walk = { tag: language === "es" ? "@walk" : [] };
    test("every screen opens without an error in the browser [UI-6] [UI-24]", walk, async ({ open, page }) => {
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
