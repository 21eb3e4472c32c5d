import type { Backup, LossPage } from "@comanda/protocol";
import { callOperator } from "../../support/call-operator.ts";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const REFERENCE = "POS/2026/RESTORED";

test("a part payment lost by a restore is warned about on the payment screen until it is back [TOUCH-652]", async ({
  open,
  restaurant,
}) => {
  const operator = async (method: string, path: string, body?: object) => {
    const { status, answer } = await callOperator(restaurant, method, path, { body });
    expect(status).toBeLessThan(300);
    return answer;
  };
  const other = await restaurant.terminal("caja-restaurada");
  await online(other);
  await other.openOrder(newOrder(REFERENCE, [lineOf("a", 520, { name: "Sancocho" })])).outcome;
  const { backup } = (await operator("POST", "backups", {})) as { backup: Backup };
  await other.tender(REFERENCE, { methodId: 1, amount: 200 }).outcome;

  const page = await open({ name: "cobra-restaurada", login: "cashier", kind: "phone", refusalsExpected: true });
  await page.evaluate((hash) => (location.hash = hash), `#/pay/${encodeURIComponent(REFERENCE)}`);
  const amountLeft = page.getByText(/^Faltan RD\$320\.00 de /);
  await expect(amountLeft).toBeVisible();

  await operator("POST", `backups/${encodeURIComponent(backup.name)}/restore`, { confirm: backup.name });
  await restaurant.killHub();
  await restaurant.startHub();
  const warning = page.getByText(/^Ya se habían cobrado RD\$200\.00 de esta cuenta/);
  await expect(warning).toBeVisible();
  await expect(amountLeft).toHaveCount(0);
  await page.reload();
  await expect(warning).toBeVisible();

  await online(other);
  const lossOf = async () => {
    const { losses } = (await operator("GET", "losses")) as LossPage;
    return losses.find(({ posReference }) => posReference === REFERENCE)?.lossId;
  };
  await expect.poll(lossOf).toBeDefined();
  await operator("POST", `losses/${await lossOf()}/take-over`, {});
  await expect(amountLeft).toBeVisible();
  await expect(warning).toHaveCount(0);
});
