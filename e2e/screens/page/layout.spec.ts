import { allScreens } from "../support/all-screens.ts";
import { overflowOf, layoutSettled, show, sizes } from "../support/layout.ts";
import { addLongNames } from "../support/long-names.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";
import { online } from "../../support/restaurant.ts";

test.use({ ownDinner: "long names", locale: "es-DO", refusalsExpected: true });

test.beforeAll(({ dinner }) => addLongNames(dinner));

/** The check with the longest names. */
const longNames = { name: "long names", address: "/orders/POS%2F2026%2F00018", es: "Se abrió la cuenta" };

/** Each size, and each theme at a narrow and a wide size: axe's findings on layout do not depend on the colours. */
const looks = [
  { size: sizes[0], colorScheme: "light" },
  { size: sizes[2], colorScheme: "light" },
  { size: sizes[1], colorScheme: "dark" },
  { size: sizes[3], colorScheme: "dark" },
] as const;
/** Widths between those sizes, at which columns just fit or just do not. */
const widthsBetween = [700, 900, 1024, 1200];

test("every screen fits its window, and axe finds nothing serious, at every size @looks [UI-10] [UI-230] [UI-240]", async ({
  open,
  page,
}) => {
  test.setTimeout(400_000);
  for (const { name, address, es } of [...allScreens, longNames]) {
    await test.step(name, async () => {
      await open(address);
      await expect.soft(page.getByRole("main").getByText(es).first(), name).toBeVisible();
      for (const { size, colorScheme } of looks) {
        await show(page, size, colorScheme);
        const look = `${name} at ${size.width} px, ${colorScheme}`;
        expect.soft(await overflowOf(page), look).toEqual([]);
        expect.soft(await seriousIssues(page), look).toEqual([]);
      }
      for (const width of widthsBetween) {
        await page.setViewportSize({ width, height: 768 });
        await layoutSettled(page);
        expect.soft(await overflowOf(page), `${name} at ${width} px`).toEqual([]);
      }
    });
  }
});

