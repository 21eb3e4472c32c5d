import { ActButton } from "@comanda/ui/act-button.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../components/sheet.tsx";
import { TextField } from "../../components/text-field.tsx";
import { BookingDays } from "./booking-days.tsx";
import { GuestCount } from "./guest-count.tsx";
import type { HostBooking } from "./host-day.ts";
import { TableKey } from "./table-key.tsx";
import { usePhoneBooking } from "./use-phone-booking.ts";
import { useSettleBooking } from "./use-settle-booking.ts";

/** Enters a booking by telephone: name, party, time, and a proposed table. Changes `booking` if given. */
export function PhoneBookingSheet({ booking, onClose }: { booking: HostBooking | null; onClose: () => void }) {
  const { t } = useTranslation(["host", "check"]);
  const settle = useSettleBooking();
  const form = usePhoneBooking(booking, onClose);
  const { draft, change } = form;
  const field = (name: "name" | "phone" | "notes") => ({
    value: draft[name],
    onValue: (typed: string) => change({ [name]: typed }),
  });

  return (
    <Sheet title={t(booking === null ? "phoneBooking" : "changeBooking")} onClose={onClose}>
      <Form className="stack tight seat" onSubmit={form.save}>
        <TextField isFirst label={t("guestName")} maxLength={120} {...field("name")} />
        <BookingDays day={draft.day} time={draft.time} now={form.opened} earliest={form.earliest} onChange={change} />
        <GuestCount count={draft.partySize} onCount={(partySize) => change({ partySize })} />
        <TextField label={t("phone")} type="tel" maxLength={40} {...field("phone")} />
        <TextField label={t("bookingNotes")} maxLength={500} {...field("notes")} />
        <fieldset className="seat-tables">
          <legend>{t("table")}</legend>
          {form.tables.map((table) => (
            <TableKey
              key={table.id}
              table={table}
              isChosen={table.id === form.tableId}
              onChoose={() => change({ tableId: table.id })}
            />
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
        <div className="sheet-foot">
          <button type="submit" className="act" data-kind="main" disabled={!form.canSave}>
            {t(booking === null ? "book" : "check:save")}
          </button>
        </div>
      </Form>
    </Sheet>
  );
}
