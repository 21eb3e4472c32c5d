import { useStore } from "@comanda/ui/store.ts";
import { IconVolume, IconVolumeOff } from "@tabler/icons-react";
import { useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { keepAwake } from "../../../lib/device/platform.ts";
import { isSoundOn, startSound } from "../../../lib/page/sound.ts";
import { changeKitchenDevice, kitchenDevice } from "./kitchen-device.ts";

/** The bar that starts the shift, and warns if a device on shift cannot be heard. */
export function ShiftBar() {
  const { t } = useTranslation("kitchenMore");
  const { isOnShift } = useStore(kitchenDevice);
  const isAudible = useStore(isSoundOn);
  useEffect(() => {
    // A kiosk browser may allow sound without a touch; otherwise the bar asks for one.
    if (isOnShift) void startSound();
  }, [isOnShift]);
  useEffect(() => {
    if (!isOnShift) return;
    let isOver = false;
    let release: (() => void) | null = null;
    const keep = async () => {
      if (document.visibilityState !== "visible") return;
      release?.();
      release = await keepAwake();
      if (isOver) release?.();
    };
    void keep();
    // A browser drops the wake lock when the page is hidden.
    document.addEventListener("visibilitychange", keep);
    return () => {
      isOver = true;
      release?.();
      document.removeEventListener("visibilitychange", keep);
    };
  }, [isOnShift]);
  if (!isOnShift) {
    return (
      <button
        type="button"
        className="kitchen-bar"
        data-tone="accent"
        onClick={() => {
          changeKitchenDevice({ isOnShift: true });
          void startSound();
        }}
      >
        <IconVolume aria-hidden />
        <span>
          <strong>{t("startShift")}</strong>
          <span>{t("startShiftAbout")}</span>
        </span>
      </button>
    );
  }
  if (isAudible) return null;
  return (
    <button type="button" className="kitchen-bar" data-tone="bad" onClick={() => void startSound()}>
      <IconVolumeOff aria-hidden />
      <strong>{t("soundOff")}</strong>
    </button>
  );
}
