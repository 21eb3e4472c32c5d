import { DAY_MS } from "@comanda/protocol";
import type { Locator } from "@playwright/test";
import { overflowOf, show, sizes } from "../screens/support/layout.ts";
import { seriousIssues } from "../screens/support/screen-test.ts";
import { PASSWORD } from "./chain.ts";
import { expect, test } from "./chain-test.ts";

const list = /^Sucursales, primero/;

/** Formats a time for a date and time field, in the chain's time zone. */
const wallTime = (at: number): string =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: "America/Santo_Domingo" })
    .format(at)
    .replace(" ", "T");

/** Returns the id of the proposal that is shown. */
const idIn = (url: string): string => url.split("/").at(-1) ?? "";

test(
  "an owner takes a dish off the menu of a group, follows the answers, and undoes it [HQ-166, HQ-167, HQ-170, HQ-235]",
  { tag: "@walk" },
  async ({ chain, open, page }) => {
    await open("/proposals");
    await page.getByRole("link", { name: "Nueva propuesta" }).click();
    await page.getByRole("searchbox", { name: "Buscar plato" }).fill("plato 12");
    await page.getByRole("checkbox", { name: "Plato 12" }).check();
    await page.getByLabel("Grupo").selectOption("Sur");
    await page.getByRole("button", { name: "Revisar y enviar" }).click();
    await page.getByRole("button", { name: "Enviar a 50 sucursales" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agotado: Plato 12");
    await expect(page.getByText(/^Plato 12: agotado hasta el/)).toBeVisible();
    await expect(page.getByRole("button", { name: "50 por responder" })).toBeVisible();

    const id = idIn(page.url());
    const [was, want, present] = [{ state: "available" }, { state: "out" }, { state: "limited", left: 5 }];
    await chain.answer(id, "r0493", { state: "conflict", items: [{ key: "p12", was, want, now: present }] });
    await chain.answer(id, "r0474", {
      state: "refused",
      code: "VALIDATION_ERROR",
      error: "the menu of this restaurant has no products p12",
      said: { reason: "proposal_unknown_products", values: { products: ["p12"] } },
    });
    const applied = { key: "p12", was, want, now: was };
    await chain.answer(id, "r0455", { state: "applied", by: "Ana Gómez", items: [applied] });
    const rows = page.getByRole("list", { name: list }).getByRole("listitem");
    await expect(rows.nth(0)).toContainText(
      /Azua 474.*No se pudo.*El menú de este local no tiene los productos Plato 12/,
    );
    await expect(rows.nth(1)).toContainText(/Azua 493.*En conflicto.*Plato 12. Allá: quedan 5. Se quiere: agotado/);
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 1400 });
    const heightOf = (row: Locator) => row.evaluate((drawn) => drawn.getBoundingClientRect().height);
    const sent = rows.filter({ hasText: "Enviada" }).first();
    await expect.poll(async () => (await heightOf(rows.nth(0))) - (await heightOf(sent))).toBeGreaterThan(24);
    await page.setViewportSize({ width, height });
    await rows.nth(1).click();
    await expect(page.getByRole("dialog")).toContainText("Se esperaba: se vende.");
    await page.getByRole("button", { name: "Cerrar" }).click();
    await page.getByRole("button", { name: "1 la aplicó" }).click();
    await expect(rows).toHaveCount(1);
    await rows.nth(0).click();
    await expect(page.getByRole("dialog")).toContainText("Lo decidió Ana Gómez");
    await page.getByRole("button", { name: "Cerrar" }).click();
    await page.getByRole("link", { name: /Todas las propuestas/ }).click();
    const card = page.getByRole("article").filter({ hasText: "Plato 12" });
    await expect(card).toContainText("1 la aplicó, 1 en conflicto, 1 no pudo aplicarla, 47 por responder");
    await expect(card).toContainText(/Agotar.*Rosa Peña/);

    await card.getByRole("link").click();
    await page.getByRole("button", { name: "Deshacer" }).click();
    await expect(page.getByRole("dialog")).toContainText("a la sucursal que la aplicó");
    await page.getByRole("button", { name: "Sí, deshacer" }).click();
    await expect(page.getByText("Deshace otra")).toBeVisible();
    await expect(page.getByText("Plato 12: se vende")).toBeVisible();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("Azua 455");
    await page.getByRole("link", { name: "Ver la que deshace" }).click();
    await expect(page.getByText("Deshecha")).toBeVisible();
    await expect(page.getByRole("button", { name: "Deshacer" })).toHaveCount(0);
  },
);

