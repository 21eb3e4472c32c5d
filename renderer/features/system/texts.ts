import { splitTexts } from "../../lib/language.ts";
import { backupTexts } from "./backup-texts.ts";
import { dataFileTexts } from "./data-file-texts.ts";
import { logTexts } from "./log-texts.ts";
import { lossTexts } from "./loss-texts.ts";
import { overviewTexts } from "./overview-texts.ts";
import { settingsPanelTexts } from "./settings-panel-texts.ts";

/** The texts of the System screen, from a file per panel. */
export const systemTexts = splitTexts({
  title: ["Sistema", "System"],
  about: [
    "Versión, ajustes, copias de seguridad, datos, registros y quién hizo qué.",
    "Version, settings, backups, data, logs, and who did what.",
  ],
  tabs: {
    overview: ["Resumen", "Overview"],
    settings: ["Ajustes", "Settings"],
    backups: ["Copias de seguridad", "Backups"],
    data: ["Archivo de datos", "Data file"],
    logs: ["Registros", "Logs"],
    audit: ["Quién hizo qué", "Who did what"],
  },
  ...overviewTexts,
  ...settingsPanelTexts,
  ...backupTexts,
  ...dataFileTexts,
  ...logTexts,
  losses: lossTexts,
});
