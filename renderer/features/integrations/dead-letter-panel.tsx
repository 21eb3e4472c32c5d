import { DAY_MS, type DeadLetters, HOUR_MS } from "@comanda/protocol";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { hubTime } from "../../lib/hub-time.ts";
import { ConfirmDialog } from "../../components/forms/dialog.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { LoadedQuietly } from "../../components/tables/loaded.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { undelivered } from "./undelivered.ts";
import { useAnswerText } from "./webhook-labels.ts";

const sinceMs = { ever: 0, day: DAY_MS, hour: HOUR_MS };
type Since = keyof typeof sinceMs;
const sinceNames: readonly Since[] = ["ever", "day", "hour"];

/** Selects all receivers if `webhookId` is absent. */
interface Selection {
  webhookId?: string;
}

/** Undelivered notifications, by reason. All of them, or one receiver's, can be queued again. */
export function DeadLetterPanel() {
  const { t } = useTranslation("integrations");
  return (
    <LoadedQuietly title={t("deadTitle")} query={useHub("deadLetters")}>
      {({ groups }) => groups.length > 0 && <Undelivered groups={groups} />}
    </LoadedQuietly>
  );
}

/** A component of its own: its dialog disappears with the last group, and does not reopen by itself for the next. */
function Undelivered({ groups }: Pick<DeadLetters, "groups">) {
  const { t } = useTranslation(["integrations", "common"]);
  const answerText = useAnswerText();
  const [selected, setSelected] = useState<Selection | null>(null);
  return (
    <Panel
      title={t("deadTitle")}
      flush
      actions={
        <Button size="xs" onClick={() => setSelected({})}>
          {t("replayAll")}
        </Button>
      }
    >
      {groups.map(({ webhookId, reason, status, url, count, oldestAt }) => (
        <div className="dead-group spread" key={`${webhookId}-${reason}-${status}`}>
          <div>
            <StatusMark tone="bad">{t("deadGroup", { count })}</StatusMark>{" "}
            <strong>{answerText(status, reason)}</strong>
            <div className="soft">
              {url} · <TimeAgo at={oldestAt} />
            </div>
          </div>
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("replay")}: ${url}`}
            onClick={() => setSelected({ webhookId })}
          >
            {t("replay")}
          </Button>
        </div>
      ))}
      {selected !== null && (
        <ReplayDialog {...selected} count={undelivered(groups, selected.webhookId)} onClose={() => setSelected(null)} />
      )}
    </Panel>
  );
}

interface ReplayProps extends Selection {
  count: number;
  onClose: () => void;
}

function ReplayDialog({ webhookId, count, onClose }: ReplayProps) {
  const { t } = useTranslation("integrations");
  const [since, setSince] = useState<Since>("ever");
  const body = (
    <>
      {t("replayBody", { count })}
      <SegmentedControl
        mt="sm"
        fullWidth
        aria-label={t("since")}
        value={since}
        onChange={setSince}
        data={sinceNames.map((value) => ({ value, label: t(`sinceChoice.${value}`) }))}
      />
    </>
  );
  return (
    <ConfirmDialog
      label={t("replay")}
      confirmation={{ title: t("replayTitle"), body, basis: String(count) }}
      onClose={onClose}
      run={async () => {
        const { replayed } = await callHub("replayDeliveries", {
          body: {
            ...(webhookId === undefined ? {} : { webhookId }),
            ...(since === "ever" ? {} : { since: new Date(hubTime() - sinceMs[since]).toISOString() }),
          },
        });
        notify(t("replayedAll", { count: replayed }));
      }}
    />
  );
}
