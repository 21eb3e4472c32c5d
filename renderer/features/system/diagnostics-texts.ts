/** What each file of the diagnostics bundle holds, in words. A file that is not here is explained by the hub. */
export const diagnosticsTexts: Record<"es" | "en", Record<string, string>> = {
  es: {
    "version.json": "Qué hub es este",
    "overview.json": "Cantidades y estados, como los ve cualquiera en la red",
    "settings.json": "Los ajustes que valen, sin secretos",
    "data-file.json": "Cómo está el archivo de datos",
    "backups.json": "Qué respaldos hay",
    "log.jsonl": "Las últimas líneas de los registros, sin datos de personas",
  },
  en: {
    "version.json": "Which hub this is",
    "overview.json": "Counts and states, as anyone on the network may see them",
    "settings.json": "The effective settings, without secrets",
    "data-file.json": "How the data file is",
    "backups.json": "Which backups there are",
    "log.jsonl": "The last log lines, without personal data",
  },
};
