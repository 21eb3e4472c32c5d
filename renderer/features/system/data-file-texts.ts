import type { SameKeys } from "../../lib/language.ts";

const es = {
  dataFile: "Archivo de datos",
  path: "Ubicación",
  fileSize: "Tamaño",
  walSize: "Registro de escritura (WAL)",
  freeDisk: "Espacio libre en el disco",
  diskLow: "poco",
  hubId: "Identificador del hub",
  epoch: "Época",
  lastCheck: "Última revisión",
  checkNow: "Revisar ahora",
  checking: "Revisando el archivo: {{percent}} %",
  problem: "Problema",
  problems: {
    corrupt: "Una parte del archivo está dañada",
    damaged_records: "Hay registros dañados",
    lost_changes: "Faltan cambios guardados",
    disk_failed: "El disco no se puede leer o escribir",
  },
  checkedGood: "El archivo está sano.",
  checkedBad: "El archivo tiene daños.",
};

const en: SameKeys<typeof es> = {
  dataFile: "Data file",
  path: "Location",
  fileSize: "Size",
  walSize: "Write-ahead log",
  freeDisk: "Free disk space",
  diskLow: "low",
  hubId: "Hub ID",
  epoch: "Epoch",
  lastCheck: "Last check",
  checkNow: "Check now",
  checking: "Checking the file: {{percent}}%",
  problem: "Problem",
  problems: {
    corrupt: "Part of the file is damaged",
    damaged_records: "There are damaged records",
    lost_changes: "Saved changes are missing",
    disk_failed: "The disk cannot be read or written",
  },
  checkedGood: "The file is healthy.",
  checkedBad: "The file is damaged.",
};

export const dataTexts = { es, en };
