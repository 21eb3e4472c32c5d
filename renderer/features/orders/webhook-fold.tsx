import { parseUrl } from "@comanda/protocol/parse-url.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { isAccepted, useEventLabel } from "../../components/webhook-event-label.ts";
import { countSystems, type WebhookAttempt } from "./timeline-story.ts";

/** One line that says how many other systems were notified of the order. It opens to all attempts, latest first. */
export function WebhookFold({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const { t, format } = useTranslation(["orders", "common"]);
  const eventLabel = useEventLabel();
  const { systems, failed } = countSystems(attempts);
  const summary = [t("webhookSystems", { count: systems }), failed > 0 && t("webhookSystemsFailed", { count: failed })];
  return (
    <details className="timeline-more webhook-fold">
      <summary>{summary.filter(Boolean).join(", ")}</summary>
      <ul className="plain-list divided">
        {attempts.toReversed().map((attempt) => (
          <li key={`${attempt.deliveryId} ${attempt.attempt}`}>
            <span className="num">{format.timeExact(attempt.at)}</span>{" "}
            {t("webhookTo", {
              event: eventLabel(attempt.event),
              system: hostOf(attempt.url),
            })}{" "}
            <StatusMark tone={isAccepted(attempt.status) ? "good" : "warn"}>
              {isAccepted(attempt.status)
                ? t("webhookReceived")
                : attempt.status === null
                  ? t(`common:webhookError.${attempt.error ?? "unreachable"}`)
                  : t("webhookRefused", { status: attempt.status })}
            </StatusMark>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns the host of a URL, or the text itself if it cannot be parsed. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}
