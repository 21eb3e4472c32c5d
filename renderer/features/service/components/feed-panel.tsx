import type { FeedEntry } from "@comanda/protocol";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { toneIcon } from "../../../components/status-mark.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useFeed } from "../api/feed.ts";
import { useFloorPlan } from "../api/floor-plan.ts";
import "./feed-panel.css";

/** What happened lately, in plain words, newest first. */
export function FeedPanel() {
  const { t } = useTranslation("service");
  const feed = useFeed();
  return (
    <Panel title={t("feed")} flush className="feed-panel">
      <Loaded query={feed}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title={t("feedEmptyTitle")}>{t("feedEmpty")}</Empty>
          ) : (
            // A scrolling region must be reachable by keyboard.
            <ol className="feed" tabIndex={0} aria-label={t("feed")}>
              {entries.map((entry) => (
                <News key={entry.id} entry={entry} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  );
}

const toneOf = { info: "idle", warn: "warn", bad: "bad" } as const;

const News = memo(function News({ entry }: { entry: FeedEntry }) {
  const { t } = useTranslation("service");
  const tableWords = useTableWords();
  const format = useFormat();
  const { data: plan } = useFloorPlan();
  const { detail, tableId } = entry;
  const tone = toneOf[entry.level];
  const Icon = toneIcon[tone];
  const table = plan?.floors.flatMap((floor) => floor.tables).find((candidate) => candidate.tableId === tableId);
  const where = tableId === undefined ? null : tableWords(table?.name ?? tableId);
  const more = [
    where,
    detail?.userName ?? detail?.terminalId,
    detail?.amount === undefined ? null : format.money(detail.amount),
    detail?.text,
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
          <Link href={`/orders/${encodeURIComponent(detail.posReference)}`} className="news-ref">
            {detail.posReference}
          </Link>
        )}
      </div>
    </li>
  );
});
