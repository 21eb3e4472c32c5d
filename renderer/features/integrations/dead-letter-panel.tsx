import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ConfirmDialog } from "../../components/forms/dialog.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { useAnswerText } from "./webhook-labels.ts";

const sinceMs = { ever: 0, day: DAY_MS, hour: HOUR_MS };
type Since = keyof typeof sinceMs;
const sinceNames: readonly Since[] = ["ever", "day", "hour"];

interface Selection {
  webhookId?: string;
  count: number;
}

/** What could not be delivered, by reason; all of it, or one receiver's, can be queued again. */
export function DeadLetterPanel() {
  const { t } = useTranslation(["integrations", "common"]);
  const answerText = useAnswerText();
  const groups = useHub("deadLetters").data?.groups ?? [];
  const [selected, setSelected] = useState<Selection | null>(null);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <Panel
      title={t("deadTitle")}
      flush
      actions={
        <Button size="xs" onClick={() => setSelected({ count: total })}>
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
            onClick={() => setSelected({ webhookId, count })}
          >
            {t("replay")}
          </Button>
        </div>
      ))}
      {selected !== null && <ReplayDialog selection={selected} onClose={() => setSelected(null)} />}
    </Panel>
  );
}

function ReplayDialog({ selection: { webhookId, count }, onClose }: { selection: Selection; onClose: () => void }) {
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
        onChange={(next) => setSince(sinceNames.find((name) => name === next) ?? "ever")}
        data={sinceNames.map((value) => ({ value, label: t(`sinceChoice.${value}`) }))}
      />
    </>
  );
  return (
    <ConfirmDialog
      label={t("replay")}
      confirmation={{ title: t("replayTitle"), body }}
      onClose={onClose}
      run={async () => {
        const { replayed } = await callHub("replayDeliveries", {
          body: {
            ...(webhookId === undefined ? {} : { webhookId }),
            ...(since === "ever" ? {} : { since: new Date(Date.now() - sinceMs[since]).toISOString() }),
          },
        });
        notify(t("replayedAll", { count: replayed }));
      }}
    />
  );
}
