import "../../test/page-address.ts";
import type { PaymentMethod, UncountedMethod } from "@comanda/protocol";
import { expect, it } from "vitest";
import { amountFields, underCashOfShift } from "./use-count.ts";

const [CASH, CARD, BAR] = [1, 2, 3];
const paymentMethods: PaymentMethod[] = [
  { id: CASH, name: "Efectivo", type: "cash" },
  { id: CARD, name: "Tarjeta", type: "bank" },
  { id: BAR, name: "Efectivo bar", type: "cash" },
];
const dollars = { currencies: [{ code: "USD", rate: 60, rounding: 1 }], paymentMethods };
const namesOf = (...args: Parameters<typeof amountFields>): string[] => amountFields(...args).map(({ name }) => name);

it("a count has fields for money that the hub requires and the menu lacks, by method and currency [TILL-22]", () => {
  expect(namesOf(dollars, CASH, [])).toEqual(["USD", "Tarjeta", "Efectivo bar"]);
  expect(namesOf({ paymentMethods }, CASH, [{ methodId: "1", currency: "USD" }])).toContain("USD");
  // Dollars of another cash method are not those of the main one: the hub counts them separately.
  const uncounted = [{ methodId: "3", currency: "USD" }, { methodId: "1" }, { methodId: "1", currency: "USD" }];
  const fields = amountFields(dollars, CASH, uncounted);
  expect(fields.map(({ name }) => name)).toEqual(["USD", "Tarjeta", "Efectivo bar", "USD (Efectivo bar)"]);
  expect(fields.at(-1)).toMatchObject({ methodId: "3", currency: "USD", isCash: true });
  // The cash method was another one when the shift was opened.
  expect(namesOf(dollars, CASH, [{ methodId: "9" }, { methodId: "9", currency: "USD" }]).slice(3)).toEqual([
    "9",
    "USD (9)",
  ]);
});

it("money that the hub requires as cash counts as cash, whatever the menu says of its method [TILL-22]", () => {
  const isCash = (uncounted: UncountedMethod[]) =>
    amountFields({ paymentMethods }, CASH, uncounted).find(({ name }) => name === "Tarjeta")?.isCash;
  expect([isCash([]), isCash([{ methodId: "2" }])]).toEqual([false, true]);
});

it("a typed amount stays when its currency is not accepted any more [TILL-22]", () => {
  const keyIn = (...args: Parameters<typeof amountFields>) =>
    amountFields(...args).find(({ currency }) => currency === "USD")?.key;
  expect(keyIn({ paymentMethods }, CASH, [{ methodId: "1", currency: "USD" }])).toBe(keyIn(dollars, CASH, []));
});

it("the drawer is counted under the shift's cash method if the menu has none any more [TILL-22]", () => {
  const counted = [
    { methodId: "cash", amount: 500, pieces: [{ value: 500, count: 1 }] },
    { methodId: CARD, amount: 90 },
  ];
  expect(underCashOfShift(counted, [{ methodId: "1", currency: "USD" }, { methodId: "1" }])).toEqual([
    { ...counted[0], methodId: "1" },
    counted[1],
  ]);
  expect(underCashOfShift(counted, [{ methodId: "1", currency: "USD" }])).toBeNull();
  expect(underCashOfShift([{ methodId: CASH, amount: 500 }], [{ methodId: "9" }])).toBeNull();
});
