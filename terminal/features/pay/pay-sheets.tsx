import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { ForeignSheet, PartSheet, TipSheet, TypedAmountSheet } from "./amount-sheets.tsx";
import { CreditSheet } from "./credit-sheet.tsx";
import { FiscalSheet } from "./fiscal-sheet.tsx";
import { TakeBackSheet } from "./take-back-sheet.tsx";
import type { Payment } from "./use-payment.ts";

/** The open sheet of the payment. */
export function PaySheets({ payment, menu }: { payment: Payment; menu: MenuIndex }) {
  const { sheet } = payment;
  if (sheet === null) return null;
  if (sheet === "part") return <PartSheet payment={payment} />;
  if (sheet === "tip") return <TipSheet payment={payment} />;
  if (sheet === "fiscal") return <FiscalSheet payment={payment} />;
  if ("typed" in sheet) return <TypedAmountSheet payment={payment} typed={sheet.typed} />;
  if ("foreign" in sheet) return <ForeignSheet payment={payment} kind={sheet.foreign} />;
  if ("takeBack" in sheet) return <TakeBackSheet payment={payment} tender={sheet.takeBack} menu={menu} />;
  // Another device may have taken a part meanwhile.
  const amount = Math.min(sheet.amount, payment.asking.due);
  return <CreditSheet payment={payment} method={sheet.credit} amount={amount} />;
}
