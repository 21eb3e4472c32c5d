import type { Page } from "@playwright/test";
import floorTexts from "../../../terminal/features/floor/texts.json" with { type: "json" };
import hostTexts from "../../../terminal/features/host/texts.json" with { type: "json" };
import kitchenBars from "../../../terminal/features/kitchen/more-texts.json" with { type: "json" };
import kitchenTexts from "../../../terminal/features/kitchen/texts.json" with { type: "json" };
import orderTexts from "../../../terminal/features/order/texts.json" with { type: "json" };
import payTexts from "../../../terminal/features/pay/texts.json" with { type: "json" };
import { createOperator } from "../../screens/support/operator.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test, type DeviceKind } from "../support/touch-test.ts";

const goTo = async (page: Page, hash: string): Promise<void> =>
  page.evaluate((next) => void (location.hash = next), hash);
const tap = (page: Page, name: string | RegExp): Promise<void> => page.getByRole("button", { name }).first().tap();
/** Returns a function that fills in the app's texts in a language, replacing `{{…}}` by values. */
function translator(language: "es" | "en") {
  return (text: Record<"es" | "en", string>, values: Record<string, string> = {}): string =>
    text[language].replaceAll(/{{(\w+)}}/g, (_, name: string) => values[name] ?? "");
}
const table = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} `) });

/** The restaurant's devices; each evening has them in different roles. */
const evenings: { kind: DeviceKind; others: DeviceKind; language: "es" | "en" }[] = [
  { kind: "phone", others: "tablet", language: "es" },
  { kind: "tablet", others: "pc", language: "en" },
  { kind: "pc", others: "phone", language: "es" },
];

for (const [index, { kind, others, language }] of evenings.entries()) {
  const walk = { tag: kind === "phone" ? "@walk" : [] };
  test(
    `five people work an evening by touch at once (waiters on a ${kind}, ${language}) [TOUCH-2]`,
    walk,
    async ({ open, restaurant }) => {
      test.setTimeout(180_000);
      const suffix = kind;
      const translate = translator(language);
      const beginsWith = (text: Record<"es" | "en", string>) => new RegExp(`^${translate(text)}`);
      const [send, pay] = [beginsWith(orderTexts.send), beginsWith(payTexts.pay)];
      const [allReady, isPaid] = [beginsWith(kitchenTexts.allReady), beginsWith(payTexts.paid)];
      const watcher = await restaurant.terminal(`gerente-${suffix}`);
      await online(watcher);
      const [one, two] = [`Mesa ${7 + index}`, `Terraza ${6 + index}`];
      const key = await (await createOperator(restaurant)).createKey(`reservas ${suffix}`);
      await fetch(`${restaurant.hubUrl}/external/v1/plugins/reservations/events`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Api-Key": key },
        body: JSON.stringify({
          key: `reserva-${suffix}`,
          payload: {
            tableId: 66 + index,
            at: new Date(Date.now() + 10 * 60_000).toISOString(),
            guestName: `Peralta ${index}`,
            partySize: 4,
          },
        }),
      });
      const ana = await open({ name: `ana-${suffix}`, kind, language });
      const luis = await open({ name: `luis-${suffix}`, kind, language });
      const till = await open({ name: `caja-${suffix}`, kind: others, login: "cashier", language });
      const kitchen = await open({ name: `cocina-${suffix}`, kind: others, language });
      const host = await open({ name: `entrada-${suffix}`, kind: others, language });

      // The host seats a booking; Luis sees that its table is occupied.
      await goTo(host, "#/host");
      await tap(host, translate(hostTexts.seatNamed, { name: `Peralta ${index}` }));
      await tap(host, new RegExp(`^${translate(hostTexts.seatAt, { table: two })}`));
      await goTo(kitchen, "#/kitchen");
      await tap(kitchen, beginsWith(kitchenBars.startShift));

      // Ana takes an order; the kitchen prepares it.
      await table(ana, one).tap();
      for (const dish of ["Tostones con salsa de ajo", "Quipes de res"]) await tap(ana, new RegExp(`^${dish}`));
      await tap(ana, send);
      const ticket = kitchen.getByRole("article", { name: one, exact: true });
      await expect(ticket.getByText("Quipes de res")).toBeVisible();
      await ticket.getByRole("button", { name: allReady }).tap();
      await expect(
        ana.getByRole("link", { name: new RegExp(`^${one} .*${translate(floorTexts.ready_other, { count: "2" })}`) }),
      ).toBeVisible();

      // Luis serves the booking's table.
      await luis.getByRole("tab", { name: "Terraza" }).tap();
      await table(luis, two).tap();
      await tap(luis, /^Croquetas de pollo/);
      await tap(luis, send);
      const second = kitchen.getByRole("article", { name: two, exact: true });
      await second.getByRole("button", { name: allReady }).tap();

      // The cashier takes both payments: one in cash, one by card.
      await table(till, one).tap();
      await tap(till, pay);
      await tap(till, translate(payTexts.exact));
      await expect(till.getByRole("heading", { name: isPaid })).toBeVisible();
      await goTo(till, "#/floor");
      await till.getByRole("tab", { name: "Terraza" }).tap();
      await table(till, two).tap();
      await tap(till, pay);
      await tap(till, /^Tarjeta/);
      await expect(till.getByRole("heading", { name: isPaid })).toBeVisible();

      // Both tables are free again on Ana's device, and accounting has each check once.
      await goTo(ana, "#/floor");
      await expect(
        ana.getByRole("link", { name: new RegExp(`^${one} ${translate(floorTexts.state.free)}`) }),
      ).toBeVisible();
      const paid = watcher.orders().filter(({ tableId }) => tableId === 34 + index || tableId === 66 + index);
      expect(paid).toHaveLength(2);
      await expect
        .poll(async () => {
          const { orders } = await restaurant.stub<{ orders: { status: string; posReference: string }[] }>(
            "/stub/v1/orders",
          );
          const isOurs = (posReference: string) => paid.some((order) => order.posReference === posReference);
          return orders.filter(({ posReference, status }) => isOurs(posReference) && status === "paid").length;
        })
        .toBe(2);
    },
  );
}
