import type { PutBooking } from "@comanda/protocol";
import type { Booking } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { TextField } from "../../components/text-field.tsx";
import { localDay, localTime, timeOfDay } from "../../lib/local-time.ts";
import { showNotice } from "../../lib/notices.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { randomText } from "../../lib/random-text.ts";
import { failureText } from "../../lib/show-refusal.ts";
import { undoAct } from "../../lib/undo-act.ts";
import { GuestCount, USUAL_PARTY } from "./guest-count.tsx";
import type { HostBooking } from "./host-day.ts";
import { tablesFor } from "./phone-booking.ts";
import { useSettleBooking } from "./use-settle-booking.ts";

const HOUR_MS = 60 * 60_000;
const HALF_HOUR_MS = HOUR_MS / 2;
const DAY_MS = 24 * HOUR_MS;

/**
 * A booking that comes by telephone is written down as it is said: who, how many, when; the table is proposed. With `booking`
 * it changes one that was.
 */
export function PhoneBookingSheet({ booking, onClose }: { booking: HostBooking | null; onClose: () => void }) {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  const format = useFormat();
  const floors = useLive("floors")?.floors ?? [];
  const settle = useSettleBooking();
  // Made up once: a second attempt writes the same booking, not another.
  const [key] = useState(() => booking?.key ?? `tel-${randomText(12)}`);
  const bookings = useLive("bookings").filter((each) => each.key !== key);
  const [opened] = useState(() => terminal.now());
  // What the person sees, also when somebody changes it meanwhile.
  const [former] = useState(() => (booking === null ? null : phoneBookingOf(booking)));
  const [name, setName] = useState(former?.guestName ?? "");
  const [phone, setPhone] = useState(former?.phone ?? "");
  const [notes, setNotes] = useState(former?.notes ?? "");
  const [partySize, setPartySize] = useState(former?.partySize ?? USUAL_PARTY);
  // The next half hour that they can be there: late in the evening that is tomorrow's.
  const [first] = useState(() =>
    former === null ? Math.ceil((opened + HALF_HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS : Date.parse(former.at),
  );
  const [day, setDay] = useState(() => localDay(first));
  const [time, setTime] = useState(() => localTime(first));
  const [chosen, setChosen] = useState<number | null>(former?.tableId ?? null);
  const [isSaving, setSaving] = useState(false);
  const at = timeOfDay(day, time);
  const proposed = tablesFor({ tables: floors.flatMap((floor) => floor.tables), bookings, partySize, at });
  const tables = proposed.toSorted(
    (one, other) => Number(other.id === former?.tableId) - Number(one.id === former?.tableId),
  );
  const tableId = chosen ?? tables.find(({ bookedAt }) => bookedAt === null)?.id ?? tables[0]?.id ?? null;

  async function save(): Promise<void> {
    if (at === null || tableId === null) return;
    setSaving(true);
    const optional = { phone: phone.trim(), notes: notes.trim() };
    const said = {
      tableId,
      at: new Date(at).toISOString(),
      guestName: name.trim(),
      partySize,
      ...(optional.phone !== "" && { phone: optional.phone }),
      ...(optional.notes !== "" && { notes: optional.notes }),
    };
    try {
      const version = await terminal.putBooking(key, former === null ? said : { ...said, version: former.version });
      const text = t("booked", { name: said.guestName, at: format.dateTime(said.at) });
      showNotice({ text, ...(former !== null && { act: undoAct(() => takeBack(former, version)) }) });
      onClose();
    } catch (error) {
      setSaving(false);
      showNotice({ text: failureText(error) });
    }
  }

  function takeBack(to: PutBooking, version: number): void {
    terminal.putBooking(key, { ...to, version }).catch((error: unknown) => showNotice({ text: failureText(error) }));
  }

  const days = [
    { day: localDay(opened), name: t("today") },
    { day: localDay(opened + DAY_MS), name: t("tomorrow") },
  ];
  return (
    <Sheet title={t(booking === null ? "phoneBooking" : "changeBooking")} onClose={onClose}>
      <form
        className="seat"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("guestName")} value={name} maxLength={120} onValue={setName} />
        <fieldset className="booking-days">
          <legend>{t("when")}</legend>
          {days.map((each) => (
            <ActButton key={each.day} aria-pressed={each.day === day} onAct={() => setDay(each.day)}>
              {each.name}
            </ActButton>
          ))}
          <input
            type="date"
            aria-label={t("day")}
            value={day}
            min={localDay(Math.min(opened, first))}
            required
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <input
            type="time"
            aria-label={t("time")}
            value={time}
            step={300}
            required
            onChange={(event) => setTime(event.currentTarget.value)}
          />
        </fieldset>
        <GuestCount count={partySize} onCount={setPartySize} />
        <TextField label={t("phone")} type="tel" value={phone} maxLength={40} onValue={setPhone} />
        <TextField label={t("bookingNotes")} value={notes} maxLength={500} onValue={setNotes} />
        <fieldset className="seat-tables">
          <legend>{t("table")}</legend>
          {tables.map(({ id, name: tableName, seats, bookedAt }) => (
            <ActButton key={id} aria-pressed={id === tableId} onAct={() => setChosen(id)}>
              <span>
                {tableName}
                <span className="act-more">
                  {bookedAt === null
                    ? t("seats", { count: seats })
                    : t("bookedThen", { time: format.time(new Date(bookedAt).toISOString()) })}
                </span>
              </span>
            </ActButton>
          ))}
        </fieldset>
        {booking !== null && (
          <ActButton
            kind="danger"
            className="booking-cancel"
            onAct={() => {
              onClose();
              void settle(booking, "cancelled");
            }}
          >
            {t("cancelBooking")}
          </ActButton>
        )}
        <div className="booking-save">
          <button
            type="submit"
            className="act"
            data-kind="main"
            disabled={name.trim() === "" || at === null || tableId === null || isSaving}
          >
            {t(booking === null ? "book" : "saveBooking")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

/** What a booking by telephone says, as it is written down. */
function phoneBookingOf({ version, reservation }: Booking): PutBooking & { version: number } {
  const { tableId, at, guestName, partySize = USUAL_PARTY, phone, notes } = reservation;
  return {
    tableId,
    at,
    guestName,
    partySize,
    ...(phone !== undefined && { phone }),
    ...(notes !== undefined && { notes }),
    version,
  };
}
