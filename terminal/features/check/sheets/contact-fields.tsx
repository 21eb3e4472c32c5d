import { MINUTE_MS, type OrderType } from "@comanda/protocol";
import { CONTACT, contactOf, type Contact } from "@comanda/rules";
import type { OrderContent } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { localTime, nextTimeOf } from "../../../lib/words/local-time.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";

/** What the fields hold while they are typed in. */
export interface ContactDraft {
  phone: string;
  address: string;
  /** `19:30`, or nothing. */
  time: string;
}

/** What guests are usually told. */
const PROMISES = [15, 20, 30, 45, 60];

export function contactDraft({ pluginData }: Pick<OrderContent, "pluginData">): ContactDraft {
  const { phone = "", address = "", promisedAt } = contactOf({ pluginData });
  return { phone, address, time: promisedAt === undefined ? "" : localTime(Date.parse(promisedAt)) };
}

/** The check with what was typed; what else of it an integration has written stays. */
export function withContact(content: OrderContent, draft: ContactDraft, now: number): OrderContent {
  const before = contactDraft(content);
  const isSame = (Object.keys(draft) as (keyof ContactDraft)[]).every((field) => draft[field].trim() === before[field]);
  if (isSame) return content;
  const { phone: _, address: __, promisedAt: was, ...others } = content.pluginData?.[CONTACT] ?? {};
  const at = draft.time === before.time ? null : nextTimeOf(draft.time, now);
  const promisedAt = at === null ? (draft.time === "" ? undefined : was) : new Date(at).toISOString();
  const contact = {
    ...others,
    ...(draft.phone.trim() !== "" && { phone: draft.phone.trim() }),
    ...(draft.address.trim() !== "" && { address: draft.address.trim() }),
    ...(promisedAt !== undefined && { promisedAt }),
  } satisfies Contact | object;
  return { ...content, pluginData: { ...content.pluginData, [CONTACT]: contact } };
}

/** Telephone and promised time of what is taken away, and where a delivery goes. */
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
  const terminal = useTerminal();
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
      <fieldset className="chips">
        <legend>{t("promised")}</legend>
        {PROMISES.map((minutes) => {
          const time = localTime(terminal.now() + minutes * MINUTE_MS);
          return (
            <ActButton
              key={minutes}
              size="small"
              aria-pressed={draft.time === time}
              onAct={() => onDraft({ ...draft, time })}
            >
              {t("inMinutes", { count: minutes })}
            </ActButton>
          );
        })}
        <input
          type="time"
          className="input"
          aria-label={t("promised")}
          value={draft.time}
          onChange={(event) => onDraft({ ...draft, time: event.currentTarget.value })}
        />
      </fieldset>
    </>
  );
}
