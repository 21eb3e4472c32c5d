import type { StoredLine } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { Fragment, useEffect, useRef, type RefObject } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { countItems, heldCourses, isUnsent, lastSentAt, toSend } from "../../../checks/check-lines.ts";
import { useWait } from "../../../lib/connection/use-wait.ts";
import type { LineProgress } from "./line-progress.ts";
import { LineRow } from "./line-row.tsx";
import { IconBellRinging } from "@tabler/icons-react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { attempt } from "../../../lib/page/show-refusal.ts";

/** The lines of a check, grouped: sent, unsent, and held by course. */
export function CheckLinesList({
  order,
  progress,
  chosen,
  onToggle,
}: {
  order: LocalOrder | undefined;
  progress: ReadonlyMap<string, LineProgress>;
  chosen: ReadonlySet<string>;
  onToggle: (lineId: string) => void;
}) {
  const { t } = useTranslation("check");
  const { lines = [], notes } = order?.snapshot ?? {};
  const unsent = toSend(lines);
  const held = heldCourses(lines);
  const sent = lines.filter((line) => !isUnsent(line));
  const row = (line: StoredLine) => (
    <li key={line.id} data-line={line.id}>
      <LineRow line={line} isSelected={chosen.has(line.id)} progress={progress.get(line.id)} onToggle={onToggle} />
    </li>
  );
  const list = useRef<HTMLDivElement>(null);
  useShownWhenAdded(list, lines);
  return (
    <div className="check-lines" ref={list}>
      {notes != null && notes !== "" && <p className="check-notes">{notes}</p>}
      {lines.length === 0 && <p className="soft">{t("empty")}</p>}
      <ReadyNote progress={progress} />
      {sent.length > 0 && <ul>{sent.map(row)}</ul>}
      {unsent.length > 0 && (
        <>
          <h2 className="check-part">{t("notSent")}</h2>
          <ul>{unsent.map(row)}</ul>
        </>
      )}
      {held.map((each) => (
        <Fragment key={each.course}>
          <HeldTitle course={each.course} since={lastSentAt(lines)} />
          <ul>{each.lines.map(row)}</ul>
        </Fragment>
      ))}
    </div>
  );
}

/** Scrolls to a dish that was just added. */
function useShownWhenAdded(list: RefObject<HTMLElement | null>, lines: readonly StoredLine[]): void {
  const shownIds = useRef<ReadonlySet<string>>(null);
  useEffect(() => {
    const added = lines.findLast(({ id }) => shownIds.current?.has(id) === false);
    shownIds.current = new Set(lines.map(({ id }) => id));
    if (added === undefined) return;
    list.current?.querySelector(`[data-line="${CSS.escape(added.id)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [list, lines]);
}

/** Title of a held course, with how long it has been held. */
function HeldTitle({ course, since }: { course: number; since: string | null }) {
  const { t } = useTranslation("check");
  const wait = useWait(since);
  return (
    <h2 className="check-part" data-tone="accent">
      {joinWithDots(t("held", { course }), wait)}
    </h2>
  );
}

/** The check's dishes that are ready to serve; one tap marks them as served. */
function ReadyNote({ progress }: { progress: ReadonlyMap<string, LineProgress> }) {
  const { t } = useTranslation("check");
  const terminal = useTerminal();
  const ready = [...progress.values()].flatMap((line) => line.ready);
  if (ready.length === 0) return null;
  return (
    <div className="strip check-ready" data-tone="good">
      <IconBellRinging size={20} aria-hidden />
      <span>{t("ready", { count: countItems(ready.map(({ quantity }) => quantity)) })}</span>
      <ActButton
        size="small"
        onAct={() => {
          for (const [kitchenTicketId, lines] of Map.groupBy(ready, (line) => line.kitchenTicketId)) {
            const served = {
              lineIds: lines.map(({ lineId }) => lineId),
              onlyReady: true,
              heldBy: lines[0]?.heldBy,
            } as const;
            attempt(() => terminal.served(kitchenTicketId, served));
          }
        }}
      >
        {t("progress.served")}
      </ActButton>
    </div>
  );
}
