import type { FeedEntry } from "@comanda/protocol";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Empty } from "../../components/empty.tsx";
import { useTableLabel } from "../../components/labels.ts";
import { Loaded } from "../../components/loaded.tsx";
import { orderPath } from "../../components/order-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { useSettledNote } from "../../components/settled-note.ts";
import { toneIcon } from "../../components/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { useFormat } from "../../lib/format.ts";

/** What happened lately, newest first. */
export function FeedPanel() {
  const { t } = useTranslation("service");
  const feed = useHub("feed");
  return (
    <Panel title={t("feed")} flush className="feed-panel">
      <Loaded query={feed}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title={t("feedEmptyTitle")}>{t("feedEmpty")}</Empty>
          ) : (
            // A scrolling region must be reachable by keyboard.
            <ol className="plain-list divided feed" tabIndex={0} aria-label={t("feed")}>
              {entries.map((entry) => (
                <FeedItem key={entry.id} entry={entry} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  );
}

const toneOf = { info: "idle", warn: "warn", bad: "bad" } as const;

const FeedItem = memo(function FeedItem({ entry }: { entry: FeedEntry }) {
  const { t } = useTranslation("service");
  const tableLabel = useTableLabel();
  const format = useFormat();
  const settledNote = useSettledNote();
  const { data: plan } = useHub("floorPlan");
  const { detail, tableId } = entry;
  const tone = toneOf[entry.level];
  const Icon = toneIcon[tone];
  const table = plan?.floors.flatMap((floor) => floor.tables).find((candidate) => candidate.tableId === tableId);
  const where = tableId === undefined ? null : tableLabel(table?.name ?? tableId);
  const textOf = (kind: FeedEntry["kind"], text: string) => {
    // The hub's own sentence about a refusal is English and for its log; the Back-office screen says it in words.
    if (kind === "payment_unapplied") return null;
    return kind === "payment_settled" ? settledNote(text) : text;
  };
  const more = [
    where,
    detail?.userName ?? detail?.terminalId,
    detail?.amount === undefined ? null : format.money(detail.amount),
    detail?.text === undefined ? null : textOf(entry.kind, detail.text),
  ].filter((part): part is string => typeof part === "string" && part !== "");
  return (
    <li className="news" data-tone={tone}>
      <time className="news-time num" dateTime={entry.at}>
        {format.time(entry.at)}
      </time>
      {entry.level === "info" ? <span className="news-dot" /> : <Icon size={15} aria-hidden />}
      <div>
        <span className="news-what">{t(`news.${entry.kind}`)}</span>
        {more.length > 0 && <span className="soft"> · {more.join(" · ")}</span>}
        {detail?.posReference !== undefined && (
          <Link href={orderPath(detail.posReference)} className="news-ref">
            {detail.posReference}
          </Link>
        )}
      </div>
    </li>
  );
});
