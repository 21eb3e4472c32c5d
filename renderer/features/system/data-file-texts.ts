import type { TextTable } from "../../lib/language.ts";

export const dataFileTexts = {
  dataFile: ["Archivo de datos", "Data file"],
  path: ["Ubicación", "Location"],
  fileSize: ["Tamaño", "Size"],
  walSize: ["Registro de escritura (WAL)", "Write-ahead log"],
  freeDisk: ["Espacio libre en el disco", "Free disk space"],
  diskLow: ["poco", "low"],
  hubId: ["Identificador del hub", "Hub ID"],
  epoch: ["Época", "Epoch"],
  lastCheck: ["Última revisión", "Last check"],
  checkNow: ["Revisar ahora", "Check now"],
  checking: ["Revisando el archivo: {{percent}} %", "Checking the file: {{percent}}%"],
  problem: ["Problema", "Problem"],
  problems: {
    corrupt: ["Una parte del archivo está dañada", "Part of the file is damaged"],
    damaged_records: ["Hay registros dañados", "There are damaged records"],
    lost_changes: ["Faltan cambios guardados", "Saved changes are missing"],
    disk_failed: ["El disco no se puede leer o escribir", "The disk cannot be read or written"],
  },
  checkedGood: ["El archivo está sano.", "The file is healthy."],
  checkedBad: ["El archivo tiene daños.", "The file is damaged."],
} as const satisfies TextTable;
