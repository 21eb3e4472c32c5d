import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPreload } from "../../faults/preload.ts";
import { takePicture } from "../../support/take-picture.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "its disk fails", refusalsExpected: true, locale: "es-DO" });

test("a disk that cannot be written is reported at once, with what to do, until it recovers [UI-160] [TERM-30]", async ({
  dinner,
  open,
}) => {
  const { restaurant, waiter } = dinner;
  const own = mkdtempSync(join(tmpdir(), "comanda-disk-"));
  const preload = createPreload(restaurant.folder, own);
  await restaurant.killHub();
  await restaurant.startHub(preload.env);
  const page = await open("/system/data");
  const sentence = page.getByRole("region", { name: "Estado general" });
  await expect(sentence).not.toContainText("disco");

  await expect.poll(() => waiter.hubStatus()?.diskLow).toBe(false);
  preload.setRule({ on: ["write", "sync"], action: "ENOSPC", times: 1_000_000 });
  waiter.editOrder("POS/2026/00001", (content) => ({ ...content, notes: "sin sal" }));
  await expect(sentence).toContainText("El hub no puede escribir en su disco.");
  await expect(sentence).toContainText("No se guarda nada nuevo; los terminales conservan su trabajo.");
  await expect.poll(() => waiter.hubStatus()?.diskLow).toBe(true);
  const file = page.getByRole("region", { name: "Archivo de datos" });
  await expect(file).toContainText("El disco no se puede leer o escribir");
  expect(await seriousIssues(page)).toEqual([]);
  await takePicture(page, "disk-failed");

  preload.setRule(null);
  await expect(sentence).not.toContainText("disco");
  await expect.poll(() => waiter.order("POS/2026/00001")?.snapshot.notes).toBe("sin sal");
  await waiter.idle();
  await expect.poll(() => waiter.hubStatus()?.diskLow).toBe(false);
  rmSync(own, { recursive: true, force: true });
});
