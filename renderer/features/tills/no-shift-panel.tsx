import { Checkbox, NativeSelect } from "@mantine/core";
import type { ShiftSummary } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "../../lib/hub-time.ts";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { CheckField } from "../../components/forms/form-fields.tsx";
import { useConfirm, type Action } from "../../components/forms/action-button.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useCashFormat } from "./use-cash-format.ts";
import { useMethodName } from "../../components/labels.ts";
import { sumUnassigned } from "./sum-unassigned.ts";

/** Payments without a shift, to be assigned to one: each by itself, or all selected at once. */
export function NoShiftPanel() {
  const { t, format } = useTranslation(["tills", "common"]);
  const now = useNow();
  const nameOf = useMethodName();
  const { paymentText } = useCashFormat();
  const payments = useHub("noShift");
  const shifts = useHub("shifts", { query: {} }).data?.shifts;
  const [selected, setSelected] = useState<string[]>([]);
  const nameOfShift = ({ tillName, openedBy, openedAt }: ShiftSummary) =>
    `${tillName} · ${openedBy} · ${format.when(openedAt, now)}`;
  const all = payments.data?.payments ?? [];
  const withoutShift = (ids: readonly string[]) => all.filter(({ paymentId }) => ids.includes(paymentId));
  const assignment = ({ paymentIds, shiftId }: Assignment): Action | undefined => {
    const assigned = withoutShift(paymentIds);
    const [payment] = assigned;
    const shift = shifts?.find(({ id }) => id === shiftId);
    if (payment === undefined || shift === undefined) return undefined;
    const name = nameOfShift(shift);
    return {
      label: t("assignDo"),
      confirm: {
        title:
          assigned.length === 1
            ? t("assignTitle", { amount: paymentText(payment), ref: payment.posReference })
            : t("assignSelected", { amount: format.money(sumUnassigned(assigned)), number: assigned.length }),
        body: t(shift.state === "open" ? "assignOpen" : "assignLate", { shift: name }),
      },
      run: async () => {
        for (const { paymentId } of assigned)
          await callHub("assignPayment", { params: { paymentId }, body: { shiftId } });
      },
      done: t("assignDone", { shift: name }),
    };
  };
  const [dialog, confirm] = useConfirm(assignment);
  const assign = (chosen: Assignment) => {
    const action = assignment(chosen);
    if (action !== undefined) confirm(action, chosen);
  };
  const hasChoice = all.length > 1 && shifts !== undefined && shifts.length > 0;
  const chosen = withoutShift(selected);
  return (
    <Panel title={t("noneTitle")} about={t("noneAbout")} flush>
      {hasChoice && (
        <div className="chips loose-selection">
          <CheckField
            label={t("selected", { amount: format.money(sumUnassigned(chosen)), count: chosen.length })}
            checked={chosen.length === all.length}
            indeterminate={chosen.length > 0 && chosen.length < all.length}
            onChange={(isOn) => setSelected(isOn ? all.map(({ paymentId }) => paymentId) : [])}
          />
          {chosen.length > 0 && (
            <ChooseShift
              label={t("assignSelectedTo")}
              shifts={shifts}
              nameOf={nameOfShift}
              onChoose={(shiftId) => assign({ paymentIds: selected, shiftId })}
            />
          )}
        </div>
      )}
      <Checkbox.Group value={selected} onChange={setSelected}>
        <LoadedTable
          query={payments}
          rows={(found) => found.payments}
          rowKey={({ paymentId }) => paymentId}
          columns={[
            {
              header: t("common:when"),
              className: "num",
              cell: ({ at, paymentId, posReference }) =>
                hasChoice ? (
                  <Checkbox
                    value={paymentId}
                    label={format.when(at, now)}
                    aria-label={t("select", { ref: posReference })}
                  />
                ) : (
                  format.when(at, now)
                ),
            },
            { header: t("common:order"), cell: ({ posReference }) => <OrderLink posReference={posReference} /> },
            { header: t("common:what"), cell: ({ kind }) => t(`kinds.${kind}`) },
            { header: t("method"), cell: ({ methodId }) => nameOf(methodId) },
            { header: t("common:amount"), numeric: true, cell: paymentText },
            { header: t("common:who"), cell: ({ takenBy, terminalId }) => `${takenBy} · ${terminalId}` },
          ]}
          controls={(payment) => (
            <ChooseShift
              label={t("assignTo", { ref: payment.posReference })}
              first={payment.queuedShiftId}
              shifts={shifts}
              nameOf={nameOfShift}
              onChoose={(shiftId) => assign({ paymentIds: [payment.paymentId], shiftId })}
            />
          )}
          empty={{ title: t("noneEmptyTitle"), children: t("noneEmpty") }}
        />
      </Checkbox.Group>
      {dialog}
    </Panel>
  );
}

interface Assignment {
  paymentIds: readonly string[];
  shiftId: string;
}

interface ChooseShiftProps {
  label: string;
  /** The id of the shift in which the money was taken. It is listed first. */
  first?: string | undefined;
  shifts: readonly ShiftSummary[] | undefined;
  nameOf: (shift: ShiftSummary) => string;
  onChoose: (shiftId: string) => void;
}

function ChooseShift({ label, first, shifts, nameOf, onChoose }: ChooseShiftProps) {
  const { t } = useTranslation("tills");
  if (shifts?.length === 0) return <span className="soft">{t("assignToNone")}</span>;
  const ordered = (shifts ?? []).toSorted((one, other) => Number(other.id === first) - Number(one.id === first));
  return (
    <NativeSelect
      size="xs"
      disabled={shifts === undefined}
      aria-label={label}
      value=""
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[{ value: "", label: t("assign") }, ...ordered.map((shift) => ({ value: shift.id, label: nameOf(shift) }))]}
    />
  );
}
