import { useFormat } from "@comanda/ui/format.ts";
import { Form } from "@comanda/ui/form.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { GuestKeys } from "../../../components/guest-keys.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { useFormDraft } from "../../../lib/page/form-draft.ts";
import { contactDraft } from "./contact-draft.ts";
import { ContactFields } from "./contact-fields.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { writeDetails } from "./write-details.ts";

/** The details of a check: name, guests, notes, contact and order type. */
export function DetailsSheet({ order: { posReference, snapshot }, onClose, onDone }: SheetProps) {
  const { t } = useTranslation(["check", "kitchen"]);
  const { timeZone } = useFormat();
  const menu = useMenu()?.menu;
  const terminal = useTerminal();
  const act = useCheckAct(onDone);
  const [draft, change] = useFormDraft(`details ${posReference}`, () => ({
    opened: snapshot,
    customerName: snapshot.customerName ?? "",
    notes: snapshot.notes ?? "",
    guestCount: snapshot.guestCount,
    contact: contactDraft(snapshot, timeZone),
    orderType: snapshot.orderType,
  }));
  const { opened, ...typed } = draft;
  const types =
    snapshot.tableId === null ? (["takeout", "delivery"] as const) : (["dine_in", "takeout", "delivery"] as const);
  const save = () =>
    act({
      what: t("details"),
      done: t("done.saved"),
      posReference,
      edit: (content) => writeDetails(content, { typed, opened }, { now: terminal.now(), timeZone, menu }),
      undo: [posReference],
    });
  return (
    <Sheet title={t("details")} onClose={onClose}>
      <Form className="stack details" onSubmit={save}>
        <TextField
          label={t("customer")}
          value={typed.customerName}
          maxLength={120}
          onValue={(customerName) => change({ customerName })}
        />
        <GuestKeys count={typed.guestCount} onCount={(guestCount) => change({ guestCount })} />
        <Choices
          aria-label={t("type")}
          className="check-chips"
          of={types}
          chosen={typed.orderType}
          text={(type) => t(`kitchen:orderTypes.${type}`)}
          onChoose={(orderType) => change({ orderType })}
          size="small"
        />
        {typed.orderType !== "dine_in" && (
          <ContactFields orderType={typed.orderType} draft={typed.contact} onDraft={(contact) => change({ contact })} />
        )}
        <label className="field">
          <span>{t("notes")}</span>
          <textarea
            rows={3}
            value={typed.notes}
            maxLength={1000}
            onChange={(event) => change({ notes: event.currentTarget.value })}
          />
        </label>
        <div className="sheet-foot">
          <button type="submit" className="act" data-kind="main">
            {t("save")}
          </button>
        </div>
      </Form>
    </Sheet>
  );
}
