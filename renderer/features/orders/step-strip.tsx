import {
  IconAlertOctagonFilled,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleDot,
  IconCircleMinus,
} from "@tabler/icons-react";
import type { OrderDetail } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Tone } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { orderSteps, type StepState } from "./order-steps.ts";
import type { StepName } from "./timeline-story.ts";

/** An icon for each state, so that colour is never the only sign. */
const iconOf = {
  done: IconCircleCheckFilled,
  now: IconCircleDot,
  failed: IconAlertOctagonFilled,
  skipped: IconCircleMinus,
  later: IconCircle,
} as const;

const toneOf: Record<StepState, Tone> = { done: "good", now: "accent", failed: "bad", skipped: "idle", later: "idle" };

interface StepStripProps {
  detail: OrderDetail;
  /** The step to which the history is limited. */
  chosen: StepName | null;
  onChoose: (step: StepName) => void;
}

/** Shows how far the order is, from opened to accounting. Choosing a step limits the history to it. */
export function StepStrip({ detail, chosen, onChoose }: StepStripProps) {
  const { t, format } = useTranslation("orders");
  const timeline = useHub("orderTimeline", { params: { posReference: detail.order.posReference } });
  return (
    <ol className="plain-list step-strip" aria-label={t("steps")}>
      {orderSteps(detail, timeline.data?.entries ?? []).map(({ name, state, at }) => {
        const Icon = iconOf[state];
        return (
          <li key={name} data-tone={toneOf[state]} data-state={state}>
            <button type="button" aria-pressed={chosen === name} onClick={() => onChoose(name)}>
              <Icon size={20} aria-hidden />
              <span className="step-name">{t(`step.${name}`)}</span>
              <span className="soft step-state">
                {state === "done" && at !== null ? (
                  <>
                    <span className="visually-hidden">{t("stepState.done")} </span>
                    <time className="num" dateTime={at} title={format.dateTime(at)}>
                      {format.time(at)}
                    </time>
                  </>
                ) : (
                  t(`stepState.${state}`)
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
