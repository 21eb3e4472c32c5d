import type { PracticeStatus } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, hubQuery } from "../../lib/hub.ts";

/** Polling interval, in ms: the stream does not report when trainees join or leave. */
const READ_AGAIN_MS = 10_000;

/** The practice mode: since when it runs, who takes part, and buttons to start, restart and end it. */
export function PracticePanel() {
  const { t } = useTranslation("terminals");
  const practice = useQuery({ ...hubQuery("practice"), refetchOnMount: "always", refetchInterval: READ_AGAIN_MS });
  return (
    <LoadedPanel title={t("tabs.practice")} about={t("practice.about")} query={practice}>
      {(status) => <Practice status={status} />}
    </LoadedPanel>
  );
}

function Practice({ status: { since, people, devices } }: { status: PracticeStatus }) {
  const { t } = useTranslation(["terminals", "common"]);
  const begin: Action = {
    label: t("practice.begin"),
    primary: true,
    run: () => callHub("beginPractice"),
    done: t("practice.begun"),
  };
  const restart: Action = {
    label: t("practice.beginAnew"),
    confirm: { title: t("practice.beginAnewTitle"), body: t("practice.beginAnewBody") },
    run: () => callHub("resetPractice"),
    done: t("practice.begunAnew"),
  };
  const end: Action = {
    label: t("practice.end"),
    confirm: { title: t("practice.endTitle"), body: t("practice.endBody") },
    run: () => callHub("endPractice"),
    done: t("practice.ended"),
  };
  if (since === null) {
    return (
      <>
        <p>{t("practice.none")}</p>
        <ActionButton {...begin} />
      </>
    );
  }
  return (
    <>
      <p>
        {t("common:startedAt")} <TimeAgo at={since} /> · {t("practice.devices", { count: devices })}
      </p>
      <p>{people.length === 0 ? t("practice.nobody") : t("practice.people", { names: people.join(", ") })}</p>
      <div className="button-row">
        <ActionButton {...restart} />
        <ActionButton {...end} />
      </div>
    </>
  );
}
