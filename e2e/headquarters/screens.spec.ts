import { readFile } from "node:fs/promises";
import { DAY_MS } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { doubleLetters, overflowOf, show, sizes } from "../screens/support/layout.ts";
import { emulateOldestBrowser, emulateUnsupportedBrowser } from "../support/old-browser.ts";
import { seriousIssues } from "../screens/support/screen-test.ts";
import { expect, test } from "./chain-test.ts";

const addresses = ["/", "/sales", "/alerts", "/proposals/new", "/restaurants/r0003", "/fleet", "/people"] as const;

test.describe("sign-in", () => {
  test.use({ refusalsExpected: true });

  test(
    "an owner signs in and sees the chain, with problems first and how many restaurants are up to date [HQ-160, HQ-163]",
    { tag: "@walk" },
    async ({ page }) => {
      await page.goto("/");
      await page.getByLabel("Usuario").fill("Rosa");
      await page.getByLabel("Contraseña").fill("no es esta");
      await page.getByRole("button", { name: "Entrar" }).click();
      await expect(page.getByRole("alert")).toContainText("no es correcto");
      await page.getByLabel("Contraseña").fill("una clave larga");
      await page.getByRole("button", { name: "Entrar" }).click();
      // The ninth restaurant is silent, which shows once headquarters have listened for a minute.
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^[89] sucursales con problemas$/);
      await expect(page.getByText(/^498 de 501 sucursales al día, a las? \d/)).toBeVisible();
      const rows = page
        .getByRole("list", { name: "Sucursales, primero las que tienen problemas" })
        .getByRole("listitem");
      await expect(rows.first()).toContainText("Bonao 10");
      await expect(rows.first()).toContainText("Sin NCF");
      await page.getByText(/^498 de 501/).click();
      await expect(page.getByRole("link", { name: "Las Terrenas" }).first()).toBeVisible();
      await page.getByRole("button", { name: "Rosa Peña" }).click();
      await page.getByRole("button", { name: "English" }).click();
      await expect(page.getByRole("link", { name: "Fleet" })).toBeVisible();
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    },
  );
});

test("the list of five hundred restaurants renders only visible rows, and the search finds each [HQ-161]", async ({
  open,
  page,
}) => {
  await open("/");
  await page.getByText("Bonao 10").first().waitFor();
  const rows = page.getByRole("list", { name: /^Sucursales, primero/ }).getByRole("listitem");
  expect(await rows.count()).toBeLessThan(40);
  await page.getByRole("searchbox").fill("bavaro 166");
  await expect(rows).toHaveCount(1);
});

