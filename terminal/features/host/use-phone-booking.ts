import type { PutBooking } from "@comanda/protocol";
import type { Booking } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { dayOf } from "@comanda/ui/zoned-time.ts";
import { localTime, timeOfDay } from "../../lib/labels/local-time.ts";
import { useFormDraft } from "../../lib/page/form-draft.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { randomText } from "../../lib/device/random-text.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import { undoAct } from "../../lib/page/undo-act.ts";
import { USUAL_PARTY } from "./guest-count.tsx";
import type { HostBooking } from "./host-day.ts";
import { tablesFor } from "./phone-booking.ts";

const HALF_HOUR_MS = 30 * 60_000;

/** State of a booking by telephone: the draft, and the tables for it. */
export function usePhoneBooking(booking: HostBooking | null, onClose: () => void) {
  const { t, format } = useTranslation("host");
  const terminal = useTerminal();
  const floors = useLive("floors")?.floors ?? [];
  const [opened] = useState(() => terminal.now());
  const [form, changeForm] = useFormDraft(phoneForm(booking), () => {
    const former = booking === null ? null : phoneBookingOf(booking);
    const first = former === null ? nextHalfHour(opened) : Date.parse(former.at);
    return {
      // Generated once: a retry writes the same booking, not another one.
      key: booking?.key ?? `tel-${randomText(12)}`,
      // The state shown to the user, also if it is changed elsewhere meanwhile.
      former,
      first,
      typed: {
        name: former?.guestName ?? "",
        phone: former?.phone ?? "",
        notes: former?.notes ?? "",
        partySize: former?.partySize ?? USUAL_PARTY,
        day: dayOf(first, format.timeZone),
        time: localTime(first, format.timeZone),
        /** Null for the proposed table. */
        tableId: former?.tableId ?? null,
      },
    };
  });
  const { key, former, first, typed: draft } = form;
  const bookings = useLive("bookings").filter((each) => each.key !== key);
  const { partySize } = draft;
  const [isSaving, setSaving] = useState(false);
  const at = timeOfDay(draft.day, draft.time, format.timeZone);
  const proposed = tablesFor({ tables: floors.flatMap((floor) => floor.tables), bookings, partySize, at });
  const tables = proposed.toSorted(
    (one, other) => Number(other.id === former?.tableId) - Number(one.id === former?.tableId),
  );
  const tableId = draft.tableId ?? tables.find(({ bookedAt }) => bookedAt === null)?.id ?? tables[0]?.id ?? null;

  return {
    draft,
    change: (part: Partial<typeof draft>): void => changeForm({ typed: { ...draft, ...part } }),
    /** When the sheet was opened, and the first day to choose from, ms since 1970. */
    opened,
    earliest: Math.min(opened, first),
    tables,
    tableId,
    canSave: draft.name.trim() !== "" && at !== null && tableId !== null && !isSaving,
    save,
  };

  async function save(): Promise<void> {
    if (at === null || tableId === null) return;
    setSaving(true);
    const details = {
      tableId,
      at: new Date(at).toISOString(),
      guestName: draft.name.trim(),
      partySize,
      phone: draft.phone.trim() || undefined,
      notes: draft.notes.trim() || undefined,
    };
    try {
      const version = await terminal.putBooking(
        key,
        former === null ? details : { ...details, version: former.version },
      );
      const text = t("booked", { name: details.guestName, at: format.dateTime(details.at) });
      showNotice({ text, ...(former !== null && { act: undoAct(() => takeBack(former, version)) }) });
      onClose();
    } catch (error) {
      setSaving(false);
      showRefusal(error);
    }
  }

  function takeBack(to: PutBooking, version: number): void {
    terminal.putBooking(key, { ...to, version }).catch(showRefusal);
  }
}

/** Names the form of a booking, or of a new one. */
export function phoneForm(booking: HostBooking | null): string {
  return `booking ${booking?.key ?? ""}`;
}

/** Returns the next half hour that guests can make; late in the evening, that is tomorrow. */
function nextHalfHour(now: number): number {
  return Math.ceil((now + HALF_HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
}

/** Returns a booking by telephone as it was entered. */
function phoneBookingOf({ version, reservation }: Booking): PutBooking & { version: number } {
  const { tableId, at, guestName, partySize = USUAL_PARTY, phone, notes } = reservation;
  return { tableId, at, guestName, partySize, phone, notes, version };
}
