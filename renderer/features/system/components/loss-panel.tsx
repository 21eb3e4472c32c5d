import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Loss, LossPage, OrderStatus } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Confirm } from "../../../components/confirm.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { dismissLoss } from "../api/dismiss-loss.ts";
import { useLosses } from "../api/losses.ts";
import { takeOverLoss } from "../api/take-over-loss.ts";
import { takeOverLosses } from "../api/take-over-losses.ts";
import "./system.css";

type Request = { act: "takeOver" | "dismiss"; loss: Loss } | { act: "takeOverAll"; count: number };

/** What a restored backup lacks and who knows of it; not there where nothing was ever restored. */
export function LossPanel() {
  const { t } = useTranslation("system");
  const open = useLosses("open").data;
  const settled = useLosses("settled").data;
  const [request, setRequest] = useState<Request | null>(null);
  if (open === undefined || settled === undefined || open.restores.length + open.total + settled.total === 0)
    return null;
  const count = open.losses.filter((loss) => loss.canTakeOver).length;
  return (
    <Panel
      title={t("losses.title")}
      about={t("losses.about")}
      flush
      actions={
        count > 0 && (
          <Button onClick={() => setRequest({ act: "takeOverAll", count })}>{t("losses.takeOverAll")}</Button>
        )
      }
    >
      <Origin page={open} />
      {open.losses.length > 0 && <Rows losses={open.losses} onAsk={setRequest} />}
      {settled.losses.length > 0 && (
        <details className="settled-losses">
          <summary>
            {t("losses.settledList")} ({settled.total})
          </summary>
          <Rows losses={settled.losses} onAsk={null} />
        </details>
      )}
      {request !== null && <ConfirmRequest request={request} onClose={() => setRequest(null)} />}
    </Panel>
  );
}

/** Which restore it was, how well the old file could be read, and whether the back-office has been request. */
function Origin({ page }: { page: LossPage }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const [restore] = page.restores;
  return (
    <div className="system-tools">
      {page.open === 0 ? (
        <StatusMark tone="good">{t("losses.none")}</StatusMark>
      ) : (
        <StatusMark tone="bad">{t("losses.count", { count: page.open })}</StatusMark>
      )}
      {restore !== undefined && (
        <span className="soft">
          {t(`losses.cause.${restore.cause}`, {
            time: format.dateTime(restore.at),
            by: restore.by ?? t("losses.nobody"),
          })}{" "}
          {restore.cause === "restore" && t(`losses.read.${restore.read}`)}
        </span>
      )}
      {page.unasked > 0 && <StatusMark tone="warn">{t("losses.unasked", { count: page.unasked })}</StatusMark>}
    </div>
  );
}

