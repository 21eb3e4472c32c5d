import type { FeedEntry } from "@comanda/protocol";
import { memo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Empty } from "../../components/layout/empty.tsx";
import { useSettingLabel, useTableLabel } from "../../components/labels.ts";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { orderPath } from "../../components/order-link.tsx";
import { toneIcon } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";

/** Recent events, newest first. */
export function FeedPanel() {
  const { t } = useTranslation(["service", "common"]);
  const tableLabel = useTableLabel();
  const floors = useHub("floorPlan").data?.floors;
  const names = new Map(floors?.flatMap(({ tables }) => tables.map(({ tableId, name }) => [tableId, name] as const)));
  const whereOf = ({ tableId }: FeedEntry) =>
    tableId === undefined ? null : tableLabel(names.get(tableId) ?? tableId);
  return (
    <LoadedPanel title={t("feed")} flush className="feed-panel" query={useHub("feed")}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty title={t("common:nothingYet")}>{t("feedEmpty")}</Empty>
        ) : (
          // A scrolling region must be reachable by keyboard.
          <ol className="plain-list divided feed" tabIndex={0} aria-label={t("feed")}>
            {entries.map((entry) => (
              <FeedItem key={entry.id} entry={entry} where={whereOf(entry)} />
            ))}
          </ol>
        )
      }
    </LoadedPanel>
  );
}

const toneOf = { info: "idle", warn: "warn", bad: "bad" } as const;

interface FeedItemProps {
  entry: FeedEntry;
  /** The table as text, so that a change of the floor plan does not rerender every entry. */
  where: string | null;
}

const FeedItem = memo(function FeedItem({ entry, where }: FeedItemProps) {
  const { t, format } = useTranslation("service");
  const textOf = useFeedText();
  const { detail } = entry;
  const tone = toneOf[entry.level];
  const Icon = toneIcon[tone];
  const more = [
    where,
    detail?.userName ?? detail?.terminalId,
    detail?.amount === undefined ? null : format.money(detail.amount),
    detail === undefined ? null : textOf(entry.kind, detail),
  ].filter((part): part is string => typeof part === "string" && part !== "");
  return (
    <li className="news" data-tone={tone}>
      <time className="news-time num soft" dateTime={entry.at}>
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

/** Entries with the back-office's answer, or the reason why there is none. */
const backOfficeKinds: ReadonlySet<FeedEntry["kind"]> = new Set([
  "forward_attention",
  "fiscal_failed",
  "fiscal_not_released",
  "fiscal_receipt",
  "back_office_refused",
]);

/** Returns a function that says more about an entry than its kind, in the reader's language, or null if the kind is enough. */
function useFeedText(): (kind: FeedEntry["kind"], detail: NonNullable<FeedEntry["detail"]>) => string | null {
  const hubText = useHubText();
  const backOfficeText = useBackOfficeText();
  const settingLabel = useSettingLabel();
  return (kind, { text, said, settings }) => {
    if (said !== undefined) return backOfficeKinds.has(kind) ? backOfficeText(said) : hubText(said);
    return text ?? settings?.map(settingLabel).join("; ") ?? null;
  };
}
