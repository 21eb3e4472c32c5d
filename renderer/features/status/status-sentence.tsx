import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { toneIcon } from "../../components/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { useConnection } from "../../lib/live.ts";
import { useFormat } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { remedyOf, situationOf } from "./situation.ts";
import { describeSituation } from "./describe-situation.ts";
import "./status-sentence.css";

/** The one sentence on top: how things are, what it means, where to go. */
export function StatusSentence({ size }: { size: "bar" | "hero" | "wall" }) {
  const { t } = useTranslation("status");
  const format = useFormat();
  const now = useNow();
  const situation = situationOf(useHub("overview").data, useConnection(), now);
  const { says, means } = describeSituation(situation, t, format, now);
  const remedy = remedyOf[situation.name];
  // Ages tick every second; a screen reader hears only a change of the situation.
  const [announced, setAnnounced] = useState({ name: situation.name, says });
  if (announced.name !== situation.name) setAnnounced({ name: situation.name, says });
  const Icon = toneIcon[situation.tone];
  return (
    <section className={`sentence sentence-${size}`} data-tone={situation.tone} aria-label={t("label")}>
      <Icon className="sentence-icon" stroke={2.2} aria-hidden />
      <div className="sentence-text">
        <p className="sentence-says">{says}</p>
        {means !== "" && <p className="sentence-means">{means}</p>}
      </div>
      <span className="visually-hidden" role="status">
        {announced.says}
      </span>
      {remedy !== undefined && size !== "wall" && (
        <Button component={Link} href={remedy} variant="default" size={size === "hero" ? "sm" : "xs"}>
          {t("look")}
        </Button>
      )}
    </section>
  );
}
