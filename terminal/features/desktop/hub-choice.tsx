import { IconServer2 } from "@tabler/icons-react";
import type { ChosenHub, DesktopTerminalBridge, TerminalHub } from "@comanda/protocol";
import { useState } from "react";
import { Mark } from "@comanda/ui/mark.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { useFoundHubs } from "./use-found-hubs.ts";

type Failure = Extract<ChosenHub, { ok: false }>["reason"] | "other";

/** The hubs on the network by name, and a field for an address. A hub can only be chosen if it answers. */
export function HubChoice({
  bridge,
  current,
  onChosen,
}: {
  bridge: DesktopTerminalBridge;
  current: TerminalHub | null;
  onChosen: (hub: TerminalHub) => void;
}) {
  const { t } = useTranslation("desktop");
  const { hubs, hasSearched } = useFoundHubs(bridge);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [address, setAddress] = useState("");

  async function choose(at: string): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      const chosen = await bridge.chooseHub(at);
      if (chosen.ok) onChosen(chosen.hub);
      else setFailure(chosen.reason);
    } catch {
      setFailure("other");
    }
    setBusy(false);
  }

  return (
    <div className="tight hub-choice">
      <ul className="rows" aria-label={t("found")}>
        {hubs.map((hub) => (
          <li key={hub.id}>
            <ActButton className="hub-found" disabled={isBusy} onAct={() => void choose(hub.url)}>
              <IconServer2 size={26} aria-hidden />
              <span className="hub-name">
                {hub.name}
                <span className="act-more">{new URL(hub.url).host}</span>
              </span>
              {hub.id === current?.id && <Mark tone="good">{t("inUse")}</Mark>}
            </ActButton>
          </li>
        ))}
      </ul>
      <p className="soft" role="status">
        {hubs.length > 0 ? t("tapIt") : t(hasSearched ? "foundNone" : "searching")}
      </p>
      <Form className="stack" onSubmit={() => choose(address)}>
        <label className="field">
          <span>{t("address")}</span>
          <input
            value={address}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={256}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <span className="soft hub-hint">{t("addressHint")}</span>
        </label>
        <button type="submit" className="act" data-kind="main" disabled={isBusy}>
          {t(isBusy ? "connecting" : "use")}
        </button>
      </Form>
      <Failure text={failure === null ? null : t(`failed.${failure}`)} />
    </div>
  );
}
