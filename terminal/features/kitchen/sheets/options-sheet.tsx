import { useStore } from "@comanda/ui/store.ts";
import { IconVolume } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { testSound } from "../../../lib/page/test-sound.ts";
import { changeKitchenDevice, kitchenDevice } from "../device/kitchen-device.ts";

/** The sound, the text size and the end of the shift on this device. */
export function OptionsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["kitchenMore", "kitchen"]);
  const { isWall, isOnShift } = useStore(kitchenDevice);
  const [wentOut, setWentOut] = useState<boolean | null>(null);
  return (
    <Sheet title={t("kitchen:options")} onClose={onClose}>
      <div className="tight kitchen-sheet">
        <ActButton
          onAct={() => {
            setWentOut(null);
            void testSound().then(setWentOut);
          }}
        >
          <IconVolume aria-hidden />
          {t("testSound")}
        </ActButton>
        <output>{wentOut !== null && t(wentOut ? "soundWentOut" : "soundDidNot")}</output>
        <ActButton aria-pressed={isWall} onAct={() => changeKitchenDevice({ isWall: !isWall })}>
          {t("wall")}
        </ActButton>
        {isOnShift && (
          <ActButton
            className="kitchen-apart"
            onAct={() => {
              changeKitchenDevice({ isOnShift: false });
              onClose();
            }}
          >
            {t("endShift")}
          </ActButton>
        )}
      </div>
    </Sheet>
  );
}
