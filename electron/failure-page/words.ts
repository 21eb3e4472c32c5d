import type { DesktopHubState, Language } from "@comanda/protocol";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

type Words = typeof en;

const en = {
  starting: "The hub is starting …",
  title: {
    setting: () => "A setting keeps the hub from starting",
    port_in_use: ({ heldBy }: Failure) =>
      `Another program uses the hub's port${heldBy === undefined ? "" : `: ${heldBy}`}`,
    data_file: () => "The hub's data file is damaged",
    data_file_missing: () => "The hub's data file is gone",
    data_file_in_use: () => "Another Comanda Hub is using the data file",
    data_file_newer: () => "The data was written by a newer Comanda Hub",
    data_file_unusable: () => "The hub's data file cannot be used",
    restore_unfinished: () => "The restore of a backup is not finished",
    other: () => "The hub could not start",
  } satisfies Record<Failure["reason"], (failure: Failure) => string>,
  meaning: {
    setting:
      "Until it is corrected, terminals find no hub; what they enter waits on each of them and is not lost. Correct it below, then try again.",
    port_in_use:
      "Terminals find no hub until this is solved; what they enter waits on each of them and is not lost. Close the other program and try again, or use another port: every terminal then needs the new address.",
    data_file:
      "What terminals enter waits on each of them and is not lost. The damaged file is kept. Choose how to go on: each way says what it means.",
    data_file_missing:
      "The hub did not create an empty one, because that would hide what is missing. What terminals enter waits on each of them. If it was moved or its disk is unplugged, put it back and try again. Otherwise restore a backup.",
    data_file_in_use:
      "Only one hub can use it. Close the other one, which may be running without a window, then try again. Nothing has been changed.",
    data_file_newer: "Update Comanda Hub on this PC, or restore a backup made before. Nothing has been changed.",
    data_file_unusable:
      "What terminals enter waits on each of them and is not lost. The system's own message is below. The usual causes are a full disk, a missing permission or a file of another program. Nothing has been changed.",
    restore_unfinished:
      "Another program, often a virus scanner, holds the file. Nothing is lost, and what terminals enter waits on each of them. Try again in a moment: the restore continues where it stopped. Or keep the current data.",
    other:
      "What terminals enter waits on each of them and is not lost. Try again; if that does not help, look at the logs.",
  } satisfies Record<Failure["reason"], string>,
  usePort: (port: number) => `Use port ${port} instead`,
  usePortMeans: (port: number) => `Every terminal then needs the new address, with port ${port}.`,
  tryAgain: "Try again",
  tryAgainMeans:
    "Nothing is changed. It helps once the cause is gone: a disk that is connected again, a program that was closed.",
  /** Complete "backup …" and "recorded …": a time of today, or a day with its time. */
  ofToday: (time: string) => `of today, ${time}`,
  ofDay: (day: string) => `of ${day}`,
  sinceToday: (time: string) => `since ${time} today`,
  sinceDay: (day: string) => `since ${day}`,
  restore: (ofWhen: string) => `Restore the backup ${ofWhen}`,
  /** `ago`: how long before now it was made; `changes`: how many are known to be missing in it. */
  restoreMeans: (sinceWhen: string, ago: string, changes: number) =>
    `What was recorded ${sinceWhen} (${ago}) is missing in it${changes === 0 ? "" : `: at least ${changes} ${changes === 1 ? "change" : "changes"}`}. Terminals give back what they still hold, and System → Backups then lists what is missing.`,
  restoreSure: "Yes, restore this backup",
  restoreQuestion:
    "The present data file is set aside, not deleted. The backup is read whole first: if it is not good, nothing changes.",
  otherBackup: "Choose another backup …",
  otherBackupMeans: "An older one, or one on another disk, a USB stick or another PC.",
  noBackups: "There is no backup in the hub's backup folder.",
  newestGood: "the newest good one",
  kinds: { daily: "daily", manual: "made by hand", migration: "before an update", other: "chosen file" },
  fromFile: "Choose a file …",
  fromFolder: "Choose a folder …",
  nothingFound: "There is no backup of Comanda Hub in that folder.",
  cancel: "Cancel",
  cancelRestore: "Keep the current data",
  cancelRestoreMeans: "The backup is not restored and the hub's data stays as it is.",
  beginEmpty: "Start without data …",
  beginEmptyMeans:
    "Only without any backup, or for a really new hub. Open checks, paid checks that accounting does not have yet and the settings of integrations will be missing. What is left of the old file is kept aside.",
  beginEmptyWord: "START",
  typeToConfirm: (word: string) => `Type ${word} to confirm`,
  beginEmptySure: "Yes, start without data",
  refused: {
    data_file_in_use: "Another program is using the data file, so nothing was changed. Close it and try again.",
    backup_unusable: "That backup is not good or cannot be read, so nothing was changed. Choose another.",
    restore_unfinished:
      "Another program, often a virus scanner, holds the file. Nothing is lost; try again in a moment.",
  },
  details: "Technical details",
  saveDiagnostics: "Save a report for support …",
  saved: (file: string) => `Saved as ${file}`,
  openSettings: "Change settings",
  saveSettings: "Save and start",
  setting: {
    password: "Leave it empty to keep the saved one",
    fixed: "Set by the environment: it cannot be changed here",
    range: "From {{min}} to {{max}}",
    address: "Begins with http:// or https://",
    list: "Separate several with commas",
    timeZone: "For example America/Santo_Domingo",
    notAccepted: "The hub does not accept this value.",
    refused: "The hub does not accept these settings, so nothing was changed.",
    yes: "Yes",
    no: "No",
    unit: "Unit",
  },
  units: { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" },
  logLevels: {
    trace: "everything, to the last detail",
    debug: "detailed",
    info: "normal",
    warn: "warnings and errors only",
    error: "errors only",
    fatal: "only what stops the hub",
    silent: "nothing",
  },
  openData: "Open the data folder",
  openLogs: "Open the logs",
  otherLanguage: "Español",
  quit: "Quit",
  working: "One moment …",
};

const es: Words = {
  starting: "El hub se está iniciando …",
  title: {
    setting: () => "Un ajuste impide iniciar el hub",
    port_in_use: ({ heldBy }) => `Otro programa usa el puerto del hub${heldBy === undefined ? "" : `: ${heldBy}`}`,
    data_file: () => "El archivo de datos del hub está dañado",
    data_file_missing: () => "Falta el archivo de datos del hub",
    data_file_in_use: () => "Otro Comanda Hub está usando el archivo de datos",
    data_file_newer: () => "Los datos son de una versión más nueva de Comanda Hub",
    data_file_unusable: () => "El archivo de datos del hub no se puede usar",
    restore_unfinished: () => "La restauración de la copia de seguridad no ha terminado",
    other: () => "El hub no se pudo iniciar",
  },
  meaning: {
    setting:
      "Mientras no se corrija, los terminales no encuentran el hub; lo que registran espera en cada uno y no se pierde. Corríjalo abajo e intente de nuevo.",
    port_in_use:
      "Los terminales no encuentran el hub hasta resolverlo; lo que registran espera en cada uno y no se pierde. Cierre el otro programa e intente de nuevo, o use otro puerto: en ese caso hay que poner la nueva dirección en cada terminal.",
    data_file:
      "Lo que registran los terminales espera en cada uno y no se pierde. El archivo dañado se conserva. Elija cómo seguir: cada opción dice lo que significa.",
    data_file_missing:
      "El hub no creó uno vacío, porque así no se notaría lo que falta. Lo que registran los terminales espera en cada uno. Si alguien lo movió o su disco está desconectado, devuélvalo a su lugar e intente de nuevo. Si no, restaure una copia.",
    data_file_in_use:
      "Solo un hub puede usarlo. Cierre el otro, que puede estar funcionando sin ventana, e intente de nuevo. No se ha cambiado nada.",
    data_file_newer:
      "Actualice Comanda Hub en esta PC, o restaure una copia de seguridad anterior. No se ha cambiado nada.",
    data_file_unusable:
      "Lo que registran los terminales espera en cada uno y no se pierde. Abajo está el mensaje del sistema. Las causas más comunes son el disco lleno, un permiso que falta o un archivo de otro programa. No se ha cambiado nada.",
    restore_unfinished:
      "Otro programa, a menudo el antivirus, está usando el archivo. No se ha perdido nada, y lo que registran los terminales espera en cada uno. Intente de nuevo en un momento: la restauración continúa donde se quedó. O conserve los datos actuales.",
    other:
      "Lo que registran los terminales espera en cada uno y no se pierde. Intente de nuevo; si no se resuelve, revise los registros.",
  },
  usePort: (port) => `Usar el puerto ${port}`,
  usePortMeans: (port) => `Cada terminal necesita entonces la nueva dirección, con el puerto ${port}.`,
  tryAgain: "Intentar de nuevo",
  tryAgainMeans:
    "No cambia nada. Sirve cuando ya no existe la causa: un disco que se volvió a conectar, un programa que se cerró.",
  ofToday: (time) => `de hoy, ${time}`,
  ofDay: (day) => `del ${day}`,
  sinceToday: (time) => `desde ${/^1\D/.test(time) ? "la" : "las"} ${time} de hoy`,
  sinceDay: (day) => `desde el ${day}`,
  restore: (ofWhen) => `Restaurar la copia ${ofWhen}`,
  restoreMeans: (sinceWhen, ago, changes) =>
    `Se pierde lo registrado ${sinceWhen} (${ago})${changes === 0 ? "" : `: al menos ${changes} ${changes === 1 ? "cambio" : "cambios"}`}. Los terminales devuelven lo que aún tienen, y luego Sistema → Copias de seguridad muestra lo que falta.`,
  restoreSure: "Sí, restaurar esta copia",
  restoreQuestion:
    "El archivo de datos actual se aparta, no se borra. La copia se lee entera primero: si no está buena, no cambia nada.",
  otherBackup: "Elegir otra copia …",
  otherBackupMeans: "Una anterior, o una que esté en otro disco, en una memoria USB o en otra PC.",
  noBackups: "No hay ninguna copia en la carpeta de copias del hub.",
  newestGood: "la última buena",
  kinds: { daily: "diaria", manual: "hecha a mano", migration: "antes de actualizar", other: "archivo elegido" },
  fromFile: "Elegir un archivo …",
  fromFolder: "Elegir una carpeta …",
  nothingFound: "En esa carpeta no hay copias de seguridad de Comanda Hub.",
  cancel: "Cancelar",
  cancelRestore: "Conservar los datos actuales",
  cancelRestoreMeans: "La copia de seguridad no se restaura y los datos del hub quedan como están.",
  beginEmpty: "Empezar sin datos …",
  beginEmptyMeans:
    "Solo si no hay ninguna copia, o si el hub es nuevo de verdad. Faltarán las cuentas abiertas, las cuentas pagadas que contabilidad aún no tiene y los ajustes de las integraciones. Lo que queda del archivo anterior se conserva aparte.",
  beginEmptyWord: "EMPEZAR",
  typeToConfirm: (word) => `Escriba ${word} para confirmar`,
  beginEmptySure: "Sí, empezar sin datos",
  refused: {
    data_file_in_use: "Otro programa está usando el archivo de datos; no se cambió nada. Ciérrelo e intente de nuevo.",
    backup_unusable: "Esa copia está dañada o no se puede leer; no se cambió nada. Elija otra.",
    restore_unfinished:
      "Otro programa, a menudo el antivirus, está usando el archivo. No se ha perdido nada; intente de nuevo en un momento.",
  },
  details: "Detalles técnicos",
  saveDiagnostics: "Guardar un informe para soporte …",
  saved: (file) => `Guardado en ${file}`,
  openSettings: "Cambiar los ajustes",
  saveSettings: "Guardar e iniciar",
  setting: {
    password: "Déjela vacía para conservar la guardada",
    fixed: "Lo fija el entorno: no se puede cambiar aquí",
    range: "De {{min}} a {{max}}",
    address: "Empieza con http:// o https://",
    list: "Si son varios, sepárelos con comas",
    timeZone: "Por ejemplo America/Santo_Domingo",
    notAccepted: "El hub no acepta este valor.",
    refused: "El hub no acepta estos ajustes; no se cambió nada.",
    yes: "Sí",
    no: "No",
    unit: "Unidad",
  },
  units: { seconds: "segundos", minutes: "minutos", hours: "horas", days: "días" },
  logLevels: {
    trace: "todo, hasta lo más mínimo",
    debug: "con detalle",
    info: "normal",
    warn: "solo avisos y errores",
    error: "solo errores",
    fatal: "solo lo que detiene el hub",
    silent: "nada",
  },
  openData: "Abrir la carpeta de datos",
  openLogs: "Abrir los registros",
  otherLanguage: "English",
  quit: "Salir",
  working: "Un momento …",
};

export const words: Record<Language, Words> = { en, es };
