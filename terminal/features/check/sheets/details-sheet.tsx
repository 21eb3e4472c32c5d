import { useState } from "react";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { GuestKeys } from "../../../components/guest-keys.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
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
  const [opened] = useState(snapshot);
  const [customerName, setCustomerName] = useState(snapshot.customerName ?? "");
  const [notes, setNotes] = useState(snapshot.notes ?? "");
  const [guestCount, setGuestCount] = useState(snapshot.guestCount);
  const [contact, setContact] = useState(() => contactDraft(snapshot, timeZone));
  const [orderType, setOrderType] = useState(snapshot.orderType);
  const types =
    snapshot.tableId === null ? (["takeout", "delivery"] as const) : (["dine_in", "takeout", "delivery"] as const);
  const save = () =>
    act({
      what: t("details"),
      done: t("done.saved"),
      posReference,
      edit: (content) =>
        writeDetails(
          content,
          { typed: { customerName, notes, guestCount, contact, orderType }, opened },
          { now: terminal.now(), timeZone, menu },
        ),
      undo: [posReference],
    });
  return (
    <Sheet title={t("details")} onClose={onClose}>
      <form
        className="stack details"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label={t("customer")} value={customerName} maxLength={120} onValue={setCustomerName} />
        <GuestKeys count={guestCount} onCount={setGuestCount} />
        <Choices
          aria-label={t("type")}
          className="check-chips"
          of={types}
          chosen={orderType}
          text={(type) => t(`kitchen:orderTypes.${type}`)}
          onChoose={setOrderType}
          size="small"
        />
        {orderType !== "dine_in" && <ContactFields orderType={orderType} draft={contact} onDraft={setContact} />}
        <label className="field">
          <span>{t("notes")}</span>
          <textarea rows={3} value={notes} maxLength={1000} onChange={(event) => setNotes(event.currentTarget.value)} />
        </label>
        <div className="sheet-foot">
          <button type="submit" className="act" data-kind="main">
            {t("save")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
