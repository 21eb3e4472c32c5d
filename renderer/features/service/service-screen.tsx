import { Button } from "@mantine/core";
import { IconMaximize } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Loaded } from "../../components/tables/loaded.tsx";
import { useHub } from "../../lib/hub.ts";
import { useIsManager } from "../../lib/session.ts";
import { FeedPanel } from "./feed-panel.tsx";
import { FloorPlanPanel } from "./floor-plan-panel.tsx";
import { Tiles } from "./tiles.tsx";
import "./service-screen.css";

/** The dinner service at a glance. Everyone may see its counts and states. */
export function ServiceScreen({ sentence }: { sentence: ReactNode }) {
  const { t } = useTranslation("service");
  const overview = useHub("overview");
  const isManager = useIsManager();
  return (
    <div className="stack service">
      <h1 className="visually-hidden">{t("title")}</h1>
      {sentence}
      <Loaded query={overview} height={92}>
        {(data) => <Tiles overview={data} />}
      </Loaded>
      <div className="service-main">
        <FloorPlanPanel />
        <FeedPanel />
      </div>
      <footer className="spread service-foot">
        <span className="soft">{isManager ? "" : t("publicNote")}</span>
        <Button
          component={Link}
          href="/wall"
          // Browsers allow full screen only on a click. The wall also works without it.
          onClick={() => void document.documentElement.requestFullscreen().catch(() => undefined)}
          variant="default"
          size="xs"
          leftSection={<IconMaximize size={15} aria-hidden />}
        >
          {t("wall")}
        </Button>
      </footer>
    </div>
  );
}
