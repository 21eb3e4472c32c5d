import { Button, SegmentedControl } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { hubKey } from "../../../lib/hub-query.ts";
import { useDeadLetters } from "../api/dead-letters.ts";
import { replayDeliveries } from "../api/replay-deliveries.ts";

const sinceMs = { ever: 0, day: 24 * 3_600_000, hour: 3_600_000 };
type Since = keyof typeof sinceMs;
const sinceNames: readonly Since[] = ["ever", "day", "hour"];

function isSince(value: string): value is Since {
  return Object.hasOwn(sinceMs, value);
}

interface Chosen {
  webhookId?: string;
  count: number;
}

/** What could not be delivered, by what went wrong; all of it or one receiver's can be queued again. */
export function DeadLetterPanel() {
  const { t } = useTranslation(["integrations", "common"]);
  const dead = useDeadLetters();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [since, setSince] = useState<Since>("ever");
  const groups = dead.data?.groups ?? [];
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <Panel
      title={t("deadTitle")}
      flush
      actions={
        <Button size="xs" onClick={() => setChosen({ count: total })}>
          {t("replayAll")}
        </Button>
      }
    >
      {groups.map((group) => (
        <div className="dead-group" key={`${group.webhookId}-${group.reason}-${group.status}`}>
          <div>
            <StatusMark tone="bad">{t("deadGroup", { count: group.count })}</StatusMark>{" "}
            <strong>{group.status ?? t(`common:webhookError.${group.reason}`)}</strong>
            <div className="soft">
              {group.url} · <Ago at={group.oldestAt} />
            </div>
          </div>
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("replay")}: ${group.url}`}
            onClick={() => setChosen({ webhookId: group.webhookId, count: group.count })}
          >
            {t("replay")}
          </Button>
        </div>
      ))}
      {chosen !== null && (
        <Confirm
          open
          onClose={() => setChosen(null)}
          title={t("replayTitle")}
          action={t("replay")}
          run={async () => {
            const { replayed } = await replayDeliveries({
              ...(chosen.webhookId === undefined ? {} : { webhookId: chosen.webhookId }),
              ...(since === "ever" ? {} : { since: new Date(Date.now() - sinceMs[since]).toISOString() }),
            });
            notifications.show({ message: t("replayedAll", { count: replayed }), color: "petrol" });
            await queries.invalidateQueries({ queryKey: hubKey("deliveries") });
            await queries.invalidateQueries({ queryKey: hubKey("deadLetters") });
          }}
        >
          {t("replayBody", { count: chosen.count })}
          <SegmentedControl
            mt="sm"
            fullWidth
            aria-label={t("since")}
            value={since}
            onChange={(next) => setSince(isSince(next) ? next : "ever")}
            data={sinceNames.map((value) => ({ value, label: t(`sinceChoice.${value}`) }))}
          />
        </Confirm>
      )}
    </Panel>
  );
}
