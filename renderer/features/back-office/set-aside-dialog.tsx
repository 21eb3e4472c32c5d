import { Radio, Stack, Text } from "@mantine/core";
import { HOUR_MS, SET_ASIDE_MAX_MS, type ForwardEvent } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";
import { hourAfterDays, zonedTime } from "@comanda/ui/zoned-time.ts";

const MORNING = 9;

/** Sets a paid order aside until a time that the manager chooses, with the reason. */
export function SetAsideDialog({ event, onClose }: { event: ForwardEvent; onClose: () => void }) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const timeZone = useHub("overview").data?.hub.timeZone;
  // The choices do not change while the dialog is open.
  const now = useNow();
  const [openedAt] = useState(now);
  const morningAfter = (days: number) => hourAfterDays(openedAt, days, MORNING, timeZone);
  const times = [openedAt + HOUR_MS, morningAfter(1), morningAfter(3)];
  const [choice, setChoice] = useState("1");
  const [other, setOther] = useState("");
  const [note, setNote] = useState("");
  const until = choice === "other" ? zonedTime(other, timeZone) : (times[Number(choice)] ?? NaN);
  const isPossible = until > openedAt && until <= openedAt + SET_ASIDE_MAX_MS;
  const { eventId, posReference: reference } = event;
  return (
    <FormDialog
      title={t("setAsideOf", { reference })}
      submitLabel={t("setAside")}
      isReady={isPossible && note.trim() !== ""}
      onClose={onClose}
      run={() =>
        callHub("setAsideForward", {
          params: { eventId },
          body: { note: note.trim(), until: new Date(until).toISOString() },
        })
      }
    >
      <Text size="md">{t("setAsideBody")}</Text>
      <Radio.Group label={t("setAsideUntil")} value={choice} onChange={setChoice}>
        <Stack gap="xs" mt="xs">
          {times.map((at, index) => (
            <Radio
              key={at}
              value={String(index)}
              label={t("untilTime", { when: format.upcoming(new Date(at).toISOString(), openedAt) })}
            />
          ))}
          <Radio value="other" label={t("untilOther")} />
        </Stack>
      </Radio.Group>
      {choice === "other" && (
        <TextField
          type="datetime-local"
          label={t("untilOther")}
          description={t("untilOtherAbout")}
          value={other}
          onChange={setOther}
        />
      )}
      <TextField label={t("common:reason")} value={note} maxLength={500} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}