test("a setting is proposed to some managers and withdrawn [HQ-168, HQ-169, HQ-170]", async ({ open, page }) => {
  await open("/proposals/new");
  const review = page.getByRole("button", { name: "Revisar y enviar" });
  await review.click();
  await expect(page.getByRole("alert")).toHaveText("Elija al menos un plato.");
  await page.getByRole("button", { name: "Cambiar un ajuste" }).click();
  await page.getByRole("combobox", { name: "Ajuste" }).selectOption("HUB_RETENTION_DAYS");
  await page.getByRole("textbox", { name: "Valor" }).fill("mucho");
  await review.click();
  await expect(page.getByRole("alert")).toHaveText("El hub no acepta este valor.");
  await page.getByRole("textbox", { name: "Valor" }).fill("400");
  await review.click();
  await expect(page.getByRole("alert")).toHaveText("Elija al menos una sucursal.");
  await page.getByRole("button", { name: "Algunas" }).click();
  for (const name of ["Bonao 10", "Moca 11"]) {
    await page.getByRole("searchbox", { name: "Buscar sucursal" }).fill(name);
    await page.getByRole("checkbox", { name: new RegExp(`^${name} `) }).check();
  }
  await expect(page.getByText("Se enviará a 2 sucursales")).toBeVisible();
  await review.click();
  await expect(page.getByRole("dialog")).toContainText("Se enviará a 2 sucursales: Bonao 10 y Moca 11.");
  await expect(page.getByRole("dialog")).toContainText("Decide el gerente de cada sucursal");
  await page.getByRole("button", { name: "Enviar a 2 sucursales" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ajuste: HUB_RETENTION_DAYS");
  await page.getByRole("button", { name: "Retirar" }).click();
  await expect(page.getByRole("dialog")).toContainText("Se les retira a 2 sucursales");
  await page.getByRole("button", { name: "Sí, retirar" }).click();
  await expect(page.getByRole("button", { name: "retirada de 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retirar" })).toHaveCount(0);
});

test("a proposal for later says when it begins [HQ-169, HQ-172]", async ({ chain, open, page }) => {
  await open("/proposals/new");
  const review = page.getByRole("button", { name: "Revisar y enviar" });
  const begin = page.getByLabel("Día y hora de inicio");
  await page.getByRole("searchbox", { name: "Buscar plato" }).fill("plato 9");
  await page.getByRole("checkbox", { name: "Plato 9", exact: true }).check();
  await page.getByLabel("Grupo").selectOption("Sur");
  // No duration is offered: the day ends before the shortest one would.
  await expect(page.getByLabel("Vale por")).toHaveCount(0);
  await page.getByRole("button", { name: "A cierta hora", exact: true }).click();
  await review.click();
  await expect(page.getByRole("alert")).toHaveText(/^Para empezar, ponga un día y una hora/);
  await begin.fill(wallTime(Date.now() - DAY_MS));
  await review.click();
  await expect(page.getByRole("alert")).toHaveText(/^Para empezar, ponga un día y una hora/);
  await begin.fill(wallTime(Date.now() + 2 * DAY_MS));
  await page.getByRole("button", { name: "Hasta cierta hora" }).click();
  await page.getByLabel("Día y hora", { exact: true }).fill(wallTime(Date.now() + DAY_MS));
  await review.click();
  await expect(page.getByRole("alert")).toHaveText(/^Termina antes de empezar/);
  await begin.fill(`${wallTime(Date.now() + DAY_MS).slice(0, 10)}T10:30`);
  await page.getByLabel("Día y hora", { exact: true }).fill(wallTime(Date.now() + 2 * DAY_MS));
  await review.click();
  await expect(page.getByRole("dialog")).toContainText("Empieza mañana 10:30 a. m.");
  await page.getByRole("button", { name: "Enviar a 50 sucursales" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agotado: Plato 9");
  await expect(page.getByText("Empieza mañana 10:30 a. m.").first()).toBeVisible();
  await chain.answer(idIn(page.url()), "r0455", { state: "waiting" });
  await expect(page.getByRole("button", { name: "1 espera la hora" })).toBeVisible();
  await page.getByRole("link", { name: /Todas las propuestas/ }).click();
  const card = page.getByRole("article").filter({ hasText: "Plato 9" });
  await expect(card).toContainText("Empieza mañana 10:30 a. m.");
  await expect(card).toContainText("1 espera la hora, 49 por responder");
});

test.describe("offline", () => {
  test.use({ refusalsExpected: true });

  test("a proposal that could not be sent keeps its form, even over a new sign-in [HQ-168]", async ({ open, page }) => {
    await open("/proposals/new");
    await page.getByRole("button", { name: "Volver a vender platos" }).click();
    await page.getByRole("searchbox", { name: "Buscar plato" }).fill("plato 7");
    await page.getByRole("checkbox", { name: "Plato 7", exact: true }).check();
    await page.getByLabel("Título, como lo ven las sucursales").fill("Llegó el pollo");
    await page.getByRole("button", { name: "Todas" }).click();
    await page.getByRole("button", { name: "Revisar y enviar" }).click();
    const dialog = page.getByRole("dialog");
    const send = dialog.getByRole("button", { name: /^Enviar a 50\d sucursales$/ });
    await page.context().setOffline(true);
    await send.click();
    await expect(dialog.getByRole("alert")).toContainText("La central no responde");
    await dialog.getByRole("button", { name: "Cerrar" }).click();
    await expect(page.getByText("Elegidos: Plato 7")).toBeVisible();
    await page.context().setOffline(false);
    // The session ends while the form is being filled in.
    await page.request.delete("/hq/v1/session");
    await page.getByLabel("Usuario").fill("rosa");
    await page.getByLabel("Contraseña").fill(PASSWORD);
    await page.getByRole("button", { name: "Entrar" }).click();
    await expect(page.getByText("Elegidos: Plato 7")).toBeVisible();
    await expect(page.getByLabel("Título, como lo ven las sucursales")).toHaveValue("Llegó el pollo");
    await page.getByRole("button", { name: "Revisar y enviar" }).click();
    await send.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Llegó el pollo");
    // One restaurant has never reported; two are silent, which shows once headquarters have listened for a minute.
    await expect(page.getByRole("button", { name: /^[13] sin conexión$/ })).toBeVisible();
    expect(await page.getByRole("list", { name: list }).getByRole("listitem").count()).toBeLessThan(40);
    await page.goto("/#/proposals/new");
    await expect(page.getByLabel("Título, como lo ven las sucursales")).toHaveValue("");
  });
});

test("a region proposes dishes only to its own groups, and support only reads proposals [HQ-164]", async ({
  chain,
  open,
  page,
}) => {
  const id = await chain.propose("Sin habichuelas", ["r0001", "r0470"]);
  await chain.answer(id, "r0470", { state: "applied" });
  await chain.addPerson({ login: "region-sur", role: "region", groups: ["Sur"] });
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  await chain.addPerson({ login: "soporte", role: "support", expiresAt });

  await open("/proposals/new", "region-sur");
  await expect(page.getByRole("button", { name: "Volver a vender platos" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cambiar un ajuste" })).toHaveCount(0);
  await page.getByRole("button", { name: "Todas" }).click();
  await expect(page.getByText("Se enviará a 50 sucursales")).toBeVisible();
  await page.getByRole("link", { name: /Todas las propuestas/ }).click();
  await expect(page.getByRole("article").filter({ hasText: "Sin habichuelas" })).toContainText("1 la aplicó");
  // The proposal also went to another group: refused actions are not offered, and the page says why.
  await page.getByRole("link", { name: "Sin habichuelas" }).click();
  await expect(page.getByText("Fue también a otros grupos")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Deshacer|Retirar)$/ })).toHaveCount(0);
  const own = await chain.propose("Sin maíz", ["r0470", "r0471"]);
  await chain.answer(own, "r0470", { state: "applied" });
  await page.goto(`/#/proposals/${own}`);
  await expect(page.getByRole("button", { name: "Deshacer" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retirar" })).toBeVisible();

  await open("/proposals", "soporte");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Propuestas");
  await expect(page.getByRole("link", { name: "Nueva propuesta" })).toHaveCount(0);
  await page.getByRole("link", { name: "Sin habichuelas" }).click();
  await expect(page.getByRole("button", { name: "1 la aplicó" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Deshacer|Retirar)$/ })).toHaveCount(0);
  await open("/proposals/new", "soporte");
  await expect(page.getByText("Su usuario no tiene permiso")).toBeVisible();
});

for (const scheme of ["light", "dark"] as const) {
  test(
    `the proposal pages fit every width without a serious accessibility issue in the ${scheme} theme [HQ-165]`,
    { tag: "@looks" },
    async ({ chain, open, page }) => {
      const id = await chain.propose(`Sin yuca ni plátano maduro, ${scheme}`, ["r0001", "r0002", "r0003", "r0004"]);
      const error = "El plato p1 no está en la carta de esta sucursal: propóngalo a las que lo venden.";
      await chain.answer(id, "r0001", { state: "refused", code: "NOT_FOUND", error });
      await chain.answer(id, "r0002", { state: "applied" });
      for (const address of ["/proposals", `/proposals/${id}`]) {
        await open(address);
        await expect(page.getByText(/la aplicó/).first()).toBeVisible();
        for (const size of sizes) {
          await show(page, size, scheme);
          expect(await overflowOf(page), `${address} at ${size.width}`).toEqual([]);
        }
        for (const size of [sizes[2], sizes[0]]) {
          await show(page, size, scheme);
          expect(await seriousIssues(page), `${address} at ${size.width}`).toEqual([]);
        }
      }
    },
  );
}
