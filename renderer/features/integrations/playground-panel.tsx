import { SegmentedControl, Stack } from "@mantine/core";
import { quotedForShell, WebhookEvent, type OperatorWebhook, type TestRequest } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CopyField } from "../../components/forms/copy-field.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { SelectField } from "../../components/forms/form-fields.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { TestResult } from "./test-result.tsx";
import java from "./verifiers/Verify.java?raw";
// Imported as text, which is its default export.
// oxlint-disable-next-line import/default
import javaScript from "./verifiers/verify.mjs?raw";
import python from "./verifiers/verify.py?raw";
import shell from "./verifiers/verify.sh?raw";
import { useNameLabels } from "./webhook-labels.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

/** Sends sample events to a receiver under development. */
export function PlaygroundPanel() {
  const { t } = useTranslation("integrations");
  return (
    <LoadedPanel title={t("playground")} about={t("playgroundAbout")} query={useHub("webhooks")}>
      {({ webhooks }) =>
        webhooks.length === 0 ? (
          <Empty title={t("noWebhooksTitle")} way={{ to: "/integrations/webhooks", label: t("toWebhooks") }}>
            {t("playgroundEmpty")}
          </Empty>
        ) : (
          <Playground webhooks={webhooks} />
        )
      }
    </LoadedPanel>
  );
}

const unsent = { data: undefined, error: null, isPending: false };

function Playground({ webhooks }: { webhooks: readonly OperatorWebhook[] }) {
  const { t } = useTranslation("integrations");
  const labels = useNameLabels();
  const [webhookId, setWebhookId] = useState(webhooks[0]?.id ?? "");
  const [event, setEvent] = useState<WebhookEvent>("order.created");
  // The chosen webhook may have been deleted.
  const chosen = webhooks.find(({ id }) => id === webhookId) ?? webhooks[0];
  const sending = useMutation({
    mutationFn: (sample: { id: string; event: WebhookEvent }) =>
      callHub("testWebhook", { params: { webhookId: sample.id }, body: { event: sample.event } }),
  });
  // An answer is shown only with the receiver and event that it belongs to.
  const isOfChosen = sending.variables?.id === chosen?.id && sending.variables?.event === event;
  const { data: result, error, isPending } = isOfChosen ? sending : unsent;

  return (
    <Form onSubmit={() => chosen !== undefined && sending.mutate({ id: chosen.id, event })}>
      <Stack>
        <SelectField
          label={t("filterWebhook")}
          data={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
          value={chosen?.id ?? null}
          onChange={setWebhookId}
        />
        <SelectField
          label={t("sampleEvent")}
          data={WebhookEvent.options.map((each) => ({ value: each, label: `${labels.event(each)} (${each})` }))}
          value={event}
          onChange={setEvent}
        />
        <BusyButton type="submit" loading={isPending}>
          {t("sendSample")}
        </BusyButton>
        {error !== null && <ErrorNotice error={error} />}
        {result !== undefined && <TestResult result={result} />}
        {result?.request !== undefined && <CopyField label={t("sentAsCurl")} value={asCurl(result.request)} />}
      </Stack>
    </Form>
  );
}

/** Returns a POSIX shell command that sends the same bytes again. */
function asCurl({ headers, body }: TestRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`);
  return ['curl -sS "$RECEIVER_URL"', ...lines, `--data-binary ${quotedForShell(body)}`].join(" \\\n  ");
}

const verifiers = { shell, JavaScript: javaScript, Python: python, Java: java };
type Language = keyof typeof verifiers;

/** Code for receivers that verifies that the hub sent a request, ready to copy. */
export function VerifierPanel() {
  const { t } = useTranslation("integrations");
  const [language, setLanguage] = useState<Language>("JavaScript");
  return (
    <Panel title={t("verifiers")} about={t("verifiersAbout")}>
      <Stack>
        <SegmentedControl
          aria-label={t("verifierLanguage")}
          data={Object.keys(verifiers).map((each) => ({
            value: each,
            label: each === "shell" ? t("shell") : each,
          }))}
          value={language}
          onChange={(each) => setLanguage(each as Language)}
        />
        <CopyField label={t("verifierCode")} value={verifiers[language]} />
      </Stack>
    </Panel>
  );
}
