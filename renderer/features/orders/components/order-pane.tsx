import { ActionIcon, Button } from "@mantine/core";
import { IconDownload, IconX } from "@tabler/icons-react";
import type { OrderDetail } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { orderTone, useWords } from "../../../components/use-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { exportOrder } from "../api/export.ts";
import { useOrder } from "../api/order.ts";
import { OrderLines } from "./order-lines.tsx";
import { TimelinePart } from "./timeline-part.tsx";

/** One order: what it is now, and everything that happened to it. */
export function OrderPane({ posReference }: { posReference: string }) {
  const { t } = useTranslation("orders");
  const [, go] = useLocation();
  const order = useOrder(posReference);
  const { busy, act } = useAct();
  return (
    // A scrolling region must be reachable by keyboard.
    <article className="panel order-pane" aria-label={t("order", { reference: posReference })} tabIndex={0}>
      <header className="order-head">
        <div>
          <h2>{posReference}</h2>
          {order.data !== undefined && <Place detail={order.data} />}
        </div>
        <div className="order-actions">
          <Button
            variant="default"
            size="xs"
            loading={busy}
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() => void act(() => exportOrder(posReference))}
          >
            {t("export")}
          </Button>
          <ActionIcon variant="default" size={30} aria-label={t("close")} onClick={() => go("/orders")}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      </header>
      <div className="order-body">
        <Loaded query={order} height={200}>
          {(detail) => <Content detail={detail} />}
        </Loaded>
      </div>
      <TimelinePart posReference={posReference} version={order.data?.order.version} />
    </article>
  );
}

function Place({ detail: { order } }: { detail: OrderDetail }) {
  const { t } = useTranslation("orders");
  const words = useWords();
  const { tables } = useCatalogue();
  const { snapshot } = order;
  const place = words.place(
    {
      orderType: snapshot.orderType,
      tableId: snapshot.tableId,
      ticketNumber: snapshot.ticketNumber ?? null,
      checkNumber: snapshot.checkNumber ?? null,
    },
    tables,
  );
  return (
    <p className="soft">
      {place} · {t("version", { version: order.version })}
    </p>
  );
}

function Content({ detail }: { detail: OrderDetail }) {
  const { t } = useTranslation(["orders", "common"]);
  const words = useWords();
  const format = useFormat();
  const { order, removed, lease, payments } = detail;
  const { snapshot, forward } = order;
  const status = { status: snapshot.status, removed };
  const open = payments.some((payment) => payment.settled === null);
  return (
    <>
      <div className="order-marks">
        <StatusMark tone={orderTone(status)}>{words.state(status)}</StatusMark>
        {forward !== undefined && forward.state !== "none" && (
          <StatusMark tone={forward.state === "attention" ? "bad" : forward.state === "done" ? "good" : "accent"}>
            {t(`common:forward.${forward.state}`)}
          </StatusMark>
        )}
        {open && <StatusMark tone="bad">{t("orders:paymentWaits")}</StatusMark>}
        {lease !== null && <StatusMark tone="accent">{t("orders:inUse", { name: lease.userName })}</StatusMark>}
      </div>
      {removed && <p className="order-part soft">{t("orders:removedNote")}</p>}
      {forward?.error !== undefined && (
        <p className="order-part" data-tone="bad">
          {forward.error}
        </p>
      )}
      <div className="order-part">
        <Facts
          items={[
            fact(t("orders:opened"), format.dateTime(snapshot.createdAt)),
            fact(t("orders:staff"), snapshot.staffName ?? words.writer(order.terminalId)),
            fact(t("orders:guests"), format.number(snapshot.guestCount)),
            ...(snapshot.customerName ? [fact(t("orders:customer"), snapshot.customerName)] : []),
            ...(snapshot.notes ? [fact(t("orders:notes"), snapshot.notes)] : []),
          ]}
        />
      </div>
      <OrderLines snapshot={snapshot} />
    </>
  );
}
