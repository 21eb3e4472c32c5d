import { NativeSelect } from "@mantine/core";
import type { LoosePayment, ShiftSummary } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useConfirm, type Action } from "../../components/forms/action-button.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useCashFormat } from "./use-cash-format.ts";
import { useMethodName } from "../../components/labels.ts";

/** Money that no shift has, to be assigned to one. */
export function NoShiftPanel() {
  const { t } = useTranslation(["tills", "common"]);
  const format = useFormat();
  const now = useNow();
  const nameOf = useMethodName();
  const { loose } = useCashFormat();
  const payments = useHub("noShift");
  const shifts = useHub("shifts", { query: {} }).data?.shifts;
  const nameOfShift = ({ tillName, openedBy, openedAt }: ShiftSummary) =>
    `${tillName} · ${openedBy} · ${format.when(openedAt, now)}`;
  const assignment = ({ paymentId, shiftId }: Assignment): Action | undefined => {
    const payment = payments.data?.payments.find((each) => each.paymentId === paymentId);
    const shift = shifts?.find(({ id }) => id === shiftId);
    if (payment === undefined || shift === undefined) return undefined;
    const name = nameOfShift(shift);
    return {
      label: t("assignDo"),
      confirm: {
        title: t("assignTitle", { amount: loose(payment), ref: payment.posReference }),
        body: t(shift.state === "open" ? "assignOpen" : "assignLate", { shift: name }),
      },
      run: () => callHub("assignPayment", { params: { paymentId }, body: { shiftId } }),
      done: t("assignDone", { shift: name }),
    };
  };
  const [dialog, confirm] = useConfirm(assignment);
  return (
    <Panel title={t("noneTitle")} about={t("noneAbout")} flush>
      <LoadedTable
        query={payments}
        rows={(found) => found.payments}
        rowKey={({ paymentId }) => paymentId}
        columns={[
          { header: t("common:when"), className: "num", cell: ({ at }) => format.when(at, now) },
          { header: t("common:order"), cell: ({ posReference }) => <OrderLink posReference={posReference} /> },
          { header: t("common:what"), cell: ({ kind }) => t(`kinds.${kind}`) },
          { header: t("method"), cell: ({ methodId }) => nameOf(methodId) },
          { header: t("common:amount"), numeric: true, cell: loose },
          { header: t("common:who"), cell: ({ takenBy, terminalId }) => `${takenBy} · ${terminalId}` },
        ]}
        controls={(payment) => (
          <ChooseShift
            payment={payment}
            shifts={shifts}
            nameOf={nameOfShift}
            onChoose={(shiftId) => {
              const chosen = { paymentId: payment.paymentId, shiftId };
              const action = assignment(chosen);
              if (action !== undefined) confirm(action, chosen);
            }}
          />
        )}
        empty={{ title: t("noneEmptyTitle"), children: t("noneEmpty") }}
      />
      {dialog}
    </Panel>
  );
}

interface Assignment {
  paymentId: string;
  shiftId: string;
}

interface ChooseShiftProps {
  payment: LoosePayment;
  shifts: readonly ShiftSummary[] | undefined;
  nameOf: (shift: ShiftSummary) => string;
  onChoose: (shiftId: string) => void;
}

function ChooseShift({ payment: { posReference, queuedShiftId }, shifts, nameOf, onChoose }: ChooseShiftProps) {
  const { t } = useTranslation("tills");
  if (shifts?.length === 0) return <span className="soft">{t("assignToNone")}</span>;
  // That in which it was taken comes first.
  const ordered = (shifts ?? []).toSorted(
    (one, other) => Number(other.id === queuedShiftId) - Number(one.id === queuedShiftId),
  );
  return (
    <NativeSelect
      size="xs"
      disabled={shifts === undefined}
      aria-label={t("assignTo", { ref: posReference })}
      value=""
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[{ value: "", label: t("assign") }, ...ordered.map((shift) => ({ value: shift.id, label: nameOf(shift) }))]}
    />
  );
}
