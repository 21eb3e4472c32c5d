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
      "What terminals enter waits on each of them and is not lost. The damaged file is kept. Restore the newest good backup, or ask for help and have the file and the logs ready.",
    data_file_missing:
      "The hub did not create an empty one, because that would hide what is missing. What terminals enter waits on each of them. Restore the newest good backup, or put the file back where it was and try again.",
    data_file_in_use:
      "Only one hub can use it. Close the other one, which may be running without a window, then try again. Nothing has been changed.",
    data_file_newer: "Update Comanda Hub on this computer, or restore a backup made before. Nothing has been changed.",
    data_file_unusable:
      "What terminals enter waits on each of them and is not lost. The system's own message is below. The usual causes are a full disk, a missing permission or a file of another program. Nothing has been changed.",
    restore_unfinished:
      "Another program, often a virus scanner, holds the file. Nothing is lost, and what terminals enter waits on each of them. Try again in a moment: the restore continues where it stopped. Or keep the current data.",
    other:
      "What terminals enter waits on each of them and is not lost. Try again; if that does not help, look at the logs.",
  } satisfies Record<Failure["reason"], string>,
  usePort: (port: number) => `Use port ${port} instead`,
  tryAgain: "Try again",
  restore: "Restore the newest good backup",
  restoreMeans:
    "The current data file is set aside, not deleted. What happened since the backup will be missing on the hub.",
  cancelRestore: "Keep the current data",
  cancelRestoreMeans: "The backup is not restored and the hub's data stays as it is.",
  beginEmpty: "Start without data …",
  beginEmptyMeans:
    "Open checks, paid checks that accounting does not have yet and the settings of integrations will be missing.",
  beginEmptySure: "Yes, start without data",
  openSettings: "Change settings",
  saveSettings: "Save and start",
  passwordHint: "leave empty to keep the saved one",
  fixedSetting: "set by the environment; it cannot be changed here",
  openData: "Open the data folder",
  openLogs: "Open the logs",
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
      "Lo que registran los terminales espera en cada uno y no se pierde. El archivo dañado se conserva. Restaure la última copia de seguridad buena, o pida ayuda y tenga a mano el archivo y los registros.",
    data_file_missing:
      "El hub no creó uno vacío, porque así no se notaría lo que falta. Lo que registran los terminales espera en cada uno. Restaure la última copia de seguridad buena, o ponga el archivo donde estaba e intente de nuevo.",
    data_file_in_use:
      "Solo un hub puede usarlo. Cierre el otro, que puede estar funcionando sin ventana, e intente de nuevo. No se ha cambiado nada.",
    data_file_newer:
      "Actualice Comanda Hub en este equipo, o restaure una copia de seguridad anterior. No se ha cambiado nada.",
    data_file_unusable:
      "Lo que registran los terminales espera en cada uno y no se pierde. Abajo está el mensaje del sistema. Las causas más comunes son el disco lleno, un permiso que falta o un archivo de otro programa. No se ha cambiado nada.",
    restore_unfinished:
      "Otro programa, a menudo el antivirus, está usando el archivo. No se ha perdido nada, y lo que registran los terminales espera en cada uno. Intente de nuevo en un momento: la restauración continúa donde se quedó. O conserve los datos actuales.",
    other:
      "Lo que registran los terminales espera en cada uno y no se pierde. Intente de nuevo; si no se resuelve, revise los registros.",
  },
  usePort: (port) => `Usar el puerto ${port}`,
  tryAgain: "Intentar de nuevo",
  restore: "Restaurar la última copia de seguridad buena",
  restoreMeans:
    "El archivo de datos actual se aparta, no se borra. En el hub faltará lo ocurrido desde esa copia de seguridad.",
  cancelRestore: "Conservar los datos actuales",
  cancelRestoreMeans: "La copia de seguridad no se restaura y los datos del hub quedan como están.",
  beginEmpty: "Empezar sin datos …",
  beginEmptyMeans:
    "Faltarán las cuentas abiertas, las cuentas cobradas que contabilidad aún no tiene y los ajustes de las integraciones.",
  beginEmptySure: "Sí, empezar sin datos",
  openSettings: "Cambiar los ajustes",
  saveSettings: "Guardar e iniciar",
  passwordHint: "déjela vacía para conservar la guardada",
  fixedSetting: "lo fija el entorno; no se puede cambiar aquí",
  openData: "Abrir la carpeta de datos",
  openLogs: "Abrir los registros",
  quit: "Salir",
  working: "Un momento …",
};

export const words: Record<Language, Words> = { en, es };
