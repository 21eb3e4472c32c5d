import { NumberInput, Text } from "@mantine/core";
import type { OrderDetail, RefundPayment } from "@comanda/protocol";
import { noteTypeOf, planRefund } from "@comanda/rules";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { SelectField, TextField } from "../../components/forms/form-fields.tsx";
import { useMethodName } from "../../components/labels.ts";
import { callHub } from "../../lib/hub.ts";
import { randomUuid } from "../../lib/random-uuid.ts";
import { useLineName } from "./use-line-name.ts";
import { useRefundResult } from "./use-refund-result.ts";

/** Says exactly what will happen: the amount, the method, and which credit note is made for which number. */
export function RefundDialog({
  detail: { order },
  refunding: { takesLines, paymentMethods },
  isUnavailable,
  onClose,
}: {
  detail: OrderDetail;
  refunding: NonNullable<OrderDetail["refunding"]>;
  /** Nothing is left to refund, or another refund was requested in the meantime. */
  isUnavailable: boolean;
  onClose: () => void;
}) {
  const { t, format } = useTranslation(["orders", "common"]);
  const nameOf = useLineName();
  const nameOfMethod = useMethodName();
  const show = useRefundResult();
  const { posReference, snapshot } = order;
  // A retry after a failure keeps this id, so only one credit note is made.
  const [refundId, setRefundId] = useState(randomUuid);
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map());
  const [reason, setReason] = useState("");
  const [way, setWay] = useState(0);
  // The order contains the refund even if the answer to the request was lost.
  const own = snapshot.refunds?.find((each) => each.refundId === refundId);
  useEffect(() => {
    if (own === undefined) return;
    show(own);
    onClose();
  }, [own, show, onClose]);
  const { rows, lines, isAll, amount, options } = planRefund(snapshot, chosen, paymentMethods);
  const refund = options[way] ?? options[0];
  const methodName = (methodId: RefundPayment["methodId"]) =>
    paymentMethods.find(({ id }) => String(id) === String(methodId))?.name ?? nameOfMethod(methodId);
  const describe = (parts: readonly RefundPayment[]) =>
    format.list(parts.map((part) => `${methodName(part.methodId)} ${format.money(part.amount)}`));
  const change = (act: () => void): void => {
    // A changed refund needs a new id: the previous one may have reached the hub.
    setRefundId(randomUuid());
    act();
  };
  const noteType = noteTypeOf(snapshot);
  return (
    <FormDialog
      title={t("refundOf", { reference: posReference })}
      submitLabel={t("refundSubmit", { amount: format.money(amount) })}
      danger
      isReady={refund !== undefined && reason.trim() !== ""}
      isUnavailable={isUnavailable}
      basis={JSON.stringify([rows.map(({ lineId, left }) => [lineId, left]), paymentMethods])}
      onClose={onClose}
      run={async () => {
        const body = { refundId, reason: reason.trim(), refund: [...(refund ?? [])] };
        const request = isAll ? body : { ...body, lines: [...lines] };
        show((await callHub("refund", { params: { posReference }, body: request })).refund);
      }}
    >
      {takesLines ? (
        <div className="refund-lines">
          {rows.map((row) => {
            const line = snapshot.lines.find(({ id }) => id === row.lineId);
            if (line === undefined) return null;
            return (
              <NumberInput
                key={row.lineId}
                label={nameOf(line)}
                description={t("refundLeft", { left: format.number(row.left) })}
                min={0}
                max={row.left}
                clampBehavior="strict"
                allowNegative={false}
                value={row.chosen}
                onChange={(value) => change(() => setChosen(new Map([...chosen, [row.lineId, Number(value)]])))}
              />
            );
          })}
        </div>
      ) : (
        <Text size="md">{t("refundWholeOnly")}</Text>
      )}
      {options.length > 1 && (
        <SelectField
          label={t("refundBy")}
          data={options.map((each, index) => ({ value: index, label: describe(each) }))}
          value={refund === options[way] ? way : 0}
          onChange={(next) => change(() => setWay(next))}
        />
      )}
      <TextField
        field="reason"
        label={t("common:reason")}
        value={reason}
        maxLength={500}
        onChange={setReason}
        data-autofocus
      />
      <Text size="md" component="div" role="status">
        {refund === undefined
          ? t(lines.length === 0 ? "refundNothing" : "refundNoWay")
          : [
              t("refundWhat", { amount: format.money(amount), methods: describe(refund) }),
              noteType === null ? t("refundNoNumber") : t("refundNote", { type: noteType, ncf: snapshot.ncf ?? "" }),
              t("refundKitchen"),
            ].join(" ")}
      </Text>
    </FormDialog>
  );
}
