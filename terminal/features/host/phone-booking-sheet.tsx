import { useFormat } from "@comanda/ui/format.ts";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "../../components/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { TextField } from "../../components/text-field.tsx";
import { localDay, localTime, timeOfDay } from "../../lib/local-time.ts";
import { showNotice } from "../../lib/notices.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { randomText } from "../../lib/random-text.ts";
import { failureText } from "../../lib/show-refusal.ts";
import { GuestCount, USUAL_PARTY } from "./guest-count.tsx";
import { tablesFor } from "./phone-booking.ts";

const HOUR_MS = 60 * 60_000;
const HALF_HOUR_MS = HOUR_MS / 2;
const DAY_MS = 24 * HOUR_MS;

/** A booking that comes by telephone is written down as it is said: who, how many, when; the table is proposed. */
export function PhoneBookingSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  const format = useFormat();
  const floors = useLive("floors")?.floors ?? [];
  const bookings = useLive("bookings");
  // Made up once: a second attempt writes the same booking, not another.
  const [key] = useState(() => `tel-${randomText(12)}`);
  const [opened] = useState(() => terminal.now());
  const [name, setName] = useState("");
  const [phone, setPhone] = useState("");
  const [notes, setNotes] = useState("");
  const [partySize, setPartySize] = useState(USUAL_PARTY);
  // The next half hour that they can be there: late in the evening that is tomorrow's.
  const [soonest] = useState(() => Math.ceil((opened + HALF_HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS);
  const [day, setDay] = useState(() => localDay(soonest));
  const [time, setTime] = useState(() => localTime(soonest));
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const at = timeOfDay(day, time);
  const tables = tablesFor({ tables: floors.flatMap((floor) => floor.tables), bookings, partySize, at });
  const tableId = chosen ?? tables.find(({ bookedAt }) => bookedAt === null)?.id ?? tables[0]?.id ?? null;

  async function save(): Promise<void> {
    if (at === null || tableId === null) return;
    setSaving(true);
    const optional = { phone: phone.trim(), notes: notes.trim() };
    try {
      await terminal.http.putBooking(key, {
        tableId,
        at: new Date(at).toISOString(),
        guestName: name.trim(),
        partySize,
        ...(optional.phone !== "" && { phone: optional.phone }),
        ...(optional.notes !== "" && { notes: optional.notes }),
      });
      showNotice({ text: t("booked", { name: name.trim(), at: format.dateTime(new Date(at).toISOString()) }) });
      onClose();
    } catch (error) {
      setSaving(false);
      showNotice({ text: failureText(error) });
    }
  }

  const days = [
    { day: localDay(opened), name: t("today") },
    { day: localDay(opened + DAY_MS), name: t("tomorrow") },
  ];
  return (
    <Sheet title={t("phoneBooking")} onClose={onClose}>
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
            min={localDay(opened)}
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
        <button
          type="submit"
          className="act"
          data-kind="main"
          disabled={name.trim() === "" || at === null || tableId === null || isSaving}
        >
          {t("book")}
        </button>
      </form>
    </Sheet>
  );
}
