import { IconAlertTriangle, IconCloudUpload, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { isPageOutdated, checkServedPage } from "@comanda/ui/served-page.ts";
import { useStore } from "@comanda/ui/store.ts";
import { Fragment, useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { usePos, useLive } from "../../lib/connection/pos.ts";
import { useLasting } from "../../lib/page/use-lasting.ts";
import { otherOutboxes } from "../../lib/connection/other-outboxes.ts";
import { isBadgeShown } from "./badge-shown.ts";
import "./outbox-badge.css";

/** States shorter than this, in ms, are not shown. */
const PASSING_MS = 1_500;

/** A badge for everything not in order: conflicts, connection, unsent changes, an outdated page. Leads to the conflicts. */
export function OutboxBadge() {
  const { t } = useTranslation("badge");
  const { isPersistent, terminal } = usePos();
  const connection = useLive("connection");
  const { pending, toSend: unsent, unsaved } = useLive("outbox");
  const conflicts = useLive("conflicts");
  const isPinPending = useLive("pendingPins").length > 0;
  const former = useLive("formerChecks").length;
  const isAway = useLasting(connection.name !== "online", PASSING_MS);
  const isWaiting = useLasting(unsent > 0, PASSING_MS);
  const elsewhere = useStore(otherOutboxes).reduce((sum, { pending: count }) => sum + count, 0);
  const isLost = terminal.lostWork() !== null;
  const isOutdated = useStore(isPageOutdated);
  useEffect(() => {
    if (connection.name === "online") void checkServedPage();
  }, [connection.name]);
  const isAtRisk = unsaved > 0 || (!isPersistent && pending > 0);
  const labels = [
    conflicts.length > 0 ? t("toDecide", { count: conflicts.length }) : null,
    isPinPending ? t("pinAwaited") : null,
    isLost ? t("lost") : null,
    former > 0 ? t("former", { count: former }) : null,
    isAway ? t("away") : null,
    unsent > 0 && (isWaiting || isAway) ? t("toSend", { count: unsent }) : null,
    isAtRisk ? t("notKept") : null,
    elsewhere > 0 ? t("elsewhere", { count: elsewhere }) : null,
    isOutdated ? t("newVersion") : null,
  ].filter((part) => part !== null);
  const isShown = labels.length > 0;
  useEffect(() => isBadgeShown.set(isShown), [isShown]);
  const tone = conflicts.length > 0 || isPinPending || isLost || isAtRisk ? "bad" : isAway ? "warn" : "idle";
  const idleIcon = isOutdated ? IconRefresh : IconCloudUpload;
  const Icon = tone === "bad" ? IconAlertTriangle : isAway ? IconPlugConnectedX : idleIcon;
  return (
    <output className="conflicts-badge-place">
      {isShown && (
        <Link href="/conflicts" className="conflicts-badge" data-tone={tone}>
          <Icon size={18} aria-hidden />
          <span className="conflicts-badge-words">
            {labels.map((part, index) => (
              <Fragment key={part}>
                {index > 0 && <span className="conflicts-badge-dot"> · </span>}
                <span>{part}</span>
              </Fragment>
            ))}
          </span>
        </Link>
      )}
    </output>
  );
}
