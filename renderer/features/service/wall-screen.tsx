import { Button } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { useHub } from "../../lib/hub.ts";
import { FloorDrawing, Legend } from "./floor-drawing.tsx";
import { Tiles } from "./tiles.tsx";
import "./service-screen.css";

function leaveFullScreen() {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
}

/** For a screen on the wall: the sentence, the numbers and all floors, with only the way out to press. */
export function WallScreen({ sentence }: { sentence: ReactNode }) {
  const { t } = useTranslation("service");
  const [, go] = useLocation();
  const overview = useHub("overview");
  const plan = useHub("floorPlan");
  useEffect(() => leaveFullScreen, []);
  return (
    <main className="wall">
      <h1 className="visually-hidden">{t("title")}</h1>
      {sentence}
      <Loaded query={overview}>{(data) => <Tiles overview={data} />}</Loaded>
      <Loaded query={plan}>
        {({ floors }) => (
          <div className="wall-floors">
            {floors.map((floor) => (
              <Panel key={floor.id} title={floor.name}>
                <FloorDrawing floor={floor} onOpen={null} />
              </Panel>
            ))}
          </div>
        )}
      </Loaded>
      <footer className="wall-foot">
        <Legend />
        <Button variant="default" onClick={() => go("/")}>
          {t("leaveWall")}
        </Button>
      </footer>
    </main>
  );
}
