import { reservationPhase, type OperatorReservation, type ReservationPhase } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useIssueText } from "../../components/failures/use-failure-texts.ts";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import { useTableName } from "../../components/labels.ts";
import { StatusMark, type Tone } from "../../components/layout/status-mark.tsx";
import { TechnicalFold } from "../../components/failures/technical-detail.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TablePanel } from "../../components/tables/table-panel.tsx";
import { useNow } from "../../lib/hub-time.ts";
import type { Booked } from "./day-plan.ts";

export const phaseTone: Record<ReservationPhase, Tone> = {
  invisible: "idle",
  upcoming: "accent",
  due: "good",
  late: "warn",
  ended: "idle",
};

/** All bookings of the day as text, by time. */
export function BookingTable({ bookings }: { bookings: readonly Booked[] }) {
  const { t, format } = useTranslation(["reservations", "common"]);
  const now = useNow();
  const tableName = useTableName();
  const hubText = useHubText();
  const columns: Column<Booked>[] = [
    { header: t("time"), className: "num", cell: ({ booking }) => <strong>{format.time(booking.at)}</strong> },
    { header: t("guest"), cell: ({ booking }) => booking.guestName },
    { header: t("common:guests"), numeric: true, cell: ({ booking }) => booking.partySize ?? "–" },
    { header: t("table"), cell: ({ booking }) => tableName(booking.tableId) },
    {
      header: t("common:state"),
      cell: ({ booking, problem }) => {
        const phase = reservationPhase(booking, now);
        return (
          <>
            <StatusMark tone={phaseTone[phase]}>
              {booking.status === "booked" ? t(`phase.${phase}`) : t(`status.${booking.status}`)}
            </StatusMark>
            {problem !== null && <div className="soft">{hubText(problem)}</div>}
          </>
        );
      },
    },
    {
      header: t("contact"),
      className: "soft",
      cell: ({ booking }) => [booking.phone, booking.notes].filter(Boolean).join(" · ") || "–",
    },
  ];
  return <TablePanel title={t("list")} columns={columns} rows={bookings} rowKey={(booked) => booked.key} />;
}

/** Bookings that terminals drop, each with the reason. */
export function ProblemTable({ invalid }: { invalid: readonly OperatorReservation[] }) {
  const { t } = useTranslation(["reservations", "common"]);
  const hubText = useHubText();
  const issueText = useIssueText();
  const columns: Column<OperatorReservation>[] = [
    {
      header: t("record"),
      cell: ({ key, payload }) => (
        <>
          <strong className="mono">{key}</strong>
          <TechnicalFold>
            <span className="mono">{JSON.stringify(payload)}</span>
          </TechnicalFold>
        </>
      ),
    },
    {
      header: t("common:reason"),
      cell: ({ problem, issues = [] }) => (
        <StatusMark tone="warn">
          {issues.map((issue) => issueText(issue, true)).join("; ") || hubText(problem ?? {})}
        </StatusMark>
      ),
    },
  ];
  return (
    <TablePanel
      title={t("problems")}
      about={t("problemsAbout")}
      columns={columns}
      rows={invalid}
      rowKey={(record) => record.key}
    />
  );
}
