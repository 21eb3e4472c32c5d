import { MINUTE_MS, type OrderType } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { localTime } from "../../../lib/labels/local-time.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import type { ContactDraft } from "./contact-draft.ts";

/** Usual promises to guests, in minutes. */
const PROMISES = [15, 20, 30, 45, 60];

/** Telephone and promised time of a takeaway, and the address of a delivery. */
export function ContactFields({
  orderType,
  draft,
  onDraft,
}: {
  orderType: OrderType;
  draft: ContactDraft;
  onDraft: (draft: ContactDraft) => void;
}) {
  const { t } = useTranslation("check");
  const { timeZone } = useFormat();
  const terminal = useTerminal();
  const timeIn = (minutes: number) => localTime(terminal.now() + minutes * MINUTE_MS, timeZone);
  return (
    <>
      <TextField
        label={t("phone")}
        type="tel"
        value={draft.phone}
        maxLength={40}
        onValue={(phone) => onDraft({ ...draft, phone })}
      />
      {orderType === "delivery" && (
        <label className="field">
          <span>{t("address")}</span>
          <textarea
            rows={2}
            value={draft.address}
            maxLength={300}
            onChange={(event) => onDraft({ ...draft, address: event.currentTarget.value })}
          />
        </label>
      )}
      <Choices
        legend={t("promised")}
        of={PROMISES}
        chosen={PROMISES.find((minutes) => timeIn(minutes) === draft.time) ?? null}
        text={(minutes) => t("inMinutes", { count: minutes })}
        onChoose={(minutes) => onDraft({ ...draft, time: timeIn(minutes) })}
        size="small"
      >
        <input
          type="time"
          className="input"
          aria-label={t("promised")}
          value={draft.time}
          onChange={(event) => onDraft({ ...draft, time: event.currentTarget.value })}
        />
      </Choices>
    </>
  );
}
