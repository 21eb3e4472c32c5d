import { NativeSelect } from "@mantine/core";
import type { LoosePayment } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useAct } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { useCashFormat } from "./use-cash-format.ts";
import { useMethodName } from "../../components/labels.ts";

/** Money that no shift has, to be assigned to one. */
export function NoShiftPanel() {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const now = useNow();
  const nameOf = useMethodName();
  const { loose } = useCashFormat();
  const payments = useHub("noShift");
  return (
    <Panel title={t("noneTitle")} about={t("noneAbout")} flush>
      <LoadedTable
        query={payments}
        rows={(found) => found.payments}
        rowKey={({ paymentId }) => paymentId}
        columns={[
          { header: t("when"), cell: ({ at }) => format.when(at, now) },
          { header: t("check"), cell: ({ posReference }) => <OrderLink posReference={posReference} /> },
          { header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
          { header: t("method"), cell: ({ methodId }) => nameOf(methodId) },
          { header: t("amount"), numeric: true, cell: loose },
          { header: t("who"), cell: ({ takenBy, terminalId }) => `${takenBy} · ${terminalId}` },
        ]}
        controls={(payment) => <Assign payment={payment} />}
        empty={{ title: t("noneEmptyTitle"), children: t("noneEmpty") }}
      />
    </Panel>
  );
}

function Assign({ payment }: { payment: LoosePayment }) {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const now = useNow();
  const { busy, act } = useAct();
  const known = useHub("shifts", { query: {} }).data?.shifts;
  const shifts = known ?? [];
  const { paymentId, posReference, queuedShiftId } = payment;
  // That in which it was taken comes first.
  const ordered = shifts.toSorted(
    (one, other) => Number(other.id === queuedShiftId) - Number(one.id === queuedShiftId),
  );
  if (known?.length === 0) return <span className="soft">{t("assignToNone")}</span>;
  return (
    <NativeSelect
      size="xs"
      disabled={busy || known === undefined}
      aria-label={t("assignTo", { ref: posReference })}
      value=""
      onChange={(event) => {
        const shiftId = event.currentTarget.value;
        if (shiftId !== "") void act(() => callHub("assignPayment", { params: { paymentId }, body: { shiftId } }));
      }}
      data={[
        { value: "", label: t("assign") },
        ...ordered.map(({ id, tillName, openedBy, openedAt }) => ({
          value: id,
          label: `${tillName} · ${openedBy} · ${format.when(openedAt, now)}`,
        })),
      ]}
    />
  );
}
