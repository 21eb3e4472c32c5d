import { DAY_MS } from "@comanda/protocol";
import { SimulatedRestaurant } from "../../headquarters/test/simulated-restaurant.ts";
import { seriousIssues } from "../screens/support/screen-test.ts";
import { expect, test } from "./chain-test.ts";

test.use({ refusalsExpected: true });

test("an owner unlinks a restaurant's hub after reading the effect, and gets a code for another hub [HQ-183]", async ({
  open,
  page,
}) => {
  await open("/restaurants/r0150");
  const cut = page.getByRole("button", { name: "Cortar su hub" });
  const dialog = page.getByRole("dialog");
  await expect(page.getByText("No tiene hub enlazado")).toHaveCount(0);
  await cut.click();
  await expect(dialog).toContainText("su llave deja de servir al instante");
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cerrar" }).click();
  await expect(cut).toBeVisible();

  await cut.click();
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Sí, cortarlo" }).click();
  await expect(dialog.getByRole("alert")).toContainText("La central no responde");
  await page.context().setOffline(false);
  // An immediate second click on the same button would be ignored as a double click.
  await dialog.getByRole("alert").click();
  await dialog.getByRole("button", { name: "Sí, cortarlo" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(cut).toHaveCount(0);
  await expect(page.getByText("No tiene hub enlazado")).toBeVisible();
  await page.getByRole("button", { name: "Código para enlazar su hub" }).click();
  await expect(dialog).toContainText(/[A-HJ-NP-Z2-9]{4} [A-HJ-NP-Z2-9]{4}/);
});

test("a restaurant that never connected shows no outage days, and gives a code and address for its hub [HQ-128, HQ-174]", async ({
  chain,
  open,
  page,
}) => {
  await open("/restaurants/rnuevo");
  await expect(page.getByText("Todavía no se ha conectado.")).toBeVisible();
  await expect(page.getByText("conectada todo el día")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Preguntar a su hub" })).toHaveCount(0);
  await page.getByRole("button", { name: "Código para enlazar su hub" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(`${chain.url}/`, { exact: true })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);

  await chain.database.query("UPDATE restaurants SET created_at = now() - interval '2 days' WHERE id = 'r0150'");
  await open("/restaurants/r0150");
  await expect(page.locator(".outage-days > li")).toHaveCount(3);
});

test("a failed sign-out says that headquarters do not answer, and the session stays [HQ-102]", async ({
  open,
  page,
}) => {
  await open("/");
  await page.locator("button.account").click();
  const dialog = page.getByRole("dialog");
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Cerrar sesión" }).click();
  await expect(dialog.getByRole("alert")).toContainText("La central no responde");
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Cerrar", exact: true }).click();
  await page.locator("button.account").click();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Cerrar sesión" }).click();
  await expect(page.getByLabel("Contraseña", { exact: true })).toBeVisible();
});

test("a dialog stays open until its request is answered, then closes [HQ-184]", async ({ open, page }) => {
  await open("/restaurants/r0170");
  const dialog = page.getByRole("dialog");
  const { promise: answer, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/hq/v1/restaurants/r0170", async (route) => {
    if (route.request().method() === "PATCH") await answer;
    await route.continue();
  });
  await page.getByRole("button", { name: "Cambiar nombre, grupos y contacto" }).click();
  await dialog.getByLabel("Nombre").fill("Sucursal Malecón");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Cerrar", exact: true })).toBeDisabled();
  await expect(dialog.getByLabel("Nombre")).toHaveValue("Sucursal Malecón");
  release();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Sucursal Malecón");
});

test("the account dialog stays open until a password change is answered, and shows its failure [HQ-184]", async ({
  open,
  page,
}) => {
  await open("/");
  await page.locator("button.account").click();
  const dialog = page.getByRole("dialog");
  const { promise: answer, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/hq/v1/session/password", async (route) => {
    await answer;
    await route.continue();
  });
  await dialog.locator("summary").click();
  await dialog.getByLabel("Contraseña actual").fill("la de antes 1");
  await dialog.getByLabel("Contraseña nueva").fill("la que viene 2");
  await dialog.getByRole("button", { name: "Cambiar mi contraseña" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Cerrar", exact: true })).toBeDisabled();
  release();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Cerrar", exact: true }).click();
  await expect(dialog).toHaveCount(0);
});

test("a new person is refused an expired end, a group without restaurants and a login in use [HQ-108]", async ({
  chain,
  open,
  page,
}) => {
  await open("/people");
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Guardar" });
  await page.getByRole("button", { name: "Agregar usuario" }).click();
  await dialog.getByLabel("Nombre", { exact: true }).fill("Ana Mejía");
  await dialog.getByLabel("Usuario", { exact: true }).fill("ana");
  await dialog.getByLabel("Contraseña (10 caracteres o más)").fill("una clave larga");
  await dialog.getByLabel("Puede").selectOption({ label: "Soporte: mira, por un tiempo, y no cambia nada" });
  const until = dialog.getByLabel("Hasta el día (30 días como máximo)");
  await until.fill("2020-01-01");
  await save.click();
  await expect(until).toBeFocused();
  await dialog.getByLabel("Puede").selectOption({ label: "Regional: solo las sucursales de sus grupos" });
  await dialog.getByLabel("Grupos que ve, separados por comas").fill("norte, Nrote");
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("Ninguna sucursal está en Nrote");
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByLabel("Grupos que ve, separados por comas").fill("norte, Sur");
  await dialog.getByLabel("Usuario", { exact: true }).fill("Rosa");
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("Ese usuario ya existe.");
  await dialog.getByLabel("Usuario", { exact: true }).fill("ana");
  await save.click();
  await expect(page.getByText("ana · Regional · Norte, Sur")).toBeVisible();

  await chain.addPerson({ login: "sin-sucursales", role: "region", groups: ["Ninguno"] });
  await open("/", "sin-sucursales");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Usted no ve ninguna sucursal");
  await expect(page.getByText("Pida a un propietario que los revise.")).toBeVisible();
});

test("a person whose support access has ended sees when, and is marked in the list of people [HQ-270]", async ({
  chain,
  open,
  page,
}) => {
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  await chain.addPerson({ login: "soporte", role: "support", expiresAt });
  await open("/", "soporte");
  await expect(page.locator("button.account")).toBeVisible();
  await chain.database.query("UPDATE people SET expires_at = now() - interval '1 minute' WHERE login = 'soporte'");
  const ended = page.getByText(/^Su acceso de soporte terminó el /);
  await expect(ended).toBeVisible({ timeout: 20_000 });
  await page.reload();
  await expect(ended).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.evaluate(() => localStorage.setItem("comanda-language", "en"));
  await page.reload();
  await expect(page.getByText(/^Your support access ended on [A-Z][a-z]{2} \d+, \d/)).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("comanda-language"));

  await open("/people");
  await page.reload();
  const card = page.getByRole("article").filter({ hasText: "soporte · Soporte" });
  await expect(card).toContainText("Su acceso terminó");
  await expect(page.getByText("Su acceso terminó")).toHaveCount(1);
});

test("a person without restaurants sees no counts, and empty lists say so plainly [HQ-213, HQ-214]", async ({
  chain,
  open,
  page,
}) => {
  await chain.addPerson({ login: "sin-nada", role: "region", groups: ["Nada"] });
  await open("/", "sin-nada");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Usted no ve ninguna sucursal");
  await expect(page.locator(".coverage")).toHaveCount(0);
  await open("/proposals/new", "sin-nada");
  await expect(page.getByText("Todavía no se ha vendido ningún plato.")).toBeVisible();
  await page.getByRole("button", { name: "Algunas" }).click();
  await expect(page.getByText("No hay sucursales.")).toBeVisible();
  await expect(page.getByText(/es así|se llama así/)).toHaveCount(0);
});

test("the telephone numbers of a restaurant's contact are links on its page and on its alerts [HQ-585]", async ({
  open,
  page,
}) => {
  await open("/restaurants/r0010");
  await page.getByRole("button", { name: "Cambiar nombre, grupos y contacto" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("A quién llamar").fill("Yadira (809) 555-0142, caja +1 829 555 0199");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(dialog).toHaveCount(0);
  const links = page.locator("a[href^='tel:']");
  await expect(links).toHaveText(["(809) 555-0142", "+1 829 555 0199"]);
  await expect(links.nth(1)).toHaveAttribute("href", "tel:+18295550199");
  await expect(page.getByText("Contacto: Yadira (809) 555-0142, caja")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);

  await open("/alerts");
  const card = page.getByRole("article").filter({ has: page.locator("a[href$='/restaurants/r0010']") });
  await expect(card.locator("a[href^='tel:']")).toHaveText(["(809) 555-0142", "+1 829 555 0199"]);
  expect(await seriousIssues(page)).toEqual([]);
});

test("a restaurant that is closed for good leaves every list, and its sales stay [HQ-128]", async ({ open, page }) => {
  await open("/sales");
  await page.getByRole("button", { name: "7 días" }).click();
  const sold = page.locator(".tile").first();
  await expect(sold).toContainText(/RD\$/);
  await expect(page.locator(".figures")).toHaveAttribute("data-stale", "false");
  const before = await sold.innerText();

  await open("/restaurants/r0160");
  await page.getByRole("button", { name: "Cerrar esta sucursal para siempre" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Lo que vendió se queda en las ventas");
  expect(await seriousIssues(page)).toEqual([]);
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Sí, cerrarla" }).click();
  await expect(dialog.getByRole("alert")).toContainText("La central no responde");
  await page.context().setOffline(false);
  // An immediate second click on the same button would be ignored as a double click.
  await dialog.getByRole("alert").click();
  await dialog.getByRole("button", { name: "Sí, cerrarla" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/sucursales con problemas$/);
  for (const screen of ["Ahora", "Equipos"]) {
    await page.getByRole("link", { name: screen }).click();
    await page.getByRole("searchbox").fill("La Vega 164");
    await expect(page.getByRole("listitem").filter({ hasText: "La Vega 164" })).toBeVisible();
    await page.getByRole("searchbox").fill("Herrera 160");
    await expect(page.getByText("Herrera 160")).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Ventas" }).click();
  await page.getByRole("button", { name: "7 días" }).click();
  await expect(page.locator(".figures")).toHaveAttribute("data-stale", "false");
  await expect(sold).toHaveText(before.replaceAll(/\s*\n\s*/g, ""));
  // Opens the restaurant again: the other specs rely on the whole chain.
  await page.request.patch("/hq/v1/restaurants/r0160", { data: { isClosed: false } });
  // Its page must read the restaurant again instead of showing the cached state.
  const isRead = page.waitForRequest("**/hq/v1/restaurants/r0160");
  await page.evaluate(() => (location.hash = "#/restaurants/r0160"));
  await isRead;
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Herrera 160");
});

test("an edit of a person does not overwrite what somebody else changed meanwhile [HQ-185]", async ({ open, page }) => {
  await open("/people");
  const added = await page.request.post("/hq/v1/people", {
    data: {
      login: "tomas",
      name: "Tomás",
      role: "operations",
      groups: [],
      password: "una clave larga",
      expiresAt: null,
    },
  });
  const { id } = (await added.json()) as { id: string };
  await page.reload();
  await page.getByRole("button", { name: "Cambiar a Tomás" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nombre", { exact: true }).fill("Tomás Peña");
  await page.request.patch(`/hq/v1/people/${id}`, { data: { isActive: false } });
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(dialog).toHaveCount(0);
  const card = page.getByRole("article").filter({ hasText: "Tomás Peña" });
  await expect(card).toContainText("No puede entrar");
});

test("a check is requested from its hub once, however often the page reconnects [HQ-180]", async ({
  chain,
  open,
  page,
}) => {
  const restaurant = new SimulatedRestaurant("r0003", "h", 1, Date.now());
  restaurant.steps(1);
  const [{ order } = { order: null }] = restaurant.history.orders.values();
  await chain.database.query("UPDATE checks SET body = $1 WHERE restaurant_id = 'r0003' AND pos_reference = 'T7-1'", [
    JSON.stringify(order),
  ]);
  const questions = (): Promise<unknown[]> =>
    chain.database.query("SELECT FROM audit WHERE action = 'restaurant.asked' AND restaurant_id = 'r0003'");
  const events = "**/hq/v1/events";
  await page.route(events, (route) => route.abort("internetdisconnected"));
  await open("/restaurants/r0003");
  await page.getByRole("button", { name: "T7-1", exact: true }).click();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("Su hub no contesta");
  expect(await questions()).toHaveLength(1);
  const isReadAgain = page.waitForResponse(/restaurants\/r0003$/);
  await page.unroute(events);
  await expect(page.getByText("En vivo")).toBeVisible({ timeout: 15_000 });
  await isReadAgain;
  expect(await questions()).toHaveLength(1);
});
