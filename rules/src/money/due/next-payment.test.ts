import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { nextPayment } from "./next-payment.ts";

const by = { methodId: 1, terminalId: "caja", takenBy: "Carla", takenAt: "2026-11-22T20:00:00.000Z" };
const check = (tenders: Snapshot["tenders"]) => ({ totals: { subtotal: 850, tax: 150, total: 1_000 }, tenders });

it("[TOUCH-60] asks for a part after the other, each with its tip, and for all that is left where nothing is divided", () => {
  const whole = nextPayment(check([]), { division: null, tip: null });
  expect(whole).toEqual({
    due: 100_000,
    soFar: { paid: 0, tipped: 0 },
    parts: [],
    next: -1,
    asked: { amount: 100_000, tip: 0 },
  });

  const tip = { percent: 10, paid: 30_000, tipped: 0 };
  const division = { division: { first: 20_000 }, paid: 30_000 };
  const first = check([{ tenderId: "a", amount: 300, ...by }]);
  expect(nextPayment(first, { division, tip })).toMatchObject({ next: 0, asked: { amount: 20_000, tip: 2_000 } });
  const rest = check([...(first.tenders ?? []), { tenderId: "b", amount: 200, tip: 20, ...by }]);
  expect(nextPayment(rest, { division, tip })).toMatchObject({
    due: 50_000,
    next: 1,
    asked: { amount: 50_000, tip: 5_000 },
  });
});

it("[TOUCH-60] asks for nothing once the check is paid", () => {
  const paid = check([{ tenderId: "a", amount: 1_200, ...by }]);
  expect(nextPayment(paid, { division: null, tip: null })).toMatchObject({ due: 0, asked: { amount: 0, tip: 0 } });
});

it("[TOUCH-75] asks for no tip, and for no parts, of a check that costs nothing", () => {
  const free = { totals: { subtotal: 850, tax: 150, total: 0 }, tenders: [] };
  const chosen = { division: { division: { count: 3 }, paid: 0 }, tip: { cents: 10_000, tipped: 0 } };
  expect(nextPayment(free, chosen)).toMatchObject({ due: 0, parts: [], next: -1, asked: { amount: 0, tip: 0 } });
});