test("table rows stack where their columns do not fit, and their actions stay in reach [UI-231]", async ({ open }) => {
  const page = await open("/terminals");
  const row = page.getByRole("row", { name: /tablet-7/ });
  const header = page.getByRole("columnheader", { name: "Estado" });
  await expect(header).toBeInViewport();
  for (const size of sizes.slice(0, 2)) {
    await page.setViewportSize(size);
    await expect(page.locator("table.stacked")).toBeVisible();
    // The headers stay in the table for screen readers, and labels beside each value are visible.
    await expect(header).toHaveCount(1);
    await expect(row.locator('[data-label="Sin enviar"]')).toContainText("3 cambios");
    await row.getByRole("button", { name: "Acciones para tablet-7" }).click();
    await expect(page.getByRole("menuitem", { name: "Olvidar" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
  }
});

test("a field in a stacked row cuts no value on a phone [UI-1260]", async ({ open }) => {
  const page = await open("/printers/routes");
  await page.setViewportSize(sizes[0]);
  const fields = page.locator("table.stacked input");
  await expect(fields.first()).toBeVisible();
  const cut = await fields.evaluateAll((inputs) =>
    inputs.filter((input) => input.scrollWidth > input.clientWidth).map((input) => (input as HTMLInputElement).value),
  );
  expect(cut).toEqual([]);
});

test("rows are stacked before a narrower window is painted, and when their content grows too wide [UI-1250]", async ({
  open,
}) => {
  const page = await open("/terminals");
  const row = page.getByRole("row", { name: /tablet-7/ });
  await expect(row).toBeVisible();
  await expect(page.locator("table.stacked")).toHaveCount(0);
  await page.evaluate(() => {
    addEventListener("resize", () => {
      // Runs before the paint of the same frame.
      requestAnimationFrame(() => {
        document.body.dataset["stackedAtPaint"] ??= String(document.querySelector("table.stacked") !== null);
      });
    });
  });
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(page.locator("body")).toHaveAttribute("data-stacked-at-paint", "true");

  await page.setViewportSize({ width: 1366, height: 768 });
  await expect(page.locator("table.stacked")).toHaveCount(0);
  await row
    .getByRole("cell")
    .first()
    .evaluate((cell) => {
      const long = document.createElement("span");
      long.style.whiteSpace = "nowrap";
      long.textContent = "Terminal de la terraza grande ".repeat(12);
      cell.append(long);
    });
  await expect(page.locator("table.stacked")).toHaveCount(1);
});

test("account, language and theme stay in reach on a phone and at 200 % zoom [UI-232]", async ({ open }) => {
  const page = await open("/orders");
  for (const size of [
    { width: 390, height: 844 },
    { width: 683, height: 384 },
  ]) {
    await page.setViewportSize(size);
    const banner = page.getByRole("banner");
    for (const text of ["La Terraza", /^POS\/\d+$/]) {
      await expect(banner.getByText(text)).toBeInViewport({ ratio: 1 });
    }
    await banner.getByRole("button", { name: "Usuario, idioma y tema" }).click();
    await expect(page.getByText("Marisol Peña · Gerente")).toBeVisible();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await expect(page.getByRole("heading", { name: "Checks" })).toBeVisible();
    await banner.getByRole("button", { name: "Account, language and theme" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await banner.getByRole("button", { name: "Account, language and theme" }).click();
    await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeInViewport({ ratio: 1 });
    await page.getByRole("menuitemradio", { name: "Español" }).click();
  }
  // A low window scrolls, so that a list in it keeps a usable height.
  const list = page.getByRole("region", { name: "Lista de cuentas" });
  expect((await list.boundingBox())?.height).toBeGreaterThan(250);
});

test("the session beside a long restaurant name is shown in full [UI-519]", async ({ open, dinner }) => {
  await dinner.restaurant.killHub();
  await dinner.restaurant.startHub({ HUB_NAME: "Parador Turístico y Restaurante Hermanas Villa Consuelo I" });
  const page = await open("/orders");
  const session = page.getByRole("banner").getByText(/^POS\/\d+$/);
  for (const width of [390, 1000, 1100, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await layoutSettled(page);
    expect(await session.evaluate((text) => text.scrollWidth - text.clientWidth), `at ${width} px`).toBeLessThanOrEqual(
      0,
    );
    expect(await overflowOf(page), `at ${width} px`).toEqual([]);
  }
  await dinner.restaurant.killHub();
  await dinner.restaurant.startHub();
});

test("the banner takes at most three lines on a phone [UI-233]", async ({ open }) => {
  const page = await open("/");
  await page.setViewportSize(sizes[0]);
  const says = page.locator(".sentence-says");
  await expect(says).toBeVisible();
  const lines = await says.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
  );
  expect(Math.round(lines)).toBeLessThanOrEqual(3);
});

for (const [locale, inKitchen] of [
  ["es-DO", "En cocina"],
  ["en-US", "In the kitchen"],
] as const) {
  test.describe(locale, () => {
    test.use({ locale });

    test(`the wall (${locale}) is readable from three metres, overflows nowhere and shows no amount [UI-234]`, async ({
      open,
    }) => {
      const page = await open("/wall");
      const main = page.getByRole("main");
      await expect(main.getByText(inKitchen).first()).toBeVisible();
      for (const size of [
        { width: 1920, height: 1080 },
        { width: 3840, height: 2160 },
      ]) {
        await page.setViewportSize(size);
        await layoutSettled(page);
        const { smallest, cut } = await main.evaluate((wall) => {
          const texts = [...wall.querySelectorAll("*")].filter(
            (element) =>
              element.closest(".visually-hidden, .wall-foot") === null &&
              [...element.childNodes].some(
                (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
              ),
          );
          const overflows = (element: Element) =>
            element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
          return {
            smallest: Math.min(...texts.map((element) => Number.parseFloat(getComputedStyle(element).fontSize))),
            cut: [...wall.querySelectorAll(".table-card, .tile, .panel, .sentence"), wall]
              .filter(overflows)
              .map((element) => element.textContent),
          };
        });
        expect(smallest, `at ${size.width} px`).toBeGreaterThanOrEqual(size.height * 0.024);
        expect(cut, `at ${size.width} px`).toEqual([]);
      }
      const shown = await main.innerText();
      for (const secret of ["RD$", "DOP", "POS/", "Wendy", "María", "Marisol"]) expect(shown).not.toContain(secret);
    });
  });
}

test("a printed screen is black on white with every row and without navigation or buttons [UI-238]", async ({
  open,
  dinner,
}) => {
  // Adds more log lines than fit into a window.
  for (let count = 0; count < 25; count += 1) {
    const terminal = await dinner.restaurant.terminal("de-papel");
    await online(terminal);
    await terminal.stop();
  }
  const page = await open("/system/logs");
  await page.setViewportSize({ width: 1366, height: 500 });
  const list = page.getByRole("table");
  const rows = page.getByRole("row");
  const missing = async () => Number(await list.getAttribute("aria-rowcount")) - (await rows.count());
  await expect(rows.nth(5)).toBeVisible();
  await expect.poll(missing).toBeGreaterThan(0);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(missing).toBe(0);
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("searchbox")).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return { color, backgroundColor };
  });
  expect(colours).toEqual({ color: "rgb(0, 0, 0)", backgroundColor: "rgb(255, 255, 255)" });
  // Rows must not overlap, and none may exceed the sheet.
  const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect));
  expect(boxes.slice(2).every((box, index) => box.top >= (boxes[index + 1]?.bottom ?? 0) - 1)).toBe(true);
  expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(1366);
});