test("the fleet page lists restaurants by name and counts them by version [HQ-130]", async ({ chain, open, page }) => {
  // Other tests may have removed some.
  const current = await chain.database.query(
    `SELECT FROM restaurants JOIN beats ON restaurant_id = id WHERE hub_id IS NOT NULL AND body->>'version' = '1.4.0'`,
  );
  expect(current.length).toBeGreaterThan(480);
  await open("/fleet");
  const rows = page.getByRole("list", { name: "Sucursales y sus equipos" }).getByRole("listitem");
  await expect(rows.first()).toContainText("Azua 18");
  await expect(page.getByRole("button", { name: `1.4.0 ${current.length} sucursales` })).toBeVisible();
  await page.getByRole("button", { name: "1.3.2 2 sucursales" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("6 h");
});

test("the sales page names restaurants with missing data and sums the dishes that are not listed [HQ-211, HQ-212, HQ-213]", async ({
  chain,
  open,
  page,
}) => {
  const { database } = chain;
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  await database.query(
    `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, at) VALUES ('r0074', 'epoch', 1, 9, $1, now())`,
    [JSON.stringify({ kind: "not_sent", from: "2020-01-01", to: "2120-01-01" })],
  );
  await database.query(
    `INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
     SELECT 'r0074', $1, 'x' || n, 'Plato raro ' || n, 10000, 5000 FROM generate_series(1, 500) AS n`,
    [day],
  );
  try {
    await open("/sales");
    await page.getByText(/^498 de 501 sucursales al día, .*; a 1 le faltan datos$/).click();
    await expect(
      page.getByRole("listitem").filter({ hasText: /^Baní 74, lo cerrado del 1 ene de 2020/ }),
    ).toBeVisible();
    await page.getByLabel("Desde").fill(day);
    await expect(page.getByText("Otros 60 platos vendieron RD$3,000 en total.")).toBeVisible();
    await page.getByLabel("Sucursal", { exact: true }).selectOption("r0004");
    await expect(page.getByText(/^La sucursal está al día, a las? \d/)).toBeVisible();
  } finally {
    await database.query("DELETE FROM holes WHERE restaurant_id = 'r0074'");
    await database.query("DELETE FROM sales_products WHERE product_id LIKE 'x%'");
  }
});

test("the chain page shows a restaurant's new state without a reload [HQ-162]", async ({ chain, open, page }) => {
  await open("/");
  await page.getByRole("searchbox").fill("Baní 74");
  const row = page.getByRole("listitem").filter({ hasText: "Baní 74" });
  await expect(row).toContainText("RD$96,241");
  await chain.say("r0074", { paidTotal: 123_456, lossesOpen: 1 });
  await expect(row).toContainText("RD$123,456");
  await expect(row).toContainText("Pérdidas");
  await chain.say("r0074", {});
  await expect(row).not.toContainText("Pérdidas");
});

test("a page whose line is cut without an error says since when it hears nothing, and is live again afterwards [HQ-162]", async ({
  open,
  page,
}) => {
  await page.clock.install();
  await open("/");
  const live = page.getByText("En vivo");
  await expect(live).toBeVisible();
  // Accepted and never answered, as on a line without Wi-Fi.
  await page.route("**/hq/v1/events", () => undefined);
  await page.clock.fastForward("41");
  await expect(page.getByText(/^Sin conexión con la central desde las? \d/)).toBeVisible();
  await page.unroute("**/hq/v1/events");
  await page.clock.fastForward("41");
  await expect(live).toBeVisible();
});

test("a region sees only its own groups, and no action that its role does not allow [HQ-164]", async ({
  chain,
  open,
  page,
}) => {
  await chain.addPerson({ login: "sur", role: "region", groups: ["Sur"] });
  await open("/", "sur");
  await expect(page.getByText(/de 50 sucursales$/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Usuarios" })).toHaveCount(0);
  await page.getByRole("searchbox").fill("Gazcue 3");
  await expect(page.getByText("Ninguna sucursal es así")).toBeVisible();
  await page.getByRole("link", { name: "Equipos" }).click();
  await expect(page.getByRole("heading", { name: "Equipos" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Agregar sucursal" })).toHaveCount(0);
  await page.getByRole("link", { name: /Azua 474/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Azua 474/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Administrar" })).toHaveCount(0);
});

test("the address of the sales page holds days, group and restaurant, so that back, reload and links restore them [HQ-362]", async ({
  chain,
  open,
  page,
}) => {
  await chain.addPerson({ login: "sur-y-este", role: "region", groups: ["Sur", "Este"] });
  await open("/sales");
  await page.getByRole("button", { name: "7 días" }).click();
  await page.getByLabel("Grupo").selectOption("Sur");
  const isShown = async () => {
    await expect(page.getByRole("button", { name: "7 días" })).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByLabel("Grupo")).toHaveValue("Sur");
    await expect(page.getByText(/ 50 sucursales al día/)).toBeVisible();
  };
  await isShown();
  const link = page.url();
  await page.getByRole("link", { name: /Azua/ }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: /Azua/ })).toBeVisible();
  await page.goBack();
  await isShown();
  await page.reload();
  await isShown();
  await open("/", "sur-y-este");
  await page.goto(link.replace("?", "?sent-by=mail&"));
  await isShown();
  // Nothing is shown of a group without access, and the page does not claim that this is all.
  await page.goto(link.replace("group=Sur", "group=Norte&restaurant=r0001"));
  await expect(page.getByText("No hay ventas en estos días.")).toBeVisible();
  await expect(page.getByLabel("Grupo")).toHaveValue("Norte");
  await expect(page.getByLabel("Sucursal")).toHaveValue("r0001");
});

test("the address holds the search and group of a list, and each screen starts without them [HQ-362]", async ({
  open,
  page,
}) => {
  await open("/sales");
  await page.getByLabel("Grupo").selectOption("Sur");
  await page.getByRole("link", { name: "Ahora" }).click();
  await expect(page.getByLabel("Grupo")).toHaveValue("");
  await page.getByLabel("Grupo").selectOption("Sur");
  await page.getByRole("searchbox").pressSequentially("azua 474");
  const row = page.getByRole("listitem").filter({ hasText: "Azua 474" });
  const isShown = async () => {
    await expect(page.getByRole("searchbox")).toHaveValue("azua 474");
    await expect(page.getByLabel("Grupo")).toHaveValue("Sur");
    await expect(row).toHaveAttribute("aria-setsize", "1");
  };
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: /Azua 474/ })).toBeVisible();
  await page.goBack();
  await isShown();
  await page.reload();
  await isShown();
  // One step back leads to the group alone: single letters typed have no history entries.
  await page.goBack();
  await expect(page.getByLabel("Grupo")).toHaveValue("");
  await page.goForward();
  await page.getByRole("searchbox").fill("");
  await page.getByLabel("Grupo").selectOption("");
  await expect(page.getByRole("listitem").first()).toHaveAttribute("aria-setsize", /^50\d$/);
  await page.getByRole("link", { name: "Equipos" }).click();
  await page.getByRole("button", { name: "1.3.2 2 sucursales" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "1.3.2 2 sucursales" })).toHaveAttribute("aria-pressed", "true");
});

test("a search with special characters survives a reload by its address [HQ-362]", async ({ open, page }) => {
  await open("/");
  const typed = "100%25 & Sur? #2 +1";
  await page.getByRole("searchbox").pressSequentially(typed);
  await expect(page.getByRole("searchbox")).toHaveValue(typed);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue(typed);
});

test("a sales link still shows its days when it is opened on another day [HQ-362]", async ({ open, page }) => {
  await open("/sales");
  const day = await page.getByLabel("Hasta").inputValue();
  await page.getByLabel("Grupo").selectOption("Sur");
  const link = page.url();
  await page.clock.setFixedTime(Date.now() + 2 * DAY_MS);
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByLabel("Desde")).toHaveValue(day);
  await expect(page.getByLabel("Hasta")).toHaveValue(day);
});

test("going back restores the place in a list, and an opened page starts at its top [HQ-362]", async ({
  open,
  page,
}) => {
  await open("/");
  const first = page.getByText("Bonao 10", { exact: true });
  const height = () => page.evaluate(() => scrollY);
  await first.waitFor();
  await page.evaluate(() => scrollTo(0, 2700));
  await expect(first).toHaveCount(0);
  await page.locator(".row-line").nth(10).click();
  await expect(page.getByRole("link", { name: "Todas las sucursales" })).toBeVisible();
  await expect.poll(height).toBe(0);
  await page.goBack();
  await expect(page.locator(".row-line").nth(10)).toBeVisible();
  await expect(first).toHaveCount(0);
  await expect.poll(height).toBe(2700);
});

test("the displayed sales are saved as CSV, with the number of restaurants they cover [HQ-404, HQ-586]", async ({
  open,
  page,
}) => {
  await open("/sales");
  await page.getByLabel("Grupo").selectOption("Sur");
  await page.getByRole("button", { name: "Ayer" }).click();
  const day = await page.getByLabel("Desde").inputValue();
  await expect(page.getByText(/^Una semana antes, el /)).toBeVisible();
  await expect(page.getByRole("row", { name: /^Azua/ }).first()).toContainText("%");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Guardar CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`ventas-${day}-${day}.csv`);
  const lines = (await readFile(await file.path(), "utf8")).replace("\uFEFF", "").split("\r\n");
  expect(lines.slice(0, 2)).toEqual([`${day},${day}`, "Grupo,Sur"]);
  expect(lines[2]).toMatch(/^"Las 50 sucursales al día, a las? \d/);
  expect(lines[3]).toMatch(/^"Una semana antes, el .*: RD\$[\d,]+\. Ahora 0\s?%\.","Las 50 sucursales al día/);
  expect(lines[5]).toBe("Cobrado,Cuentas,Personas,Descuentos,Devoluciones,Anulado");
  const paid = Number(lines[6]?.split(",")[0]);
  expect(paid).toBeGreaterThan(0);
  const byRestaurant = lines.slice(lines.indexOf("Por sucursal") + 2, -1);
  expect(byRestaurant).toHaveLength(50);
  for (const column of [2, 3]) {
    expect(byRestaurant.reduce((sum, line) => sum + Number(line.split(",")[column]), 0)).toBeCloseTo(paid, 2);
  }
});

test("a region whose restaurants have never connected is not told that all is well [HQ-403]", async ({
  chain,
  open,
  page,
}) => {
  await chain.database.query("UPDATE restaurants SET groups = '{Samaná}' WHERE id = 'rnuevo'");
  await chain.addPerson({ login: "samana", role: "region", groups: ["Samaná"] });
  try {
    await open("/", "samana");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Todavía no hay ninguna sucursal conectada");
    await expect(page.getByRole("listitem")).toContainText("Sin instalar");
  } finally {
    await chain.database.query("UPDATE restaurants SET groups = '{}' WHERE id = 'rnuevo'");
  }
});

test("a long restaurant name without spaces does not overflow a phone [HQ-165]", async ({ chain, open, page }) => {
  const rename = (name: string) => chain.database.query("UPDATE restaurants SET name = $1 WHERE id = 'r0200'", [name]);
  const [before] = await chain.database.query<{ name: string }>("SELECT name FROM restaurants WHERE id = 'r0200'");
  await rename("Supercalifragilistico".repeat(4).slice(0, 80));
  await page.setViewportSize({ width: 390, height: 844 });
  await open("/restaurants/r0200");
  await expect(page.getByRole("heading", { level: 1, name: /^Supercalifragilistico/ })).toBeVisible();
  expect(await overflowOf(page)).toEqual([]);
  await rename(before?.name ?? "");
});

test.describe("access denied", () => {
  test.use({ refusalsExpected: true });

  test("a page that the role may not see says so under a heading and leads back [HQ-164]", async ({
    chain,
    open,
    page,
  }) => {
    await chain.addPerson({ login: "norte", role: "region", groups: ["Norte"] });
    for (const [address, why] of [
      ["/people", "(FORBIDDEN)"],
      ["/restaurants/r0474", "(NOT_FOUND)"],
      ["/proposals/none", "(NOT_FOUND)"],
    ] as const) {
      await open(address, "norte");
      await expect(page.getByRole("heading", { level: 1, name: "Esto no se puede mostrar" })).toBeVisible();
      await expect(page.getByRole("alert")).toContainText(why);
      await page.getByRole("main").getByRole("link", { name: "Ahora" }).click();
      await expect(page.getByText(/de \d+ sucursales$/)).toBeVisible();
    }
  });
});

test("an owner takes over and releases an alert, and adds a restaurant with a code for its hub [HQ-160]", async ({
  open,
  page,
}) => {
  await open("/alerts");
  const card = page.getByRole("article").filter({ hasText: "Bonao 10" });
  await card.getByRole("button", { name: "Lo atiendo yo" }).click();
  await expect(card).toContainText("Lo atiende Rosa Peña");
  // An immediate second click on the same button is ignored as a double click.
  await expect(async () => {
    await card.getByRole("button", { name: "Dejar de atenderlo" }).click({ timeout: 2_000 });
    await expect(card).not.toContainText("Lo atiende", { timeout: 2_000 });
  }).toPass();
  await page.getByRole("link", { name: "Equipos" }).click();
  await page.getByRole("button", { name: "Agregar sucursal" }).click();
  await page.getByLabel("Nombre").fill("Cabarete");
  await page.getByLabel("Grupos, separados por comas").fill("Norte, Playa");
  await page.getByRole("dialog").getByRole("button", { name: "Agregar sucursal" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Cabarete Norte, Playa");
  await page.getByRole("button", { name: "Código para enlazar su hub" }).click();
  await expect(page.getByText(/^[A-HJ-NP-Z2-9]{4} [A-HJ-NP-Z2-9]{4}$/)).toBeVisible();
  await page.getByRole("button", { name: "Cerrar", exact: true }).click();
  await page.getByRole("button", { name: "Cerrar esta sucursal para siempre" }).click();
  await page.getByRole("button", { name: "Sí, cerrarla" }).click();
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.getByRole("searchbox").fill("Cabarete");
  await expect(page.getByText("Ninguna sucursal es así")).toBeVisible();
});

test("the list of restaurants cuts no problem label and counts those that do not fit [HQ-201]", async ({
  chain,
  open,
  page,
}) => {
  // The longest label, several times.
  const fiscal = ["B01", "B02", "E31"].map((type) => ({ type, remaining: 900, expiresOn: "2026-11-01" }));
  await chain.say("r0440", { lossesOpen: 2, clockOffMs: 300_000, kitchen: { open: 40, late: 22 }, fiscal });
  const [{ name } = { name: "" }] = await chain.database.query<{ name: string }>(
    "SELECT name FROM restaurants WHERE id = 'r0440'",
  );
  for (const [width, more] of [
    [390, "+5"],
    [1024, "+5"],
    [1600, "+3"],
    [1920, "+3"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await open("/");
    await page.getByRole("searchbox").fill(name);
    const problems = page.getByRole("link", { name }).locator("[data-name=problems]");
    await expect(problems.locator(".mark").last()).toHaveText(more, { timeout: 15_000 });
    const cut = await problems.evaluate((all) =>
      [...all.querySelectorAll(".mark")]
        .filter((mark) => mark.getBoundingClientRect().right > all.getBoundingClientRect().right + 1)
        .map((mark) => mark.textContent),
    );
    expect(cut, `at ${width}`).toEqual([]);
  }
  await chain.say("r0440", {});
});

test("a restaurant's page titles its alerts by problem, uses the singular for one, and marks the hours ahead [HQ-174, HQ-232]", async ({
  chain,
  open,
  page,
}) => {
  const fiscal = [{ type: "B02", remaining: 1, expiresOn: "2027-12-31" }];
  const one = { paidChecks: 1, openChecks: 1, terminals: { connected: 1, away: 0 }, kitchen: { open: 1, late: 1 } };
  await chain.say("r0445", { ...one, fiscal, lossesOpen: 1 });
  await open("/restaurants/r0445");
  const alerts = page.getByRole("article");
  await expect(alerts.filter({ hasText: "Pocos NCF" })).toContainText("Queda un comprobante B02: pida otra secuencia.");
  await expect(alerts.filter({ hasText: "Pérdidas" })).toContainText("falta un dato que un gerente tiene que decidir.");
  await expect(alerts.getByRole("link")).toHaveCount(0);
  for (const text of ["RD$96,240.50 en 1 cuenta", "1 conectado, 0 fuera", "1 comanda, 1 con atraso"]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  const days = page.getByRole("listitem").filter({ has: page.locator(".time-line") });
  await expect(days.first().locator("[data-tone=ahead]")).toHaveCount(1);
  await expect(days.nth(1).locator("[data-tone=ahead]")).toHaveCount(0);
  await chain.say("r0445", {});
});

test("the alerts page shows the first hundred alerts, and the others on request [HQ-200]", async ({
  chain,
  open,
  page,
}) => {
  const many = Array.from({ length: 130 }, (_, index) => `r0${300 + index}`);
  for (const id of many) await chain.say(id, { lossesOpen: 2 });
  await open("/alerts");
  const cards = page.getByRole("article");
  const more = page.getByRole("button", { name: /^Ver \d+ más$/ });
  await expect(more).toBeVisible({ timeout: 15_000 });
  await expect(cards).toHaveCount(100);
  await more.click();
  await expect(more).toHaveCount(0);
  // Headquarters may still be raising the last of them.
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(130);
  for (const id of many) await chain.say(id, {});
});

test("the timeline of alerts shows who was offline or behind, and says it in words [HQ-174]", async ({
  chain,
  open,
  page,
}) => {
  await chain.database.query(
    `INSERT INTO alerts (key, kind, severity, restaurant_id, since, cleared_at)
     SELECT 'past ' || kind || hours, kind, 'warn', id, now() - make_interval(hours => hours),
       now() - make_interval(hours => hours) + interval '25 minutes'
     FROM (VALUES ('offline', 'r0200', 5), ('behind', 'r0200', 3), ('offline', 'r0201', 9), ('offline', 'r0202', 30))
       AS past (kind, id, hours)`,
  );
  await chain.database.query(
    `INSERT INTO alerts (key, kind, severity, group_name, since, cleared_at)
     SELECT 'past ' || kind, kind, 'warn', place, now() - interval '2 hours', now() - interval '1 hour'
     FROM (VALUES ('offlineInGroup', 'Este'), ('behindEverywhere', NULL)) AS past (kind, place)`,
  );
  await open("/alerts");
  const lines = page.getByRole("region", { name: "Sin conexión o atrasadas, últimas 24 horas" });
  await expect(lines.getByRole("listitem").filter({ hasText: "Este" })).toContainText(/Sin conexión .*, duró 1 h/);
  await expect(lines.getByRole("listitem").filter({ hasText: "Toda la cadena" })).toContainText(
    /Atrasada .*, duró 1 h/,
  );
  const line = lines.getByRole("listitem").filter({ hasText: "La Vega 202" });
  await expect(lines.getByRole("listitem").filter({ hasText: "Bonao 200" })).toContainText(
    /Sin conexión .*, duró 25 min; Atrasada .*, duró 25 min|Atrasada .*, duró 25 min; Sin conexión .*, duró 25 min/,
  );
  await expect(line).toHaveCount(0);
  const parts = lines.getByRole("listitem").filter({ hasText: "Bonao 200" }).locator(".time-line > span");
  await expect(parts).toHaveCount(2);
});

test("every page fits a phone with letters at 200 %, and cuts no row and no sum [HQ-165]", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await doubleLetters(page);
  for (const address of addresses) {
    await page.goto("about:blank");
    await open(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("html")).toHaveCSS("font-size", "30px");
    await expect(async () => {
      expect(await overflowOf(page), address).toEqual([]);
      expect(await cutOf(page), address).toEqual([]);
    }).toPass({ timeout: 10_000 });
  }
});

/** Returns numbers that are wider than their tile, and content below the line of its row in a long list. */
function cutOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll(".tile-value")].filter((each) => each.scrollWidth > each.clientWidth);
    const low = [...document.querySelectorAll(".row-line > *")].filter(
      (each) => each.getBoundingClientRect().bottom > (each.closest("li")?.getBoundingClientRect().bottom ?? 0) + 1,
    );
    return [...wide, ...low].map((each) => each.textContent);
  });
}

for (const scheme of ["light", "dark"] as const) {
  test(
    `every page fits every width without a serious accessibility issue in the ${scheme} theme [HQ-165]`,
    { tag: "@looks" },
    async ({ open, page }) => {
      for (const address of addresses) {
        await open(address);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        for (const size of sizes) {
          await show(page, size, scheme);
          expect(await overflowOf(page), `${address} at ${size.width}`).toEqual([]);
        }
        await show(page, sizes[2], scheme);
        expect(await seriousIssues(page), address).toEqual([]);
        await show(page, sizes[0], scheme);
        expect(await seriousIssues(page), `${address} at ${sizes[0].width}`).toEqual([]);
      }
    },
  );
}

test("every page works in the oldest supported browser, and an older one is told to update [UI-926]", async ({
  browser,
  chain,
  page,
  open,
}) => {
  await page.addInitScript(emulateOldestBrowser);
  for (const address of addresses) {
    await open(address);
    await expect(page.getByRole("heading", { level: 1 }), address).toBeVisible();
  }
  const older = await browser.newPage();
  await older.addInitScript(emulateUnsupportedBrowser);
  await older.goto(chain.url);
  await expect(older.getByText("This browser is too old. Update it: Chrome 119, Safari 17.4 or newer.")).toBeVisible();
  await older.close();
});
