import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useAlertWords } from "./alert-words.ts";

/** What is wrong at a restaurant, a word for each. */
export function AlertMarks({ alerts }: { alerts: readonly Pick<HqAlert, "kind" | "severity">[] }) {
  const { short } = useAlertWords();
  return (
    <span className="marks">
      {alerts.map(({ kind, severity }, index) => (
        <span key={index} className="mark" data-tone={severity === "page" ? "bad" : "warn"}>
          {short(kind)}
        </span>
      ))}
    </span>
  );
}
