import type { DesktopHubState, Language } from "@comanda/protocol";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

export interface Words {
  starting: string;
  title: Record<Failure["reason"], (failure: Failure) => string>;
  meaning: Record<Failure["reason"], string>;
  usePort: (port: number) => string;
  tryAgain: string;
  restore: string;
  restoreMeans: string;
  cancelRestore: string;
  cancelRestoreMeans: string;
  beginEmpty: string;
  beginEmptyMeans: string;
  beginEmptySure: string;
  openSettings: string;
  saveSettings: string;
  passwordHint: string;
  fixedSetting: string;
  openData: string;
  openLogs: string;
  quit: string;
  working: string;
}

const en: Words = {
  starting: "The hub is starting …",
  title: {
    setting: () => "A setting keeps the hub from starting",
    port_in_use: ({ heldBy }) => `Another program uses the hub's port${heldBy === undefined ? "" : `: ${heldBy}`}`,
    data_file: () => "The hub's data file is damaged",
    data_file_missing: () => "The hub's data file is gone",
    data_file_in_use: () => "Another Comanda Hub is using the data file",
    data_file_newer: () => "The data was written by a newer Comanda Hub",
    data_file_unusable: () => "The hub's data file cannot be used",
    restore_unfinished: () => "The restore of a backup is not finished",
    other: () => "The hub could not start",
  },
  meaning: {
    setting:
      "Until it is corrected, terminals find no hub; what they enter waits on each of them and is not lost. Correct it below, then try again.",
    port_in_use:
      "Terminals find no hub until this is settled; what they enter waits on each of them and is not lost. End the other program and try again, or use another port: terminals then have to be given the new address.",
    data_file:
      "What terminals enter waits on each of them and is not lost. The damaged file is kept. Restore the newest good backup, or ask for help with the file and the logs at hand.",
    data_file_missing:
      "The hub has not begun an empty one by itself, since that would hide what is missing. What terminals enter waits on each of them. Restore the newest good backup; or put the file back where it was and try again.",
    data_file_in_use:
      "Only one hub can work on it. Close the other one, also where it runs without a window, then try again. Nothing has been changed.",
    data_file_newer: "Update Comanda Hub on this computer, or restore a backup made before. Nothing has been changed.",
    data_file_unusable:
      "What terminals enter waits on each of them and is not lost. Below is what the system says: a full disk, a missing permission or another program's file are the usual causes. Nothing has been changed.",
    restore_unfinished:
      "Another program, often a virus scanner, holds the file. Nothing is lost, and what terminals enter waits on each of them. Try again in a moment: the restore goes on where it stopped. Or go on with the present data.",
    other: "What terminals enter waits on each of them and is not lost. Try again; if it stays so, the logs say more.",
  },
  usePort: (port) => `Use port ${port} instead`,
  tryAgain: "Try again",
  restore: "Restore the newest good backup",
  restoreMeans:
    "The present data file is set aside, not deleted. What happened since the backup is missing on the hub.",
  cancelRestore: "Go on with the present data",
  cancelRestoreMeans: "The backup is not restored; nothing that the hub has now is changed.",
  beginEmpty: "Begin with no data …",
  beginEmptyMeans:
    "Open checks, paid checks that accounting does not have yet and settings of integrations will not be there.",
  beginEmptySure: "Yes, begin with no data",
  openSettings: "Change settings",
  saveSettings: "Save and start",
  passwordHint: "leave empty to keep the saved one",
  fixedSetting: "the environment sets it; it cannot be changed here",
  openData: "Open the data folder",
  openLogs: "Open the logs",
  quit: "Quit",
  working: "One moment …",
};

const es: Words = {
  starting: "El hub está arrancando …",
  title: {
    setting: () => "Un ajuste impide que el hub arranque",
    port_in_use: ({ heldBy }) => `Otro programa usa el puerto del hub${heldBy === undefined ? "" : `: ${heldBy}`}`,
    data_file: () => "El archivo de datos del hub está dañado",
    data_file_missing: () => "El archivo de datos del hub no está",
    data_file_in_use: () => "Otro Comanda Hub está usando el archivo de datos",
    data_file_newer: () => "Los datos los escribió un Comanda Hub más nuevo",
    data_file_unusable: () => "El archivo de datos del hub no se puede usar",
    restore_unfinished: () => "La restauración de la copia no ha terminado",
    other: () => "El hub no pudo arrancar",
  },
  meaning: {
    setting:
      "Mientras no se corrija, los terminales no encuentran el hub; lo que registran espera en cada uno y no se pierde. Corríjalo abajo e intente de nuevo.",
    port_in_use:
      "Los terminales no encuentran el hub hasta resolverlo; lo que registran espera en cada uno y no se pierde. Cierre el otro programa e intente de nuevo, o use otro puerto: entonces hay que dar la nueva dirección a los terminales.",
    data_file:
      "Lo que registran los terminales espera en cada uno y no se pierde. El archivo dañado se conserva. Restaure la última copia buena, o pida ayuda con el archivo y los registros a mano.",
    data_file_missing:
      "El hub no empezó por su cuenta con uno vacío, porque así no se notaría lo que falta. Lo que registran los terminales espera en cada uno. Restaure la última copia buena; o ponga el archivo donde estaba e intente de nuevo.",
    data_file_in_use:
      "Solo un hub puede trabajar con él. Cierre el otro, también si corre sin ventana, e intente de nuevo. No se ha cambiado nada.",
    data_file_newer: "Actualice Comanda Hub en este equipo, o restaure una copia anterior. No se ha cambiado nada.",
    data_file_unusable:
      "Lo que registran los terminales espera en cada uno y no se pierde. Abajo está lo que dice el sistema: casi siempre es el disco lleno, un permiso que falta o el archivo de otro programa. No se ha cambiado nada.",
    restore_unfinished:
      "Otro programa, muchas veces el antivirus, tiene tomado el archivo. No se ha perdido nada, y lo que registran los terminales espera en cada uno. Intente de nuevo en un momento: la restauración sigue donde se quedó. O siga con los datos actuales.",
    other:
      "Lo que registran los terminales espera en cada uno y no se pierde. Intente de nuevo; si sigue igual, los registros dicen más.",
  },
  usePort: (port) => `Usar el puerto ${port}`,
  tryAgain: "Intentar de nuevo",
  restore: "Restaurar la última copia buena",
  restoreMeans: "El archivo de datos actual se aparta, no se borra. Lo ocurrido desde la copia falta en el hub.",
  cancelRestore: "Seguir con los datos actuales",
  cancelRestoreMeans: "La copia no se restaura; no cambia nada de lo que el hub tiene ahora.",
  beginEmpty: "Empezar sin datos …",
  beginEmptyMeans:
    "No estarán las cuentas abiertas, las cuentas cobradas que contabilidad aún no tiene ni los ajustes de las integraciones.",
  beginEmptySure: "Sí, empezar sin datos",
  openSettings: "Cambiar los ajustes",
  saveSettings: "Guardar y arrancar",
  passwordHint: "déjela vacía para conservar la guardada",
  fixedSetting: "lo fija el entorno; no se puede cambiar aquí",
  openData: "Abrir la carpeta de datos",
  openLogs: "Abrir los registros",
  quit: "Salir",
  working: "Un momento …",
};

export const words: Record<Language, Words> = { en, es };
