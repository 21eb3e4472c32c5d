import { Button, Group, Stepper } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { StatusMark } from "../../components/status-mark.tsx";
import { LanguageStep } from "./language-step.tsx";
import { PairStep } from "./pair-step.tsx";
import { BackOfficeStep, PluginStep, RestaurantStep } from "./settings-steps.tsx";
import { useSetup, type Setup } from "./use-setup.ts";
import "./setup.css";

const steps = ["language", "restaurant", "backOffice", "plugins", "pair"] as const;

interface WizardProps {
  bridge: DesktopBridge;
  onDone: () => void;
}

/** The first setup in five steps, each tested at once; everything can be changed later. */
export function SetupWizard({ bridge, onDone }: WizardProps) {
  const setup = useSetup(bridge);
  return setup === null ? null : <Wizard bridge={bridge} setup={setup} onDone={onDone} />;
}

function Wizard({ bridge, setup, onDone }: WizardProps & { setup: Setup }) {
  const { t } = useTranslation("setup");
  const [step, setStep] = useState(() => Number(sessionStorage.getItem("comanda-draft-setup-step") ?? 0));
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function go(next: number) {
    setProblem(null);
    setStep(next);
    sessionStorage.setItem("comanda-draft-setup-step", String(next));
  }

  async function save() {
    setSaving(true);
    setProblem(null);
    const result = await bridge.saveSettings(setup.toSave());
    setSaving(false);
    if (!result.ok) return setProblem(result.error);
    setup.forgetDraft();
    // The hub may answer at another port now: the app opens its page there by itself, with this step remembered.
    go(steps.length - 1);
  }

  function finish() {
    sessionStorage.removeItem("comanda-draft-setup-step");
    setup.forgetDraft();
    onDone();
  }

  const last = steps.length - 1;
  return (
    <main className="setup">
      <h1 className="visually-hidden">{t("title")}</h1>
      <Stepper active={step} size="sm" allowNextStepsSelect={false} className="setup-steps">
        {steps.map((name) => (
          <Stepper.Step key={name} label={t(`steps.${name}`)} />
        ))}
      </Stepper>
      <form
        className="card setup-card"
        aria-label={t("progress", { step: step + 1, total: steps.length })}
        onSubmit={(event) => {
          event.preventDefault();
          if (step === last) finish();
          else if (step === last - 1) void save();
          else go(step + 1);
        }}
      >
        <StepContent step={step} setup={setup} bridge={bridge} />
        {problem !== null && (
          <p role="alert">
            <StatusMark tone="bad">{t("saveFailed", { error: problem })}</StatusMark>
          </p>
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
          <Button type="submit" loading={saving}>
            {t(step === last ? "finish" : "next")}
          </Button>
        </Group>
        {saving && <p role="status">{t("saving")}</p>}
      </form>
    </main>
  );
}

function StepContent({ step, setup, bridge }: { step: number; setup: Setup; bridge: DesktopBridge }): ReactNode {
  switch (steps[step]) {
    case "language":
      return <LanguageStep setup={setup} bridge={bridge} />;
    case "restaurant":
      return <RestaurantStep setup={setup} bridge={bridge} />;
    case "backOffice":
      return <BackOfficeStep setup={setup} bridge={bridge} />;
    case "plugins":
      return <PluginStep setup={setup} />;
    case "pair":
    case undefined:
      return <PairStep bridge={bridge} />;
  }
}
