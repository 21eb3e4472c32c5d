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
    data_file: () => "The hub's data file cannot be used",
    data_file_newer: () => "The data was written by a newer Comanda Hub",
    other: () => "The hub could not start",
  },
  meaning: {
    setting:
      "Until it is corrected, terminals find no hub; what they enter waits on each of them and is not lost. Correct it, then try again.",
    port_in_use:
      "Terminals find no hub until this is settled; what they enter waits on each of them and is not lost. End the other program and try again, or use another port: terminals then have to be given the new address.",
    data_file:
      "What terminals enter waits on each of them and is not lost. The damaged file is kept. Restore the newest good backup, or ask for help with the file and the logs at hand.",
    data_file_newer: "Update Comanda Hub on this computer, or restore a backup made before. Nothing has been changed.",
    other: "What terminals enter waits on each of them and is not lost. Try again; if it stays so, the logs say more.",
  },
  usePort: (port) => `Use port ${port} instead`,
  tryAgain: "Try again",
  restore: "Restore the newest good backup",
  restoreMeans:
    "The present data file is set aside, not deleted. What happened since the backup is missing on the hub.",
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
    data_file: () => "El archivo de datos del hub no se puede usar",
    data_file_newer: () => "Los datos los escribió un Comanda Hub más nuevo",
    other: () => "El hub no pudo arrancar",
  },
  meaning: {
    setting:
      "Mientras no se corrija, las terminales no encuentran el hub; lo que registran espera en cada una y no se pierde. Corríjalo e intente de nuevo.",
    port_in_use:
      "Las terminales no encuentran el hub hasta resolverlo; lo que registran espera en cada una y no se pierde. Cierre el otro programa e intente de nuevo, o use otro puerto: entonces hay que dar la nueva dirección a las terminales.",
    data_file:
      "Lo que registran las terminales espera en cada una y no se pierde. El archivo dañado se conserva. Restaure la última copia buena, o pida ayuda con el archivo y los registros a mano.",
    data_file_newer: "Actualice Comanda Hub en este equipo, o restaure una copia anterior. No se ha cambiado nada.",
    other:
      "Lo que registran las terminales espera en cada una y no se pierde. Intente de nuevo; si sigue igual, los registros dicen más.",
  },
  usePort: (port) => `Usar el puerto ${port}`,
  tryAgain: "Intentar de nuevo",
  restore: "Restaurar la última copia buena",
  restoreMeans: "El archivo de datos actual se aparta, no se borra. Lo ocurrido desde la copia falta en el hub.",
  openData: "Abrir la carpeta de datos",
  openLogs: "Abrir los registros",
  quit: "Salir",
  working: "Un momento …",
};

export const words: Record<Language, Words> = { en, es };
