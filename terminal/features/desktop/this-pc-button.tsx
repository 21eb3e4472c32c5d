import { IconDeviceDesktop } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isThisPcOpen } from "./this-pc-open.ts";

/** Opens the settings of the desktop app. */
export function ThisPcButton({ className }: { className: string }) {
  const { t } = useTranslation("desktop");
  return (
    <button type="button" className={className} onClick={() => isThisPcOpen.set(true)}>
      <IconDeviceDesktop size={22} aria-hidden />
      <span>{t("thisPc")}</span>
    </button>
  );
}
