import { useTranslation } from "react-i18next";
import { failureCodes } from "../lib/hub-failure.ts";

/** What one of the hub's codes means, in words; null for a code that is not the hub's. */
export function useFailureWords(): (errorCode: string) => string | null {
  const { t } = useTranslation("failures");
  return (errorCode) => {
    const code = failureCodes.find((candidate) => candidate === `HUB-${errorCode}`);
    return code === undefined ? null : t(`${code}.what`);
  };
}
