import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "its backups fail", refusalsExpected: true, locale: "es-DO" });

test("the reason for a missing daily backup is shown above the list of backups [BAK-14]", async ({ dinner, open }) => {
  const { restaurant } = dinner;
  const blocked = join(restaurant.folder, "no-folder");
  writeFileSync(blocked, "x");
  await restaurant.killHub();
  await restaurant.startHub({ HUB_BACKUP_DIR: blocked });
  const page = await open("/system/backups");
  const panel = page.getByRole("region", { name: "Copias de seguridad" });
  await expect(panel).toContainText("No se puede hacer la copia de seguridad diaria. Próximo intento:");
  expect(await seriousIssues(page)).toEqual([]);
  rmSync(blocked);
});

test("the second backup folder shows that it is missing, since when, and that it caught up [UI-266]", async ({
  dinner,
  open,
}) => {
  const { restaurant, operator } = dinner;
  const usb = `${restaurant.folder}-usb`;
  await restaurant.killHub();
  await restaurant.startHub({ HUB_BACKUP_SECOND_DIR: usb });
  const page = await open("/system/backups");
  const panel = page.getByRole("region", { name: "Copias de seguridad" });
  await expect(panel).toContainText(/No está, desde hace .+ Conecte el disco o revise la carpeta\./);
  await panel.getByRole("button", { name: "Probar las carpetas" }).click();
  await expect(panel.getByText(/^Se puede escribir, .+ libres$/)).toBeVisible();
  await expect(panel.getByText("No está", { exact: true })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  // A backup is made and verified some seconds after the start; a busy machine needs longer, for the copy as well.
  await expect(panel.getByText(/^Última copia de seguridad buena: hace/)).toBeVisible({ timeout: 60_000 });

  mkdirSync(usb);
  // A new backup is copied at once, without waiting for the next attempt.
  await operator.post("/operator/v1/backups", {});
  await expect(panel.getByText(/^(1 copia, de|\d+ copias, la última de) hace/)).toBeVisible({ timeout: 60_000 });
  await panel.getByRole("button", { name: "Probar las carpetas" }).click();
  await expect(panel.getByText(/^Se puede escribir, .+ libres$/)).toHaveCount(2);
  for (const width of [390, 820, 1366, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await seriousIssues(page), `${width} px`).toEqual([]);
  }
  renameSync(usb, `${usb}-away`);
  rmSync(`${usb}-away`, { recursive: true });
});

// The last test here, because it makes the data file large.
test("the progress of a backup is shown while it is made [BAK-4]", async ({ dinner, open }) => {
  const { restaurant } = dinner;
  await restaurant.killHub();
  const db = new DatabaseSync(join(restaurant.folder, "hub.sqlite"));
  db.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    INSERT INTO audit_log (at, user_name, action) SELECT 1, 'x', hex(randomblob(50000)) FROM n`);
  db.close();
  await restaurant.startHub();
  const page = await open("/system/backups");
  const panel = page.getByRole("region", { name: "Copias de seguridad" });
  // On a fast disk each step is shown only for a moment, so every frame is checked.
  const shown = page.waitForFunction(() =>
    /(Haciendo una copia|Verificando una copia|Comprimiendo las copias) de seguridad[^:]*: \d+ %/.test(
      document.body.textContent,
    ),
  );
  await page.getByRole("button", { name: "Hacer una copia ahora" }).click();
  await shown;
  await expect(panel.getByRole("row", { name: /manual/ }).first()).toContainText("Buena", { timeout: 90_000 });
  await expect(panel.getByText(/de seguridad[^:]*: \d+ %$/)).toHaveCount(0);
});
