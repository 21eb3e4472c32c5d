/** What each file of the diagnostics bundle holds. For a file that is not listed the hub's own text is shown. */
export const diagnosticsTexts: Record<"es" | "en", Record<string, string>> = {
  es: {
    "version.json": "La versión de este hub",
    "overview.json": "Cantidades y estados, visibles para cualquiera en la red",
    "settings.json": "Los ajustes vigentes, sin secretos",
    "data-file.json": "El estado del archivo de datos",
    "backups.json": "La lista de copias de seguridad",
    "log.jsonl": "Las últimas líneas de los registros, sin nombres de clientes",
  },
  en: {
    "version.json": "The version of this hub",
    "overview.json": "Counts and states, visible to anyone on the network",
    "settings.json": "The effective settings, without secrets",
    "data-file.json": "The state of the data file",
    "backups.json": "The list of backups",
    "log.jsonl": "The last log lines, without names of customers",
  },
};
