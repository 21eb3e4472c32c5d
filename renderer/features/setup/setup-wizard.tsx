import { Button, Group, Stepper, Radio, SegmentedControl, Stack } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ComponentType } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TechnicalDetail } from "../../components/failures/technical-detail.tsx";
import { PairStep } from "./pair-step.tsx";
import { BackOfficeStep, PluginStep, RestaurantStep, type StepProps } from "./settings-steps.tsx";
import { useSetup, type Setup } from "./use-setup.ts";
import { Form } from "@comanda/ui/form.tsx";
import { BusyButton } from "../../components/forms/busy-button.tsx";
import { languageNames } from "@comanda/ui/language-names.ts";
import { chooseLanguage } from "../../lib/choose-language.ts";
import { RestoreFirst } from "./restore-first.tsx";
import "./setup.css";

const steps = {
  language: LanguageStep,
  restaurant: RestaurantStep,
  backOffice: BackOfficeStep,
  plugins: PluginStep,
  pair: PairStep,
};
const stepNames = Object.keys(steps) as (keyof typeof steps)[];
const last = stepNames.length - 1;

interface WizardProps {
  bridge: DesktopBridge;
  onDone: () => void;
}

/** The first setup in five steps, each tested at once. Everything can be changed later. */
export function SetupWizard({ bridge, onDone }: WizardProps) {
  const setup = useSetup(bridge);
  return setup === null ? null : <Wizard bridge={bridge} setup={setup} onDone={onDone} />;
}

/** Returns the step that was open before a reload, or the password's step if a typed password was lost with the page. */
function initialStep({ needsPassword }: Setup): number {
  const storedStep = Number(sessionStorage.getItem("comanda-draft-setup-step") ?? 0);
  const passwordStep = stepNames.indexOf("backOffice");
  return needsPassword && storedStep > passwordStep && storedStep < last ? passwordStep : storedStep;
}

function Wizard({ bridge, setup, onDone }: WizardProps & { setup: Setup }) {
  const { t } = useTranslation("setup");
  const [step, setStep] = useState(() => initialStep(setup));
  const card = useRef<HTMLFormElement>(null);
  const shown = useRef(0);
  useEffect(() => {
    // The focus would stay on the pressed button or, after a reload, on the previous page. Keyboards and screen readers have to
    // begin with the new step.
    if (shown.current !== step) card.current?.focus();
    shown.current = step;
  }, [step]);

  const {
    error,
    isPending: saving,
    mutate: attempt,
    reset: forgetError,
  } = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });

  function go(next: number) {
    forgetError();
    setStep(next);
    sessionStorage.setItem("comanda-draft-setup-step", String(next));
  }

  async function save() {
    const result = await bridge.saveSettings(setup.toSave());
    if (!result.ok) throw new Error(result.error);
    setup.forgetDraft();
    // If the hub has moved to another port, the app opens its page there, and this step is remembered.
    go(last);
  }

  function finish() {
    sessionStorage.removeItem("comanda-draft-setup-step");
    setup.forgetDraft();
    onDone();
  }

  const isTerminal = step === 0 && setup.role === "terminal";
  const Step: ComponentType<StepProps> = steps[stepNames[step] ?? "pair"];
  return (
    <main className="stack setup">
      <h1 className="visually-hidden">{t("title")}</h1>
      <Stepper active={step} size="sm" allowNextStepsSelect={false} className="setup-steps">
        {stepNames.map((name) => (
          <Stepper.Step key={name} label={t(`steps.${name}`)} />
        ))}
      </Stepper>
      <Form
        ref={card}
        tabIndex={-1}
        className="card setup-card"
        aria-label={t("progress", { step: step + 1, total: stepNames.length })}
        onSubmit={() => {
          // The app restarts, unless the user chose to keep the hub running.
          if (isTerminal) attempt(() => bridge.becomeTerminal());
          else if (step === last) finish();
          else if (step === last - 1) attempt(save);
          else go(step + 1);
        }}
      >
        <Step setup={setup} bridge={bridge} />
        {error !== null && (
          <div role="alert">
            <StatusMark tone="bad">{t("saveFailed")}</StatusMark>
            <TechnicalDetail text={error.message} />
          </div>
        )}
        <Group justify="space-between" mt="md">
          <Group>
            {step > 0 && (
              <Button variant="default" onClick={() => go(step - 1)}>
                {t("back")}
              </Button>
            )}
            {setup.state.configured && step < last && (
              <Button variant="subtle" onClick={finish}>
                {t("skip")}
              </Button>
            )}
          </Group>
          <BusyButton type="submit" loading={saving}>
            {t(isTerminal ? "openTerminal" : step === last ? "finish" : "next")}
          </BusyButton>
        </Group>
        {saving && !isTerminal && <p role="status">{t("saving")}</p>}
      </Form>
    </main>
  );
}

function LanguageStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t, language } = useTranslation(["setup", "shell"]);
  const { backupsFound, configured } = setup.state;
  return (
    <>
      <h2>{t("welcome")}</h2>
      <p className="soft setup-intro">{t("welcomeAbout")}</p>
      <div className="stack setup-fields">
        <SegmentedControl
          size="md"
          aria-label={t("shell:language")}
          value={language}
          data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          onChange={(value) => {
            const chosen = value === "en" ? "en" : "es";
            chooseLanguage(chosen);
            setup.change({ language: chosen });
          }}
        />
        <Radio.Group
          label={t("role")}
          value={setup.role}
          onChange={(role) => setup.setRole(role === "terminal" ? "terminal" : "hub")}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="hub" label={t("roleHub")} description={t("roleHubAbout")} />
            <Radio value="terminal" label={t("roleTerminal")} description={t("roleTerminalAbout")} />
          </Stack>
        </Radio.Group>
        {configured && setup.role === "terminal" && <p role="status">{t("roleHubStops")}</p>}
        {!configured && setup.role === "hub" && <RestoreFirst bridge={bridge} backupsFound={backupsFound} />}
      </div>
    </>
  );
}
