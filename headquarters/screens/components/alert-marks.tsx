import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useAlertTexts } from "./use-alert-texts.ts";
import { Mark } from "@comanda/ui/mark.tsx";
import { useHasRoom } from "./rows.tsx";

/** The problems of a restaurant: a word for each of the worst, and the number of the rest. */
export function AlertMarks({ alerts }: { alerts: readonly Pick<HqAlert, "kind" | "severity">[] }) {
  const { short } = useAlertTexts();
  const limit = useHasRoom() ? 3 : 1;
  // There may be several alerts of a kind, such as for several types of fiscal numbers.
  const shown = alerts
    .filter(({ kind }, index) => alerts.findIndex((each) => each.kind === kind) === index)
    .slice(0, limit);
  const more = alerts.length - shown.length;
  return (
    <span className="marks">
      {shown.map(({ kind, severity }) => (
        <Mark key={kind} tone={severity === "page" ? "bad" : "warn"}>
          {short(kind)}
        </Mark>
      ))}
      {more > 0 && <Mark>+{more}</Mark>}
    </span>
  );
}
