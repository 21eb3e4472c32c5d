import type { DesktopInfo, DesktopTerminalBridge, DesktopTerminalSettings, TerminalHub } from "@comanda/protocol";
import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { rememberHub } from "../../lib/device/hub-names.ts";
import { openPos } from "../../lib/connection/open-pos.ts";
import { PosContext, useLive } from "../../lib/connection/pos.ts";
import { HubChoice } from "./hub-choice.tsx";

interface ThisPcProps {
  bridge: DesktopTerminalBridge;
  hub: TerminalHub | null;
}

/** The settings of the desktop app on this PC: hub, display, updates and role. */
export function ThisPcSheet({ bridge, hub, onClose }: ThisPcProps & { onClose: () => void }) {
  const { t } = useTranslation("desktop");
  const [info, setInfo] = useState<DesktopInfo | null>(null);
  const [settings, setSettings] = useState<DesktopTerminalSettings | null>(null);
  useEffect(() => {
    void bridge.info().then(setInfo);
    void bridge.getSettings().then(setSettings);
  }, [bridge]);

  function change(part: Partial<DesktopTerminalSettings>) {
    void bridge.changeSettings(part).then(setSettings);
  }

  return (
    <Sheet title={t("thisPc")} onClose={onClose}>
      <div className="tight this-pc">
        {hub !== null && <HubSection bridge={bridge} hub={hub} />}
        {settings !== null && (
          <section>
            <Switch
              label={t("kiosk")}
              about={t("kioskAbout")}
              isOn={settings.kiosk}
              onChange={(kiosk) => change({ kiosk })}
            />
            <Switch
              label={t("startAtLogin")}
              isOn={settings.startAtLogin}
              onChange={(startAtLogin) => change({ startAtLogin })}
            />
          </section>
        )}
        <UpdateSection bridge={bridge} version={info?.appVersion ?? ""} />
        <RoleSection bridge={bridge} />
        <ActButton onAct={() => void bridge.quit()}>{t("quit")}</ActButton>
      </div>
    </Sheet>
  );
}

function HubSection({ bridge, hub }: { bridge: DesktopTerminalBridge; hub: TerminalHub }) {
  const { t } = useTranslation("desktop");
  const [isChoosing, setChoosing] = useState(false);
  const [isAddressTaken, setAddressTaken] = useState(false);
  const pos = useStore(openPos);
  useEffect(() => {
    // Rejects if another hub has taken the address; the user then has to choose.
    bridge.locateHub().catch(() => setAddressTaken(true));
  }, [bridge]);
  return (
    <section aria-label={t("hub")}>
      <h2>{t("hub")}</h2>
      <p>
        <strong>{hub.name}</strong> <span className="soft">{new URL(hub.url).host}</span>
      </p>
      {isAddressTaken && <p role="alert">{t("otherHub")}</p>}
      {isChoosing ? (
        <>
          {pos !== null && (
            <PosContext value={pos}>
              <UnsentForHub name={hub.name} />
            </PosContext>
          )}
          <HubChoice
            bridge={bridge}
            current={hub}
            onChosen={() => {
              rememberHub(hub);
              location.reload();
            }}
          />
        </>
      ) : (
        <ActButton size="small" onAct={() => setChoosing(true)}>
          {t("changeHub")}
        </ActButton>
      )}
    </section>
  );
}

/** Shows that changes recorded for a hub stay here for it while this PC works with another one. */
function UnsentForHub({ name }: { name: string }) {
  const { t } = useTranslation("desktop");
  const { pending } = useLive("outbox");
  return pending > 0 && <output className="this-pc-kept">{t("unsentForHub", { count: pending, hub: name })}</output>;
}

function UpdateSection({ bridge, version }: { bridge: DesktopTerminalBridge; version: string }) {
  const { t } = useTranslation("desktop");
  const [result, setResult] = useState<"no_channel" | "up_to_date" | null>(null);
  return (
    <section>
      <p className="soft">{t("version", { version })}</p>
      <ActButton
        size="small"
        onAct={() => {
          // A pending update is shown by the overlay.
          void bridge.checkForUpdate().then((found) => setResult(found === "pending" ? null : found));
        }}
      >
        {t("checkForUpdate")}
      </ActButton>
      <p role="status">{result !== null && t(result)}</p>
    </section>
  );
}

function RoleSection({ bridge }: { bridge: DesktopTerminalBridge }) {
  const { t } = useTranslation("desktop");
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <ActButton kind="quiet" onAct={() => setAsking(true)}>
        {t("becomeHub")}
      </ActButton>
    );
  }
  return (
    <section>
      <p>{t("becomeHubAbout")}</p>
      <ActButton kind="danger" onAct={() => void bridge.becomeHub()}>
        {t("becomeHubNow")}
      </ActButton>
    </section>
  );
}

function Switch({
  label,
  about,
  isOn,
  onChange,
}: {
  label: string;
  about?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="this-pc-switch">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {about !== undefined && <span className="soft">{about}</span>}
      </span>
    </label>
  );
}
