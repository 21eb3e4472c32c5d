import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useAlertWords } from "./alert-words.ts";
import { useHasRoom } from "./rows.tsx";

/** What is wrong at a restaurant, a word for each of the worst, and how many more there are. */
export function AlertMarks({ alerts }: { alerts: readonly Pick<HqAlert, "kind" | "severity">[] }) {
  const { short } = useAlertWords();
  const most = useHasRoom() ? 3 : 1;
  const more = alerts.length - most;
  return (
    <span className="marks">
      {alerts.slice(0, most).map(({ kind, severity }, index) => (
        <span key={index} className="mark" data-tone={severity === "page" ? "bad" : "warn"}>
          {short(kind)}
        </span>
      ))}
      {more > 0 && <span className="mark">+{more}</span>}
    </span>
  );
}
