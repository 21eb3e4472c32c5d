import { backupTexts } from "./backup-texts.ts";
import { dataTexts } from "./data-file-texts.ts";
import { logTexts } from "./log-texts.ts";
import { lossTexts } from "./loss-texts.ts";
import { overviewTexts } from "./overview-texts.ts";
import { settingsTexts } from "./settings-panel-texts.ts";

const screenTexts = {
  es: {
    title: "Sistema",
    about: "Versión, ajustes, copias de seguridad, datos, registros y quién hizo qué.",
    tabs: {
      overview: "Resumen",
      settings: "Ajustes",
      backups: "Copias de seguridad",
      data: "Archivo de datos",
      logs: "Registros",
      audit: "Quién hizo qué",
    },
  },
  en: {
    title: "System",
    about: "Version, settings, backups, data, logs, and who did what.",
    tabs: {
      overview: "Overview",
      settings: "Settings",
      backups: "Backups",
      data: "Data file",
      logs: "Logs",
      audit: "Who did what",
    },
  },
};

/** The texts of the System screen, from a file per panel. */
function textsIn(language: "es" | "en") {
  return {
    ...screenTexts[language],
    ...overviewTexts[language],
    ...settingsTexts[language],
    ...backupTexts[language],
    ...dataTexts[language],
    ...logTexts[language],
    losses: lossTexts[language],
  };
}

export const systemTexts = { es: textsIn("es"), en: textsIn("en") };
