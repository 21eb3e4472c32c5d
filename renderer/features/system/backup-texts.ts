import type { TextTable } from "../../lib/language.ts";

export const backupTexts = {
  backups: ["Copias de seguridad", "Backups"],
  lastGoodBackup: ["Última copia de seguridad buena: {{ago}}", "Last good backup: {{ago}}"],
  noGoodBackup: ["Todavía no hay una copia de seguridad buena.", "There is no good backup yet."],
  backupWork: {
    copying: ["Haciendo una copia de seguridad: {{percent}} %", "Making a backup: {{percent}}%"],
    verifying: ["Verificando una copia de seguridad: {{percent}} %", "Verifying a backup: {{percent}}%"],
    compressing: [
      "Comprimiendo las copias de seguridad anteriores: {{percent}} %",
      "Compressing earlier backups: {{percent}}%",
    ],
  },
  backupFailure: {
    no_space: [
      "No se puede hacer la copia de seguridad diaria: falta espacio en el disco. El hub lo intenta de nuevo en cuanto haya espacio.",
      "The daily backup cannot be made: the disk is almost full. The hub tries again as soon as there is space.",
    ],
    damaged: [
      "La copia de seguridad diaria salió dañada y no se guardó: revise el archivo de datos. Próximo intento: {{time}}.",
      "The daily backup was damaged and was not kept: check the data file. Next attempt: {{time}}.",
    ],
    failed: [
      "No se puede hacer la copia de seguridad diaria. Próximo intento: {{time}}.",
      "The daily backup cannot be made. Next attempt: {{time}}.",
    ],
  },
  compressed: ["comprimida", "compressed"],
  folder: ["Carpeta", "Folder"],
  secondFolder: ["Segunda carpeta", "Second folder"],
  backUpNow: ["Hacer una copia ahora", "Back up now"],
  backedUp: ["Copia de seguridad hecha y verificada.", "Backup made and verified."],
  name: ["Nombre", "Name"],
  created: ["Hecha", "Created"],
  size: ["Tamaño", "Size"],
  kind: ["Tipo", "Kind"],
  kinds: {
    daily: ["diaria", "daily"],
    manual: ["manual", "manual"],
    migration: ["antes de actualizar", "before updating"],
    restore: ["antes de restaurar", "before restoring"],
    other: ["otra", "other"],
  },
  check: ["Verificación", "Verification"],
  checks: {
    good: ["Buena", "Good"],
    bad: ["Dañada", "Damaged"],
    unchecked: ["Sin verificar", "Not verified"],
  },
  verify: ["Verificar", "Verify"],
  verifyOf: ["Verificar {{name}}", "Verify {{name}}"],
  verified: ["Verificada: {{result}}.", "Verified: {{result}}."],
  downloadOf: ["Descargar {{name}}", "Download {{name}}"],
  restore: ["Restaurar", "Restore"],
  restoreOf: ["Restaurar {{name}}", "Restore {{name}}"],
  restoreTitle: ["Restaurar una copia de seguridad", "Restore a backup"],
  restoreBack: [
    "Vuelve al estado del {{time}}: {{orders}} órdenes, {{active}} abiertas, {{pending}} por enviar.",
    "Restores the state of {{time}}: {{orders}} orders, {{active}} open, {{pending}} to be sent.",
  ],
  restoreLost_zero: ["No se pierde ningún cambio.", "No changes are lost."],
  restoreLost_one: ["Se pierde 1 cambio hecho desde entonces.", "1 change made since then is lost."],
  restoreLost_other: [
    "Se pierden {{count}} cambios hechos desde entonces.",
    "{{count}} changes made since then are lost.",
  ],
  restoreList: ["Qué se pierde", "What is lost"],
  restoreListMore_one: ["y 1 más", "and 1 more"],
  restoreListMore_other: ["y {{count}} más", "and {{count}} more"],
  restoreTerminals_zero: ["Ningún terminal está conectado.", "No terminal is connected."],
  restoreTerminals_one: [
    "1 terminal conectado se desconecta y vuelve a leer todo.",
    "1 connected terminal is disconnected and reloads everything.",
  ],
  restoreTerminals_other: [
    "{{count}} terminales conectados se desconectan y vuelven a leer todo.",
    "{{count}} connected terminals are disconnected and reload everything.",
  ],
  restoreKept: ["El archivo actual se conserva aparte; no se borra.", "The current file is kept; it is not deleted."],
  restoring: [
    "Restaurando. El archivo anterior quedó en {{path}}. Esta página se reconecta sola.",
    "Restoring. The previous file is at {{path}}. This page reconnects by itself.",
  ],
  noBackupsTitle: ["Ninguna copia de seguridad todavía", "No backups yet"],
  noBackups: [
    "El hub hace una al día y guarda siete. Puede hacer una ahora; no interrumpe el servicio.",
    "The hub makes one a day and keeps seven. You can make one now; it does not interrupt service.",
  ],
} as const satisfies TextTable;
