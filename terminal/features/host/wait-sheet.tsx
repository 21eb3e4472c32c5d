import type { Snapshot } from "@comanda/protocol";
import { seatedSince } from "@comanda/rules";
import type { Waiting } from "@comanda/terminal";
import { useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Form } from "@comanda/ui/form.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { randomText } from "../../lib/device/random-text.ts";
import { useFormDraft } from "../../lib/page/form-draft.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { useRecent } from "../../checks/use-recent.ts";
import { GuestCount, USUAL_PARTY } from "./guest-count.tsx";
import { tablesFor } from "./phone-booking.ts";
import { quoteMinutes, usualQuote } from "./quote.ts";

const quotes = [5, 10, 15, 20, 30, 45, 60, 90];

/**
 * Adds guests without a booking to the wait list, with a quoted time. With `waiting`, changes an entry, which keeps its place.
 */
export function WaitSheet({
  waiting,
  ahead,
  onClose,
}: {
  waiting: Waiting | null;
  ahead: readonly Waiting[];
  onClose: () => void;
}) {
  const { t } = useTranslation(["host", "check"]);
  const terminal = useTerminal();
  const [draft, change] = useFormDraft(waitForm(waiting), () => ({
    // Generated once: a retry writes the same party, not another one.
    key: waiting?.key ?? randomText(12),
    version: waiting?.version,
    name: waiting?.party.guestName ?? "",
    phone: waiting?.party.phone ?? "",
    partySize: waiting?.party.partySize ?? USUAL_PARTY,
    /** Null for the proposed time. */
    quotedMinutes: waiting?.party.quotedMinutes ?? null,
  }));
  const { key, version, name, phone, partySize } = draft;
  const [isSaving, setSaving] = useState(false);
  const expected = useQuote(ahead, partySize);
  const parties = ahead.map(({ party }) => party);
  const quoted = draft.quotedMinutes ?? expected ?? usualQuote(parties, terminal.now());
  const save = async () => {
    setSaving(true);
    const party = { guestName: name.trim(), partySize, quotedMinutes: quoted, status: "waiting" as const };
    try {
      await terminal.putWaiting(key, { ...party, phone: phone.trim() || undefined }, version);
      onClose();
    } catch (error) {
      setSaving(false);
      showRefusal(error);
    }
  };
  return (
    <Sheet title={t("waitList")} onClose={onClose}>
      <Form className="stack tight seat" onSubmit={save}>
        <TextField
          isFirst
          label={t("guestName")}
          value={name}
          maxLength={120}
          onValue={(typed) => change({ name: typed })}
        />
        <GuestCount count={partySize} onCount={(count) => change({ partySize: count })} />
        <Choices
          legend={
            <>
              {t("quote")}{" "}
              {expected === 0 ? t("tableFree") : expected !== null && t("quoteExpected", { count: expected })}
            </>
          }
          className="seat-guests seat-quotes"
          of={[...new Set([...quotes, quoted])].toSorted((one, other) => one - other)}
          chosen={quoted}
          onChoose={(quotedMinutes) => change({ quotedMinutes })}
        />
        <TextField
          label={t("phone")}
          type="tel"
          value={phone}
          maxLength={40}
          onValue={(typed) => change({ phone: typed })}
        />
        <button type="submit" className="act" data-kind="main" disabled={name.trim() === "" || isSaving}>
          {t(waiting === null ? "writeDown" : "check:save")}
        </button>
      </Form>
    </Sheet>
  );
}

/** Names the form of a party on the wait list, or of a new one. */
export function waitForm(waiting: Waiting | null): string {
  return `wait ${waiting?.key ?? ""}`;
}

/** Estimates the wait from the occupied tables and the turns of this shift. */
function useQuote(ahead: readonly Waiting[], partySize: number): number | null {
  const terminal = useTerminal();
  const floors = useLive("floors");
  const orders = useLive("orders");
  const bookings = useLive("bookings");
  const { checks } = useRecent();
  return useMemo(() => {
    const opened = (check: { snapshot: Snapshot }) => Date.parse(seatedSince(check.snapshot));
    const now = terminal.now();
    const tables = (floors?.floors ?? []).flatMap((floor) => floor.tables);
    const seating = {
      tables: tablesFor({ tables, bookings, partySize, at: now }),
      occupiedSince: new Map([...checksByTable(orders)].map(([id, of]) => [id, Math.min(...of.map(opened))])),
      turnsMs: checks
        .filter(({ snapshot }) => snapshot.orderType === "dine_in")
        .map((check) => Date.parse(check.paidAt) - opened(check)),
      ahead: ahead.map(({ party }) => party.partySize),
    };
    return quoteMinutes(seating, partySize, now);
  }, [terminal, floors, orders, bookings, checks, ahead, partySize]);
}
