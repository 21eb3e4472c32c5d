import { expect, it } from "vitest";
import { approvers, colleagues, refunders } from "./people-list.ts";

const people = [
  { id: 8, name: "Wendy Almonte", role: "waiter", mayRefund: true },
  { id: 7, name: "Carlos Jiménez", role: "cashier" },
  { id: 6, name: "Marisol Peña", role: "manager", mayRefund: true },
  { id: 9, name: "Clara Rosario", role: "manager" },
] as const;

it("approvers are listed by rights, without waiters and the person who asks [TOUCH-140]", () => {
  expect(approvers(people, 7).map(({ id }) => id)).toEqual([9, 6]);
  expect(approvers(people, 6).map(({ id }) => id)).toEqual([9, 7]);
});

it("for a refund only people with that right are listed, whatever their role, without the person who asks [TOUCH-140]", () => {
  expect(refunders(people, 7).map(({ id }) => id)).toEqual([6, 8]);
  expect(refunders(people, 6).map(({ id }) => id)).toEqual([8]);
});

it("everybody else is listed by name [TOUCH-141]", () => {
  expect(colleagues(people, "8").map(({ id }) => id)).toEqual([7, 9, 6]);
  const numbered = [10, 2].map((id) => ({ id, name: `Mesero ${id}`, role: "waiter" }) as const);
  expect(colleagues(numbered, undefined).map(({ id }) => id)).toEqual([2, 10]);
});
