import { isActive, type OrderDetail } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { ActionButton } from "../../components/action-button.tsx";
import { notify } from "../../components/use-act.ts";
import { callHub } from "../../lib/hub.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useMayRefund } from "../../lib/session.ts";

/** Has the back-office make a credit note; only for a paid check, and for a user who may refund. */
export function CreditNoteButton({ detail: { order, removed, creditNotes } }: { detail: OrderDetail }) {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const mayRefund = useMayRefund();
  const { posReference, snapshot } = order;
  if (!mayRefund || removed || creditNotes.length > 0 || isActive(snapshot.status)) return null;
  return (
    <ActionButton
      size="xs"
      action={{
        label: t("creditNote"),
        needsConfirmation: true,
        confirm: {
          title: t("creditNoteOf", { reference: posReference }),
          body: t(snapshot.ncf === undefined ? "creditNoteBodyPlain" : "creditNoteBody", { ncf: snapshot.ncf }),
          submitLabel: t("makeCreditNote"),
        },
        run: async () => {
          const note = await callHub("creditNote", { params: { posReference } });
          notify(t("creditNoteMade", { ncf: note.ncf, total: format.money(note.total) }), { stays: true });
        },
      }}
    />
  );
}