function Rows({ losses, onAsk }: { losses: readonly Loss[]; onAsk: ((request: Request) => void) | null }) {
  const { t } = useTranslation("system");
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("losses.what")}</th>
            <th scope="col">{t("losses.known")}</th>
            <th scope="col">{t("losses.now")}</th>
            <th scope="col">{t("losses.sources")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {losses.map((loss) => (
            <Row key={loss.lossId} loss={loss} onAsk={onAsk} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ loss, onAsk }: { loss: Loss; onAsk: ((request: Request) => void) | null }) {
  const { t } = useTranslation(["system", "common"]);
  const format = useFormat();
  const { posReference, kind, known, present, backOffice, settled } = loss;
  const state = (of: { status: OrderStatus; total: number }) =>
    `${t(`common:status.${of.status}`)}, ${format.money(of.total)}`;
  return (
    <tr>
      <td>
        <strong>{t(`system:losses.kind.${kind}`)}</strong>
        <div>{present === null ? posReference : <OrderLink posReference={posReference} />}</div>
        {settled === null ? (
          <div className="soft">{t(`system:losses.todo.${todoOf(loss)}`)}</div>
        ) : (
          <div className="soft">
            {t(`system:losses.state.${loss.state}`, {
              by: settled.by === "hub" ? t("common:writer.hub") : settled.by,
              time: format.dateTime(settled.at),
            })}
            {settled.note !== null && <div>{settled.note}</div>}
          </div>
        )}
      </td>
      <td>
        {known.status !== null && known.total !== null && (
          <div className="num">{state({ status: known.status, total: known.total })}</div>
        )}
        {backOffice !== null && (
          <div className="num">{t("system:losses.backOffice", { total: format.money(backOffice.total) })}</div>
        )}
        <Whereabouts known={known} />
      </td>
      <td className="num">{present === null ? t("system:losses.absent") : state(present)}</td>
      <td>
        <Sources sources={loss.sources} />
        <div className="soft num">
          {format.dateTime(known.at)} {known.by}
        </div>
      </td>
      <td>
        {onAsk !== null && (
          <div className="button-row">
            {loss.canTakeOver && (
              <Button
                size="xs"
                aria-label={t("system:losses.takeOverOf", { reference: posReference })}
                onClick={() => onAsk({ act: "takeOver", loss })}
              >
                {t("system:losses.takeOver")}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              aria-label={t("system:losses.dismissOf", { reference: posReference })}
              onClick={() => onAsk({ act: "dismiss", loss })}
            >
              {t("system:losses.dismiss")}
            </Button>
          </div>
        )}
      </td>
    </tr>
  );
}

function OrderLink({ posReference }: { posReference: string }) {
  return <Link href={`/orders/${encodeURIComponent(posReference)}`}>{posReference}</Link>;
}

function Whereabouts({ known }: { known: Loss["known"] }) {
  const { t } = useTranslation("system");
  const tableWords = useTableWords();
  const catalogue = useCatalogue();
  const { tableId, ticketNumber, customerName, itemCount } = known;
  const table = tableId === null ? null : tableWords(catalogue.tables[tableId] ?? tableId);
  const items = itemCount === null ? null : t("losses.items", { count: itemCount });
  return <div className="soft">{[table ?? ticketNumber, customerName, items].filter(Boolean).join(", ")}</div>;
}

function Sources({ sources }: { sources: readonly string[] }) {
  const { t } = useTranslation("system");
  const words = sources.map((source) =>
    source.startsWith("terminal:")
      ? t("losses.source.terminal", { id: source.slice("terminal:".length) })
      : t(`losses.source.${source as "replaced_file" | "webhook_log" | "back_office"}`),
  );
  return <div>{words.join(", ")}</div>;
}

/** What the manager is told to do: what cannot be taken over is compared and dismissed. */
function todoOf(loss: Loss): Loss["kind"] | "compare" {
  return loss.canTakeOver || loss.kind === "closed_by_back_office" ? loss.kind : "compare";
}

function ConfirmRequest({ request, onClose }: { request: Request; onClose: () => void }) {
  const { t } = useTranslation(["system", "common"]);
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: hubKey("losses") });
  const closeButtonProps = { "aria-label": t("common:close") };
  const tell = (message: string) => notifications.show({ message, color: "petrol", autoClose: 8000, closeButtonProps });
  if (request.act === "takeOverAll") {
    return (
      <Confirm
        open
        onClose={onClose}
        title={t("losses.takeOverAllTitle", { count: request.count })}
        action={t("losses.takeOverAll")}
        run={async () => {
          const { takenOver, refused } = await takeOverLosses();
          await readAgain();
          tell(t("losses.takenOverAll", { count: takenOver }));
          if (refused.length > 0) {
            const references = refused.map((each) => each.posReference).join(", ");
            const message = t("losses.refused", { references });
            notifications.show({ message, color: "red", autoClose: false, closeButtonProps });
          }
        }}
      >
        {t("losses.takeOverAllBody")}
      </Confirm>
    );
  }
  const { loss, act } = request;
  const reference = loss.posReference;
  if (act === "dismiss") {
    return (
      <Confirm
        open
        onClose={onClose}
        title={t("losses.dismissTitle", { reference })}
        action={t("losses.dismiss")}
        note={{ label: t("losses.dismissNote") }}
        run={async (note) => {
          await dismissLoss(loss.lossId, note);
          await readAgain();
          tell(t("losses.dismissed"));
        }}
      >
        {t("losses.dismissBody")}
      </Confirm>
    );
  }
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("losses.takeOverTitle", { reference })}
      action={t("losses.takeOver")}
      run={async () => {
        await takeOverLoss(loss.lossId);
        await readAgain();
        tell(t("losses.takenOver", { reference }));
      }}
    >
      {t(`losses.will.${loss.kind}`)}
    </Confirm>
  );
}
