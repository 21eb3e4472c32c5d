import { useTranslation } from "react-i18next";
import { isPractice } from "../../lib/practice.ts";

/** On every paper of the practice; nothing elsewhere. */
export function PracticeStamp() {
  const { t } = useTranslation("training");
  return isPractice && <strong className="practice-stamp">{t("stamp")}</strong>;
}
