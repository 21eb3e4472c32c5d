import type { OrderVersion } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { ActionButton, useConfirm, type Action } from "../../components/action-button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useFormat } from "../../lib/format.ts";
import { TimelineItem } from "./timeline-item.tsx";

interface TimelineProps {
  posReference: string;
  /** The order's present version, once it is read. */
  version: number | undefined;
}

/** Everything that happened to an order, latest first; any earlier version can be restored. */
export function Timeline({ posReference, version }: TimelineProps) {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const timeline = useHub("orderTimeline", { params: { posReference } });
  const [dialog, confirm] = useConfirm();
  const revert = (target: OrderVersion, baseVersion: number): Action => ({
    label: t("revert"),
    confirm: {
      title: t("revertTitle", { version: target.version }),
      body: t("revertBody", {
        version: target.version,
        time: format.timeExact(target.at),
        total: format.money(target.total),
      }),
      submitLabel: t("revertTitle", { version: target.version }),
    },
    run: () => callHub("revertOrder", { params: { posReference }, body: { version: target.version, baseVersion } }),
    done: t("reverted", { version: target.version }),
  });
  return (
    <div className="order-part">
      <h3>{t("timeline")}</h3>
      <Loaded query={timeline} height={240}>
        {({ entries }) => (
          <ol className="plain-list timeline">
            {entries.toReversed().map((entry) => (
              // Entries have no id, and what was recorded once does not change.
              <TimelineItem key={JSON.stringify(entry)} entry={entry}>
                {entry.kind === "version" && version !== undefined && entry.version.version < version && (
                  <ActionButton
                    variant="subtle"
                    size="compact-xs"
                    action={revert(entry.version, version)}
                    onConfirm={confirm}
                  />
                )}
              </TimelineItem>
            ))}
          </ol>
        )}
      </Loaded>
      {dialog}
    </div>
  );
}
