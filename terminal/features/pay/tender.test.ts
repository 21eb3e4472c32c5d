import { expect, it } from "vitest";
import { tenderOf } from "./tender.ts";

const cash = { id: 1, name: "Efectivo", type: "cash" } as const;
const card = { id: 2, name: "Tarjeta", type: "bank" } as const;

it("cash is sent with the tendered amount, the change and the tip [TOUCH-73]", () => {
  const money = { amount: 85_000, tip: 5_000, change: 10_000 };
  expect(tenderOf({ method: cash, money, fiscal: { type: "E32" } })).toEqual({
    methodId: 1,
    amount: 850,
    tendered: 1_000,
    change: 100,
    tip: 50,
    fiscal: { type: "E32" },
  });
});

it("another method is sent with its amount, and credit with its customer [TOUCH-71]", () => {
  const money = { amount: 33_33, tip: 0, change: 0 };
  expect(tenderOf({ method: card, money, fiscal: undefined })).toEqual({ methodId: 2, amount: 33.33 });
  const customer = { id: 51, name: "Constructora del Este SRL" };
  expect(tenderOf({ method: card, money, customer, fiscal: undefined })).toMatchObject({ customerId: 51 });
});

it("foreign cash is sent beside its value [TOUCH-310]", () => {
  const foreign = { currency: "USD", amount: 20, rate: 60 };
  const money = { amount: 1_000_00, tip: 0, change: 200_00 };
  expect(tenderOf({ method: cash, money, foreign, fiscal: undefined })).toEqual({
    methodId: 1,
    amount: 1_000,
    tendered: 1_200,
    change: 200,
    foreign,
  });
});
