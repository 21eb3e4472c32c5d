import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { toneIcon } from "../../components/status-mark.tsx";
import { useConnection } from "../../lib/live-context.ts";
import { useFormat } from "../../lib/use-format.ts";
import { useNow } from "../../lib/use-now.ts";
import { useOverview } from "./api/overview.ts";
import { remedyOf, situationOf } from "./situation.ts";
import { situationWords } from "./situation-words.ts";
import "./status-sentence.css";

/** The one sentence on top: how things are, what it means, where to go. */
export function StatusSentence({ size }: { size: "bar" | "hero" | "wall" }) {
  const { t } = useTranslation("status");
  const format = useFormat();
  const now = useNow();
  const situation = situationOf(useOverview().data, useConnection(), now);
  const { says, means } = situationWords(situation, t, format, now);
  const remedy = remedyOf[situation.name];
  // Ages tick every second: what is read aloud changes only with the situation itself.
  const [spoken, setSpoken] = useState({ name: situation.name, says });
  if (spoken.name !== situation.name) setSpoken({ name: situation.name, says });
  const Icon = toneIcon[situation.tone];
  return (
    <section className={`sentence sentence-${size}`} data-tone={situation.tone} aria-label={t("label")}>
      <Icon className="sentence-icon" stroke={2.2} aria-hidden />
      <div className="sentence-text">
        <p className="sentence-says">{says}</p>
        {means !== "" && <p className="sentence-means">{means}</p>}
      </div>
      <span className="visually-hidden" role="status">
        {spoken.says}
      </span>
      {remedy !== undefined && size !== "wall" && (
        <Button component={Link} href={remedy} variant="default" size={size === "hero" ? "sm" : "xs"}>
          {t("look")}
        </Button>
      )}
    </section>
  );
}
