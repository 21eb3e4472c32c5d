import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const terrace5 = 65;

test("a device lists the checks it holds from a replaced hub, and says that the manager was asked [TOUCH-240]", async ({
  open,
  restaurant,
}) => {
  const till = await restaurant.terminal("former-till");
  await online(till);
  till.openOrder(newOrder("FORMER/1", [lineOf("a", 450, { name: "Mofongo" })], terrace5));
  till.openOrder({ ...newOrder("FORMER/2", [lineOf("a", 300)]), customerName: "Rosa" });
  await till.idle();
  const page = await open({ name: "former-tablet", kind: "tablet", refusalsExpected: true });
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await expect(page.getByRole("link", { name: "Terraza 5 1 sin enviar" })).toBeVisible();
  await till.stop();

  await restaurant.killHub();
  await restaurant.startHub({ HUB_DB_PATH: join(mkdtempSync(join(restaurant.folder, "another-")), "hub.sqlite") });
  await page.getByRole("link", { name: /2 de la PC principal anterior/ }).tap();
  const notice = page.getByRole("region", { name: "De la PC principal anterior, este dispositivo guarda 2 cuentas." });
  await expect(notice.getByText(/^La PC principal de ahora no las tenía. Se avisó al gerente/)).toBeVisible();
  await expect(notice.getByRole("listitem")).toHaveText([/^Terraza 5 · Total .*450/, /Rosa · Total .*300/]);
  await expect(notice.getByText(/solo está/)).toHaveCount(0);
  expect(await seriousIssues(page)).toEqual([]);

  // The notice reappears after a reload, until a person removes it.
  await page.reload();
  await expect(notice.getByText(/Se avisó al gerente/)).toBeVisible();
  await notice.getByRole("button", { name: "Quitar este aviso" }).tap();
  await expect(notice).toHaveCount(0);
});
