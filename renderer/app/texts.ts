import { commonTexts } from "../components/texts.ts";
import { failureTexts } from "../components/failure-texts.ts";
import { backOfficeTexts } from "../features/back-office/texts.ts";
import { integrationsTexts } from "../features/integrations/texts.ts";
import { kitchenTexts } from "../features/kitchen/texts.ts";
import { ordersTexts } from "../features/orders/texts.ts";
import { reservationsTexts } from "../features/reservations/texts.ts";
import { serviceTexts } from "../features/service/texts.ts";
import { setupTexts } from "../features/setup/texts.ts";
import { signInTexts } from "../features/sign-in/texts.ts";
import { statusTexts } from "../features/status/texts.ts";
import { systemTexts } from "../features/system/texts.ts";
import { terminalsTexts } from "../features/terminals/texts.ts";
import { updateTexts } from "../features/update/texts.ts";
import { shellTexts } from "./shell-texts.ts";

const byFeature = {
  common: commonTexts,
  failures: failureTexts,
  shell: shellTexts,
  status: statusTexts,
  signIn: signInTexts,
  service: serviceTexts,
  orders: ordersTexts,
  terminals: terminalsTexts,
  kitchen: kitchenTexts,
  backOffice: backOfficeTexts,
  integrations: integrationsTexts,
  reservations: reservationsTexts,
  system: systemTexts,
  setup: setupTexts,
  update: updateTexts,
};

type Features = typeof byFeature;
type Resources = { [K in keyof Features]: Features[K]["es"] };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Resources;
  }
}

/** All texts of one language, by feature. */
export function textsOf(language: "es" | "en"): Resources {
  const entries = Object.entries(byFeature).map(([feature, texts]) => [feature, texts[language]]);
  return Object.fromEntries(entries) as Resources;
}
