import { IconDoorExit, IconRestore, IconSchool } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { useLive } from "../../lib/pos.ts";
import { leavePractice } from "../../lib/practice.ts";
import { useLasting } from "../../lib/use-lasting.ts";
import { useCareful } from "../who/use-careful.ts";

/** For so long a connection may be away before it is said to be over. */
const AWAY_MS = 4_000;

/** Over every screen of the practice: that nothing counts, an empty house again, and the way out. */
export function PracticeBar({ onBeginAnew }: { onBeginAnew: () => void }) {
  const { t } = useTranslation("training");
  useCareful();
  const { name } = useLive("connection");
  const isOver = useLasting(name !== "online", AWAY_MS);
  return (
    <section className="practice-bar" aria-label={t("title")}>
      <IconSchool size={24} aria-hidden />
      <p role="status">{t(isOver ? "over" : "nothingCounts")}</p>
      <ActButton size="small" onAct={onBeginAnew}>
        <IconRestore size={20} aria-hidden />
        {t("beginAnew")}
      </ActButton>
      <ActButton size="small" onAct={leavePractice}>
        <IconDoorExit size={20} aria-hidden />
        {t("leave")}
      </ActButton>
    </section>
  );
}
