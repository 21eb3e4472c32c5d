import { isByPhone, MINUTE_MS, WAITING_PLUGIN } from "@comanda/protocol";
import { checksByRecord, type Waiting } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { IconClockHour4, IconPhone, IconWalk } from "@tabler/icons-react";
import { useMemo, useState, useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { BookingRow } from "./booking-row.tsx";
import { bookingsOfDay, isExpected, type HostBooking } from "./host-day.ts";
import { isSameParty, partyOfBooking, partyOfWaiting, type Party } from "./party.ts";
import { PhoneBookingSheet } from "./phone-booking-sheet.tsx";
import { SeatSheet, SettledSheet } from "./seat-sheet.tsx";
import { WaitSheet, waitForm } from "./wait-sheet.tsx";
import { WaitingRow } from "./waiting-row.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useFormLeft } from "../../lib/page/form-draft.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { phoneForm } from "./use-phone-booking.ts";
import { useSettleBooking } from "./use-settle-booking.ts";
import "../../components/screen.css";
import "./host.css";

/** The open sheet; a null party, waiting or booking is a new one. */
type OpenSheet =
  | { name: "seat"; party: Party | null }
  | { name: "wait"; waiting: Waiting | null }
  | { name: "phone"; booking: HostBooking | null }
  | { name: "settle"; booking: HostBooking }
  | null;

/** Up to how many guests are found without a search. */
const SHORT_LIST = 8;

/** The day's bookings, expected ones first, and a table or a place on the wait list for guests without one. */
export function HostScreen() {
  const { t } = useTranslation(["host", "order"]);
  const terminal = useTerminal();
  const { today, waiting, parties } = useGuests();
  useArrivals(parties);
  const left = useFormLeft();
  const [sheet, setSheet] = useState<OpenSheet>(() => (left === null ? null : newSheetOf(left)));
  const close = () => setSheet(null);
  const currentParty = (party: Party) => parties.find((each) => isSameParty(each, party)) ?? party;
  const currentBooking = (booking: HostBooking) => today.find(({ key }) => key === booking.key) ?? booking;
  const aheadOf = (party: Waiting | null) =>
    party === null ? waiting : waiting.filter((each) => each.party.since < party.party.since);
  const [typed, setTyped] = useState("");
  const matches = matcherOf(typed);
  const found = today.filter(({ reservation: { guestName, phone } }) => matches(guestName, phone));
  const foundWaiting = waiting.filter(({ party: { guestName, phone } }) => matches(guestName, phone));
  const expected = found.filter(isExpected);
  const late = expected.filter(({ state }) => state === "late").length;
  const others = found.filter((booking) => !isExpected(booking));
  const rows = (list: readonly HostBooking[]) => (
    <ul className="rows">
      {list.map((booking) => (
        <BookingRow
          key={booking.key}
          booking={booking}
          onSeat={() => setSheet({ name: "seat", party: partyOfBooking(terminal, booking) })}
          onMore={() => setSheet({ name: "settle", booking })}
          onChange={() => setSheet({ name: "phone", booking })}
        />
      ))}
    </ul>
  );
  return (
    <div className="tools-screen host">
      <div className="chips tools-bar">
        <ActButton onAct={() => setSheet({ name: "phone", booking: null })}>
          <IconPhone aria-hidden />
          {t("phoneBooking")}
        </ActButton>
        <ActButton onAct={() => setSheet({ name: "wait", waiting: null })}>
          <IconClockHour4 aria-hidden />
          {t("wait")}
        </ActButton>
        <ActButton onAct={() => setSheet({ name: "seat", party: null })}>
          <IconWalk aria-hidden />
          {t("walkIn")}
        </ActButton>
        {(typed !== "" || waiting.length + today.length > SHORT_LIST) && (
          <SearchField typed={typed} onTyped={setTyped} hint={t("order:searchShort")} label={t("searchGuests")} />
        )}
      </div>
      <div className="host-lists">
        {foundWaiting.length > 0 && (
          <section aria-label={t("waitList")}>
            <ListHead text={t("waitList")} count={foundWaiting.length} />
            <ul className="rows">
              {foundWaiting.map((each) => (
                <WaitingRow
                  key={each.key}
                  waiting={each}
                  onSeat={() => setSheet({ name: "seat", party: partyOfWaiting(terminal, each, null) })}
                  onChange={() => setSheet({ name: "wait", waiting: each })}
                />
              ))}
            </ul>
          </section>
        )}
        <section aria-label={t("expected")}>
          <ListHead text={t("expected")} count={expected.length} late={late} />
          {expected.length === 0 ? <p>{t(typed === "" ? "nobodyExpected" : "noneFound")}</p> : rows(expected)}
        </section>
        {others.length > 0 && (
          <section aria-label={t("settled")}>
            <h2>{t("settled")}</h2>
            {rows(others)}
          </section>
        )}
      </div>
      {sheet?.name === "seat" && <SeatSheet party={sheet.party && currentParty(sheet.party)} onClose={close} />}
      {sheet?.name === "wait" && <WaitSheet waiting={sheet.waiting} ahead={aheadOf(sheet.waiting)} onClose={close} />}
      {sheet?.name === "phone" && <PhoneBookingSheet booking={sheet.booking} onClose={close} />}
      {sheet?.name === "settle" && (
        <BookingSheet
          booking={currentBooking(sheet.booking)}
          onChange={() => setSheet({ name: "phone", booking: sheet.booking })}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Returns the sheet of a new party that was open before a reload. */
function newSheetOf(form: string): OpenSheet {
  if (form === phoneForm(null)) return { name: "phone", booking: null };
  return form === waitForm(null) ? { name: "wait", waiting: null } : null;
}

/** The title of a list with its count. On a phone it stays visible, and a tap scrolls to the list. */
function ListHead({ text, count, late = 0 }: { text: string; count: number; late?: number }) {
  const { t, format } = useTranslation("host");
  const label = (
    <>
      {text} · {format.number(count)}
      {late > 0 && (
        <span className="mark" data-tone="bad">
          {t("late", { count: late })}
        </span>
      )}
    </>
  );
  if (useWidth() !== "phone") return <h2 className="row">{label}</h2>;
  return (
    <h2 className="host-head">
      <button
        type="button"
        className="row"
        onClick={({ currentTarget }) => currentTarget.closest("section")?.lastElementChild?.scrollIntoView()}
      >
        {label}
      </button>
    </h2>
  );
}

/** Returns the day's bookings, the wait list, and both as parties with their checks. */
function useGuests() {
  const terminal = useTerminal();
  const bookings = useLive("bookings");
  const listed = useLive("waiting");
  const orders = useLive("orders");
  const { timeZone } = useFormat();
  const minute = Math.floor(useNow() / MINUTE_MS);
  return useMemo(() => {
    void minute;
    const today = bookingsOfDay(bookings, orders, terminal.now(), timeZone);
    const checks = checksByRecord(orders, WAITING_PLUGIN);
    return {
      today,
      waiting: listed.filter(({ key, party }) => party.status === "waiting" && !checks.has(key)),
      parties: [
        ...today.map((booking) => partyOfBooking(terminal, booking)),
        ...listed.map((each) => partyOfWaiting(terminal, each, checks.get(each.key) ?? null)),
      ],
    };
  }, [terminal, bookings, listed, orders, minute, timeZone]);
}

/** Checks whose guests this page has marked as seated: later changes of the booking system stay. */
const marked = new Set<string>();

/**
 * Marks guests as seated once the hub has a check that names them. Otherwise they would count as late again when that check is
 * paid. If the device was offline, it does so on reconnect.
 */
function useArrivals(parties: readonly Party[]): void {
  const isOnline = useLive("connection").name === "online";
  useEffect(() => {
    if (!isOnline) return;
    for (const { check, isMarked, mark } of parties) {
      if (isMarked || check === null || check.pending > 0 || marked.has(check.posReference)) continue;
      marked.add(check.posReference);
      // Their check shows them as seated anyway; the next change retries.
      mark(true).catch(() => marked.delete(check.posReference));
    }
  }, [isOnline, parties]);
}

/** More acts on a booking that is still expected. */
function BookingSheet({
  booking,
  onChange,
  onClose,
}: {
  booking: HostBooking;
  onChange: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("host");
  const settle = useSettleBooking();
  const name = booking.reservation.guestName;
  if (!isExpected(booking)) return <SettledSheet name={name} check={booking.check} onClose={onClose} />;
  return (
    <Sheet title={name} onClose={onClose}>
      <div className="rows booking-acts">
        {isByPhone(booking.reservation) && <ActButton onAct={onChange}>{t("changeBooking")}</ActButton>}
        {(["no_show", "cancelled"] as const).map((status) => (
          <ActButton
            key={status}
            onAct={() => {
              onClose();
              void settle(booking, status);
            }}
          >
            <span>
              {t(`act.${status}`)}
              <span className="act-more">{t(`actMeans.${status}`)}</span>
            </span>
          </ActButton>
        ))}
      </div>
    </Sheet>
  );
}
