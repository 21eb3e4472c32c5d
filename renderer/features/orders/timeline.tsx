import { Button } from "@mantine/core";
import type { OrderVersion } from "@comanda/protocol";
import { useEffect, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, useConfirm, type Action } from "../../components/forms/action-button.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { TimelineItem } from "./timeline-item.tsx";
import { buildStory, type StepName, type StoryItem } from "./timeline-story.ts";
import { WebhookFold } from "./webhook-fold.tsx";

interface TimelineProps {
  posReference: string;
  /** The order's current version, as long as another may replace it. */
  version: number | undefined;
  /** Limits the timeline to this step, and scrolls to it. */
  step: StepName | null;
  onShowAll: () => void;
}

/** Everything that happened to an order, latest first. Any earlier version can be restored. */
export function Timeline({ posReference, version, step, onShowAll }: TimelineProps) {
  const { t } = useTranslation("orders");
  const timeline = useHub("orderTimeline", { params: { posReference } });
  const revert = useRevert(posReference);
  const revertTo = ({ target, baseVersion }: Restoring): Action | undefined =>
    version !== undefined && target.version < version ? revert({ target, baseVersion }, version) : undefined;
  const [dialog, confirm] = useConfirm(revertTo);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step === null) return;
    heading.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <div className="order-part">
      <div className="spread timeline-head">
        <h3 ref={heading} tabIndex={-1}>
          {step === null ? t("timeline") : t("timelineOf", { step: t(`step.${step}`) })}
        </h3>
        {step !== null && (
          <Button variant="subtle" size="compact-xs" onClick={onShowAll}>
            {t("showAll")}
          </Button>
        )}
      </div>
      <Loaded query={timeline} height={240}>
        {({ entries }) => {
          const { items, webhooks } = buildStory(entries);
          const shown = items.filter((item) => step === null || item.step === step);
          return (
            <>
              {shown.length === 0 && <p className="soft no-margin">{t("nothingYet")}</p>}
              <ol className="plain-list timeline">
                {shown.toReversed().map((item) => {
                  const target = versionOf(item);
                  const restoring = target !== null && version !== undefined ? { target, baseVersion: version } : null;
                  const action = restoring === null ? undefined : revertTo(restoring);
                  return (
                    <TimelineItem key={item.key} item={item}>
                      {restoring !== null && action !== undefined && (
                        <ActionButton
                          variant="subtle"
                          size="compact-xs"
                          {...action}
                          onConfirm={() => confirm(action, restoring)}
                        />
                      )}
                    </TimelineItem>
                  );
                })}
              </ol>
              {step === null && webhooks.length > 0 && <WebhookFold attempts={webhooks} />}
            </>
          );
        }}
      </Loaded>
      {dialog}
    </div>
  );
}

function versionOf(item: StoryItem): OrderVersion | null {
  if (item.kind === "sent" || item.kind === "forwarded") return item.version;
  return item.kind === "entry" && item.entry.kind === "version" ? item.entry.version : null;
}

/** The version to restore, and the version that the user sees: later changes are not overwritten. */
interface Restoring {
  target: OrderVersion;
  baseVersion: number;
}

function useRevert(posReference: string): (restoring: Restoring, version: number) => Action {
  const { t, format } = useTranslation("orders");
  return ({ target, baseVersion }, version) => ({
    label: t("revert"),
    confirm: {
      title: t("revertTitle", { version: target.version }),
      body: t("revertBody", {
        version: target.version,
        time: format.timeExact(target.at),
        total: format.money(target.total),
      }),
      submitLabel: t("revertTitle", { version: target.version }),
      basis: String(version),
    },
    run: () => callHub("revertOrder", { params: { posReference }, body: { version: target.version, baseVersion } }),
    done: t("reverted", { version: target.version }),
  });
}
