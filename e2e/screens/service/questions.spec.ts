import { overflowOf } from "../support/layout.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";
import { withHeadquarters } from "../support/with-headquarters.ts";

test.use({ ownDinner: "questions", locale: "es-DO", refusalsExpected: true });

test("headquarters read a check, settings and log from a hub, and their own copy while it is away [HQ-171, HQ-182, CHAIN-15]", async ({
  page,
  dinner,
}) => {
  await withHeadquarters(dinner, async (headquarters, id) => {
    const { login, password } = headquarters.owner;
    await page.request.post(`${headquarters.url}/hq/v1/session`, { data: { login, password } });
    await page.goto(`${headquarters.url}/#/restaurants/${id}`);
    const check = page.getByRole("button", { name: "POS/2026/00001" });
    await expect(check).toBeVisible();
    const dialog = page.getByRole("dialog");
    const close = () => dialog.getByRole("button", { name: "Cerrar" }).click();

    await check.click();
    await expect(dialog).toContainText("Como la tiene su hub ahora.");
    await expect(dialog).toContainText(/Tostones/);
    expect(await seriousIssues(page)).toEqual([]);
    await close();

    await page.getByRole("button", { name: "Ajustes, archivo de datos y copias" }).click();
    await expect(dialog).toContainText("HUB_STATIONS");
    expect(await seriousIssues(page)).toEqual([]);
    await close();
    await page.getByRole("button", { name: "Últimas líneas de su registro" }).click();
    await expect(dialog.getByRole("listitem").first()).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflowOf(page)).toEqual([]);
    await close();

    // The connection is cut: headquarters' own copy is shown, with its age.
    headquarters.line.cut(headquarters.line.keys()[0] ?? "");
    await check.click();
    await expect(dialog).toContainText(/Su hub no contesta: como la tiene la central, hasta/);
    await expect(dialog).toContainText(/Tostones/);
    await close();
    await page.getByRole("button", { name: "Últimas líneas de su registro" }).click();
    await expect(dialog).toContainText("La sucursal no responde ahora.");
    expect(await seriousIssues(page)).toEqual([]);
  });
});
