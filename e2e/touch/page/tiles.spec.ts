import type { Page } from "@playwright/test";
import { devices, expect, test, type DeviceKind } from "../support/touch-test.ts";

const columns = { phone: 3, tablet: 4, pc: 6 } as const;
const go = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), `#${address}`);

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`tiles fill the width in the colours of their categories (${kind}) [TOUCH-373] [TOUCH-374]`, async ({
    open,
  }) => {
    const page = await open({ name: `azulejos-${kind}`, kind });
    await go(page, "/table/28");
    const edgeColors: string[] = [];
    for (const category of ["Entradas", "Platos fuertes", "Bebidas", "Postres"]) {
      const tab = page.getByRole("tab", { name: category, exact: true });
      await tab.tap();
      await expect(tab).toHaveAttribute("aria-selected", "true");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
        const [edge = "", ...others] = await page
          .locator(".tile")
          .evaluateAll((tiles) => [...new Set(tiles.map((tile) => getComputedStyle(tile).borderLeftColor))]);
        expect(others).toEqual([]);
        expect(await tab.evaluate((each) => getComputedStyle(each).borderLeftColor)).toBe(edge);
        edgeColors.push(edge);
        expect(Math.min(...(await contrasts(page)))).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(new Set(edgeColors).size).toBe(edgeColors.length);

    await page.getByRole("tab", { name: "Platos fuertes" }).tap();
    const boxes = await page.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect()));
    const [first] = boxes;
    expect(boxes.filter(({ y }) => y === first?.y)).toHaveLength(columns[kind]);
    // There must be no empty column at the right.
    const right = Math.max(...boxes.map((box) => box.right));
    expect(devices[kind].width - right).toBeLessThanOrEqual(16);

    const marked = page.locator(".tile").filter({ has: page.getByLabel("se puede elegir") });
    await expect(marked.locator(".tile-name")).toHaveText(["Mofongo de camarones", "Pollo a la plancha", "Churrasco"]);
  });
}

for (const [index, width] of [360, 390, 820, 1366].entries()) {
  test(`the count on a tile does not cover its price (${width}) [TOUCH-606]`, async ({ open }) => {
    const page = await open({ name: `cuenta-${width}`, kind: "pc" });
    await page.setViewportSize({ width, height: 844 });
    await go(page, `/table/${33 + index}`);
    await page.getByRole("tab", { name: "Platos fuertes" }).tap();
    const marked = page.locator(".tile").filter({ has: page.getByLabel("se puede elegir") });
    for (let taps = 1; taps <= 10; taps += 1) {
      await marked.first().tap();
      await expect(marked.first().locator(".tile-count")).toContainText(String(taps));
    }
    const covered = await marked.evaluateAll((tiles) => {
      const counted = tiles[0]!.querySelector(".tile-count")!;
      return tiles.filter((tile) => {
        const price = document.createRange();
        price.selectNodeContents(tile.querySelector(".tile-price")!);
        // The other tiles, which have higher prices, get the same count.
        if (!tile.contains(counted)) tile.append(counted.cloneNode(true));
        const count = tile.querySelector(".tile-count")!.getBoundingClientRect();
        return [...price.getClientRects()].some((box) => box.right > count.left && box.bottom > count.top);
      }).length;
    });
    expect(covered).toBe(0);
  });
}

test("on a phone the tiles, categories, search and bar are in the lower 60 % of the screen [TOUCH-375]", async ({
  open,
}) => {
  const page = await open({ name: "pulgar" });
  await go(page, "/table/29");
  await page.getByRole("tab", { name: "Entradas" }).tap();
  const { height } = devices.phone;
  const parts = [
    page.locator(".tile"),
    page.getByRole("tab"),
    page.getByRole("searchbox", { name: "Buscar plato" }),
    page.getByRole("button", { name: /^Cobrar/ }),
  ];
  for (const part of parts) {
    await expect(part.first()).toBeVisible();
    const tops = await part.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(Math.min(...tops)).toBeGreaterThanOrEqual(height * 0.4);
  }
  // A long category starts with its first dish and can be scrolled to its end.
  await page.getByRole("tab", { name: "Platos fuertes" }).tap();
  await page.setViewportSize({ width: 390, height: 560 });
  await expect(page.locator(".tile").first()).toBeInViewport({ ratio: 1 });
  await page.locator(".tile").last().scrollIntoViewIfNeeded();
  await expect(page.locator(".tile").last()).toBeInViewport({ ratio: 1 });
});

test("a dish can be added as it was last ordered with one tap in its choices, also after a reload [TOUCH-377]", async ({
  open,
}) => {
  const page = await open({ name: "como-antes", kind: "tablet" });
  await go(page, "/table/30");
  await page.getByRole("tab", { name: "Platos fuertes" }).tap();
  const steak = page.locator(".tile").filter({ hasText: "Churrasco" });
  const sheet = page.getByRole("dialog");
  const before = sheet.getByRole("region", { name: "Como antes" });
  await steak.click({ button: "right" });
  await expect(before).toHaveCount(0);
  await sheet.getByRole("button", { name: "Término medio" }).tap();
  await sheet.getByRole("button", { name: "Chimichurri" }).tap();
  await sheet.getByRole("button", { name: "Sin sal" }).tap();
  await sheet.getByRole("button", { name: "Maní" }).tap();
  await sheet.getByRole("button", { name: /^Agregar/ }).tap();
  await expect(page.locator(".line")).toHaveCount(1);
  await page.reload();
  await page.getByRole("tab", { name: "Platos fuertes" }).tap();
  await steak.click({ button: "right" });
  await before.getByRole("button", { name: "Término medio, Chimichurri, Sin sal" }).tap();
  await expect(sheet).toHaveCount(0);
  const added = page.locator(".line").last();
  await expect(added).toContainText("Término medio, ChimichurriSin sal");
  await expect(added).not.toContainText("ALERGIA");
});

/** Returns the contrast of each tile's name and price with their background. */
function contrasts(page: Page): Promise<number[]> {
  return page.locator(".tile").evaluateAll((tiles) => {
    const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return tiles.flatMap((tile) =>
      [...tile.querySelectorAll(".tile-name, .tile-price")].map((text) => {
        const [one, other] = [getComputedStyle(text).color, getComputedStyle(tile).backgroundColor].map(luminance);
        const [dark = 0, light = 0] = [one ?? 0, other ?? 0].toSorted((a, b) => a - b);
        return (light + 0.05) / (dark + 0.05);
      }),
    );
  });
}

test("a key typed as soon as the tiles are shown goes to the search [TOUCH-20]", async ({ open }) => {
  const page = await open({
    name: "tecla-temprana",
    kind: "pc",
    before: () => {
      new MutationObserver((_, observer) => {
        if (document.querySelector(".tile") === null) return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
      }).observe(document, { childList: true, subtree: true });
    },
  });
  await go(page, "/takeaway/new");
  await expect(page.locator(".tile").first()).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Buscar plato" })).toBeFocused();
});
