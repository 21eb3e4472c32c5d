import { Button, Popover } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { toneIcon } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { useConnection } from "../../lib/live.ts";
import { useNow } from "../../lib/hub-time.ts";
import { remedyOf, situationsOf, type Situation } from "./situation.ts";
import { describeSituation } from "./describe-situation.ts";
import "./status-sentence.css";

/** The sentence at the top: how things are, what it means, where to go, and how much more there is to know. */
export function StatusSentence({ size }: { size: "bar" | "hero" | "wall" }) {
  const { t } = useTranslation(["status", "common"]);
  const describe = useDescribe();
  const [worst, ...others] = situationsOf(useHub("overview").data, useConnection(), useNow());
  const { sentence, explanation } = describe(worst);
  const remedy = remedyOf(worst.name);
  // Ages tick every second, but screen readers announce only a change of the situation.
  const [announced, setAnnounced] = useState({ name: worst.name, sentence });
  if (announced.name !== worst.name) setAnnounced({ name: worst.name, sentence });
  const Icon = toneIcon[worst.tone];
  return (
    <section className={`tight row sentence sentence-${size}`} data-tone={worst.tone} aria-label={t("label")}>
      <Icon className="sentence-icon" stroke={2.2} aria-hidden />
      <div className="sentence-text">
        <p className="sentence-says">{sentence}</p>
        {explanation !== "" && <p className="sentence-means">{explanation}</p>}
      </div>
      <span className="visually-hidden" role="status">
        {announced.sentence}
      </span>
      {size === "wall"
        ? others.length > 0 && <span className="sentence-more">{t("common:andMore", { count: others.length })}</span>
        : others.length > 0 && <OtherSituations situations={[worst, ...others]} />}
      {remedy !== undefined && size !== "wall" && (
        <Button component={Link} href={remedy} variant="default" size={size === "hero" ? "sm" : "xs"}>
          {t("look")}
        </Button>
      )}
    </section>
  );
}

/** Opens the list of the other situations, each with a link to its screen. */
function OtherSituations({ situations }: { situations: readonly Situation[] }) {
  const { t } = useTranslation(["status", "common"]);
  const describe = useDescribe();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width="min(420px, 94vw)"
      position="bottom-end"
      shadow="md"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="subtle"
          size="xs"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t("common:andMore", { count: situations.length - 1 })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t("all")}>
        <h2 className="visually-hidden">{t("all")}</h2>
        <ul className="plain-list divided">
          {situations.map((situation) => (
            <SituationItem
              key={situation.name}
              situation={situation}
              {...describe(situation)}
              onLeave={() => setOpen(false)}
            />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

interface SituationItemProps {
  situation: Situation;
  sentence: string;
  explanation: string;
  onLeave: () => void;
}

function SituationItem({ situation: { name, tone }, sentence, explanation, onLeave }: SituationItemProps) {
  const remedy = remedyOf(name);
  const Icon = toneIcon[tone];
  return (
    <li className="tight situation" data-tone={tone}>
      <Icon size={20} stroke={2.2} aria-hidden />
      <div>
        <p className="situation-says">
          {remedy === undefined ? (
            sentence
          ) : (
            <Link href={remedy} onClick={onLeave}>
              {sentence}
            </Link>
          )}
        </p>
        {explanation !== "" && <p className="soft">{explanation}</p>}
      </div>
    </li>
  );
}

function useDescribe() {
  const { t, format } = useTranslation("status");
  const now = useNow();
  return (situation: Situation) => describeSituation(situation, t, format, now);
}
