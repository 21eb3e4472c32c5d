import { ActButton } from "@comanda/ui/act-button.tsx";
import { isPageOutdated } from "@comanda/ui/served-page.ts";
import { useStore } from "@comanda/ui/store.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { ReactNode } from "react";
import { Sign, type SignTone } from "../../components/sign.tsx";
import { useLive, usePos } from "../../lib/connection/pos.ts";

/** The state of connection, hub and device, one sentence each, the worst first. */
export function Health() {
  const { t, format } = useTranslation(["conflicts", "person"]);
  const { terminal, isPersistent, connectionSince } = usePos();
  const connection = useLive("connection");
  const status = useLive("hubStatus");
  const session = useLive("session");
  const menu = useLive("menu");
  const { unsaved } = useLive("outbox");
  const isOutdated = useStore(isPageOutdated);
  const isOnline = connection.name === "online";
  const since = new Date(connectionSince()).toISOString();
  const age = useTextAt(() => format.age(terminal.now() - Date.parse(since)));
  const asOf = terminal.asOf();

  const facts: { tone: SignTone; text: string }[] = [];
  if (!isOnline && asOf !== null) {
    facts.push({ tone: "warn", text: t("health.asOf", { when: format.when(asOf, terminal.now()) }) });
  }
  if (menu?.hubMode === false) facts.push({ tone: "bad", text: t("health.hubModeOff") });
  else if (session?.active === false) facts.push({ tone: "bad", text: t("health.closed") });
  if (isOnline && status !== null) {
    facts.push(
      status.backOffice === "up"
        ? { tone: "good", text: t("health.backOfficeUp") }
        : { tone: "warn", text: t("health.backOfficeDown") },
    );
    if (status.pendingForward > 0) {
      facts.push({ tone: "idle", text: t("health.pendingForward", { count: status.pendingForward }) });
    }
    if (status.attention > 0) facts.push({ tone: "warn", text: t("health.attention", { count: status.attention }) });
    if (status.diskLow) facts.push({ tone: "bad", text: t("health.diskLow") });
  }
  if (unsaved > 0) facts.push({ tone: "bad", text: t("health.unsaved", { count: unsaved }) });
  else if (!isPersistent) facts.push({ tone: "warn", text: t("health.nothingKept") });

  return (
    <section aria-labelledby="conflicts-health">
      <h2 id="conflicts-health">{t("health.title")}</h2>
      <ul className="rows conflicts-health">
        <Fact tone={isOnline ? "good" : "warn"}>{t(isOnline ? "health.online" : "health.away", { age })}</Fact>
        {facts.map(({ tone, text }) => (
          <Fact key={text} tone={tone}>
            {text}
          </Fact>
        ))}
        {isOutdated && (
          <Fact tone="idle">
            {t("health.newVersion")}
            <ActButton size="small" onAct={() => location.reload()}>
              {t("person:reload")}
            </ActButton>
          </Fact>
        )}
      </ul>
    </section>
  );
}

function Fact({ tone, children }: { tone: SignTone; children: ReactNode }) {
  return (
    <li data-tone={tone}>
      <Sign tone={tone} />
      {children}
    </li>
  );
}
