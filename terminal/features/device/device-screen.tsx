import { MINUTE_MS } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Failure } from "../../components/failure.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { readDevice, saveDevice, startScreens } from "../../lib/device/device.ts";
import { renameDevice } from "../../lib/device/rename-device.ts";
import { deviceName } from "../../lib/device/device-name.ts";
import { formText } from "../../lib/page/form-text.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { failureText } from "../../lib/page/show-refusal.ts";
import { testSound } from "../../lib/page/test-sound.ts";
import { checksOf, nextStep, type Check } from "./device-checks.ts";
import { useFindings } from "./use-findings.ts";
import { Sign } from "../../components/sign.tsx";
import "../../components/screen.css";
import "./device.css";

/** Whether this device is fit for service, with one step at a time; its name and its start screen. */
export function DeviceScreen() {
  const { t } = useTranslation("device");
  const { findings, confirm, again } = useFindings();
  const checks = checksOf(findings);
  const step = nextStep(checks);
  const sentence = useSentence(findings);
  return (
    <div className="screen device">
      <h1>{t("title")}</h1>
      <output className="toned-card device-step" data-tone={step?.tone === "idle" ? "accent" : (step?.tone ?? "good")}>
        {step === null ? (
          <strong>{t("ready")}</strong>
        ) : (
          <>
            <strong>{sentence(step)}</strong>
            <Todo key={step.name} step={step} confirm={confirm} again={again} />
          </>
        )}
      </output>
      <section aria-labelledby="device-checks">
        <h2 id="device-checks">{t("checks")}</h2>
        <ul className="device-checks">
          {checks.map((check) => (
            <li key={check.name} data-tone={check.tone}>
              <Sign tone={check.tone} />
              <span>
                <strong>{t(`name.${check.name}`)}</strong>
                <br />
                {sentence(check)}
              </span>
            </li>
          ))}
        </ul>
        <ActButton size="small" onAct={again}>
          {t("again")}
        </ActButton>
      </section>
      <StartScreenChoice />
      <NameForm />
    </div>
  );
}

type Confirm = ReturnType<typeof useFindings>["confirm"];

function Todo({ step, confirm, again }: { step: Check; confirm: Confirm; again: () => void }) {
  const { t } = useTranslation("device");
  const [isPlayed, setPlayed] = useState(false);
  return (
    <div className="chips device-acts">
      {step.name === "sound" && (
        <ActButton
          kind={isPlayed ? "plain" : "main"}
          onAct={() => {
            void testSound();
            setPlayed(true);
          }}
        >
          {t("playSound")}
        </ActButton>
      )}
      {step.name === "sound" && isPlayed && (
        <>
          <ActButton kind="main" onAct={() => confirm({ sound: "heard" })}>
            {t("heard")}
          </ActButton>
          <ActButton onAct={() => confirm({ sound: "silent" })}>{t("notHeard")}</ActButton>
        </>
      )}
      {step.name === "awake" && (
        <ActButton kind="main" onAct={() => confirm({ awake: "byHand" })}>
          {t("awakeSet")}
        </ActButton>
      )}
      {step.name !== "sound" && step.name !== "awake" && (
        <ActButton kind="main" onAct={again}>
          {t("again")}
        </ActButton>
      )}
    </div>
  );
}

function useSentence({
  roundTrip,
  clockAheadMs,
}: ReturnType<typeof useFindings>["findings"]): (check: Check) => string {
  const { t, format } = useTranslation("device");
  return ({ name, text }) =>
    t(`check.${name}.${text}` as "check.path.quick", {
      time: format.duration(typeof roundTrip === "number" ? roundTrip : 0),
      by: format.duration(roundedMinutes(Math.abs(clockAheadMs ?? 0))),
    });
}

function StartScreenChoice() {
  const { t } = useTranslation(["device", "common"]);
  const [device, setDevice] = useState(readDevice);
  return (
    <section aria-labelledby="device-start">
      <h2 id="device-start">{t("startTitle")}</h2>
      <Choices
        className="chips device-acts"
        of={startScreens}
        chosen={device.startScreen}
        text={(startScreen) => t(`common:${startScreen}`)}
        onChoose={(startScreen) => {
          const next = { ...readDevice(), startScreen };
          saveDevice(next);
          setDevice(next);
        }}
      />
    </section>
  );
}

/** Renames the device. It stays the same device, so all its changes must have reached the hub first. */
function NameForm() {
  const { t } = useTranslation("device");
  const terminal = useTerminal();
  const [device] = useState(readDevice);
  const [failed, setFailed] = useState<string | null>(null);

  async function rename(form: FormData): Promise<void> {
    const id = deviceName(formText(form, "name"));
    if (id === "" || id === device.id) return;
    const { pending: count } = terminal.outbox();
    if (count > 0) return setFailed(t("nameWaits", { count }));
    try {
      if (!(await terminal.isNameFree(id))) return setFailed(t("nameTaken", { name: id }));
    } catch (error) {
      return setFailed(failureText(error));
    }
    renameDevice(id);
    location.reload();
  }

  return (
    <section aria-labelledby="device-name">
      <h2 id="device-name">{t("nameTitle")}</h2>
      <form action={rename} className="chips device-name">
        <TextField label={t("nameLabel")} name="name" defaultValue={device.id} maxLength={64} autoCapitalize="none" />
        <SubmitButton>{t("nameSave")}</SubmitButton>
      </form>
      <Failure text={failed} />
    </section>
  );
}

/** Rounds to minutes, to hide the inaccuracy of the measurement. */
function roundedMinutes(ms: number): number {
  return ms < MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS;
}
