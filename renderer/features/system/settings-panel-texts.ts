import type { SameKeys } from "../../lib/language.ts";

const es = {
  settings: "Ajustes",
  settingsAbout: "Los valores vigentes y su origen. Los que define el entorno no se cambian aquí.",
  setting: "Ajuste",
  value: "Valor",
  source: "Origen",
  sources: { environment: "entorno", file: "guardado aquí", default: "predeterminado" },
  secretSet: "definido, no se muestra",
  secretUnset: "sin definir",
  allowed: "Valores aceptados: {{allowed}}",
  change: "Cambiar",
  changeOf: "Cambiar {{name}}",
  toDefault: "Restablecer",
  localOnly: "Solo en la PC del hub",
  accountPassword: "Contraseña del usuario del hub",
  accountPasswordAbout: "La guardada no se envía a otra dirección, base de datos ni usuario. Vacía = sin cuenta.",
  saved: "Guardado.",
  restartNote: "Hay cambios que se aplican al reiniciar el hub.",
  needsRestart: "se aplica al reiniciar",
  filter: "Buscar un ajuste",
};

const en: SameKeys<typeof es> = {
  settings: "Settings",
  settingsAbout: "The current values and their sources. Those set by the environment cannot be changed here.",
  setting: "Setting",
  value: "Value",
  source: "Source",
  sources: { environment: "environment", file: "saved here", default: "default" },
  secretSet: "set, not shown",
  secretUnset: "not set",
  allowed: "Accepted: {{allowed}}",
  change: "Change",
  changeOf: "Change {{name}}",
  toDefault: "Reset to default",
  localOnly: "Only on the hub's PC",
  accountPassword: "Password of the hub's user",
  accountPasswordAbout: "The saved one is not sent to another address, database or user. Empty = no account.",
  saved: "Saved.",
  restartNote: "Some changes take effect when the hub restarts.",
  needsRestart: "takes effect after a restart",
  filter: "Find a setting",
};

export const settingsTexts = { es, en };
