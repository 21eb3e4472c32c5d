import type { TextTable } from "../../lib/language.ts";

export const settingsPanelTexts = {
  settings: ["Ajustes", "Settings"],
  settingsAbout: [
    "Los valores vigentes y su origen. Los que define el entorno no se cambian aquí.",
    "The current values and their sources. Those set by the environment cannot be changed here.",
  ],
  setting: ["Ajuste", "Setting"],
  value: ["Valor", "Value"],
  source: ["Origen", "Source"],
  sources: {
    environment: ["entorno", "environment"],
    file: ["guardado aquí", "saved here"],
    default: ["predeterminado", "default"],
  },
  secretSet: ["definido, no se muestra", "set, not shown"],
  secretUnset: ["sin definir", "not set"],
  allowed: ["Valores aceptados: {{allowed}}", "Accepted: {{allowed}}"],
  change: ["Cambiar", "Change"],
  changeOf: ["Cambiar {{name}}", "Change {{name}}"],
  toDefault: ["Restablecer", "Reset to default"],
  localOnly: ["Solo en la PC del hub", "Only on the hub's PC"],
  accountPassword: ["Contraseña del usuario del hub", "Password of the hub's user"],
  accountPasswordAbout: [
    "La guardada no se envía a otra dirección, base de datos ni usuario. Vacía = sin cuenta.",
    "The saved one is not sent to another address, database or user. Empty = no account.",
  ],
  saved: ["Guardado.", "Saved."],
  restartNote: ["Hay cambios que se aplican al reiniciar el hub.", "Some changes take effect when the hub restarts."],
  needsRestart: ["se aplica al reiniciar", "takes effect after a restart"],
  filter: ["Buscar un ajuste", "Find a setting"],
} as const satisfies TextTable;
