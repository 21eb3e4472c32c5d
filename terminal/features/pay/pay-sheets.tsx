import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { PartSheet, TipSheet, TypedAmountSheet } from "./amount-sheets.tsx";
import { CreditSheet } from "./credit-sheet.tsx";
import { FiscalSheet } from "./fiscal-sheet.tsx";
import { ForeignSheet } from "./amount-sheets.tsx";
import { chooseCustomer } from "./pay-draft.ts";
import { withTip } from "./tender.ts";
import { TakeBackSheet } from "./take-back-sheet.tsx";
import type { Payment } from "./use-payment.ts";

/** The open sheet of the payment. */
export function PaySheets({ payment, menu }: { payment: Payment; menu: MenuIndex }) {
  const { sheet, setSheet, draft, change, types, type, total } = payment;
  const close = (): void => setSheet(null);
  if (sheet === null) return null;
  if (sheet === "part") return <PartSheet payment={payment} />;
  if (sheet === "tip") return <TipSheet payment={payment} />;
  if (sheet === "fiscal") return <FiscalSheet {...{ types, type, draft, total }} onChange={change} onClose={close} />;
  if ("typed" in sheet) return <TypedAmountSheet payment={payment} typed={sheet.typed} />;
  if ("foreign" in sheet) return <ForeignSheet payment={payment} kind={sheet.foreign} />;
  if ("takeBack" in sheet) {
    const { tenderId, methodId } = sheet.takeBack;
    return (
      <TakeBackSheet
        tender={sheet.takeBack}
        method={methodName(menu, methodId)}
        onClose={close}
        onTakeBack={(reason) => {
          close();
          void payment.takeBack(tenderId, withTip(sheet.takeBack), reason);
        }}
      />
    );
  }
  return (
    <CreditSheet
      method={sheet.credit.name}
      // Another device may have taken a part meanwhile.
      amount={Math.min(sheet.amount, payment.asking.due)}
      customer={draft.customer}
      onClose={close}
      onCustomer={(found) => change(chooseCustomer(draft, found))}
      onTake={(cents) => payment.takeCredit(sheet.credit, cents)}
    />
  );
}
