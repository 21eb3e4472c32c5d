import { allScreens } from "./all-screens.ts";
import { expect, seriousIssues, test } from "./screen-test.ts";

for (const { language, locale } of [
  { language: "es", locale: "es-DO" },
  { language: "en", locale: "en-US" },
] as const) {
  test.describe(`in ${language}`, () => {
    test.use({ locale });
    for (const { name, address, [language]: sign } of allScreens) {
      test(`[UI-6] [UI-24] shows ${name}`, async ({ open }) => {
        const page = await open(address);
        await expect(page.getByText(sign, { exact: false }).first()).toBeVisible();
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        // A key that has no text would be shown as it is.
        await expect(page.getByText(/\b(service|orders|terminals|backOffice|common|system):[a-z]/i)).toHaveCount(0);
      });
    }
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme, locale: "es-DO" });
    for (const { name, address, es } of allScreens) {
      test(`[UI-10] axe finds nothing serious on ${name}`, async ({ open }) => {
        const page = await open(address);
        await expect(page.getByText(es, { exact: false }).first()).toBeVisible();
        expect(await seriousIssues(page)).toEqual([]);
      });
    }
  });
}
