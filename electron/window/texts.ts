import type { Language } from "@comanda/protocol";

/** The few sentences that the app says outside its pages. */
export interface Texts {
  open: string;
  copyAddress: string;
  pauseWebhooks: string;
  /** Who is named in the audit log for what was done in the tray. */
  trayUser: string;
  quit: string;
  menu: Record<"edit" | "view" | "reload" | "zoomIn" | "zoomOut" | "zoomReset" | "fullScreen", string>;
  states: {
    starting: string;
    ok: (terminals: number) => string;
    warning: (terminals: number) => string;
    failed: string;
  };
  quitQuestion: (terminals: number) => string;
  quitDetail: string;
  keepRunning: string;
  quitAnyway: string;
  windowGone: string;
  windowGoneDetail: string;
}

const en: Texts = {
  open: "Open Comanda Hub",
  copyAddress: "Copy the hub's address",
  pauseWebhooks: "Pause webhooks",
  trayUser: "at the hub's PC",
  quit: "Quit",
  menu: {
    edit: "Edit",
    view: "View",
    reload: "Reload",
    zoomIn: "Larger",
    zoomOut: "Smaller",
    zoomReset: "Normal size",
    fullScreen: "Full screen",
  },
  states: {
    starting: "Comanda Hub is starting",
    ok: (terminals) => `Comanda Hub: all good, ${count(terminals, "terminal", "terminals")} connected`,
    warning: (terminals) => `Comanda Hub needs a look; ${count(terminals, "terminal", "terminals")} connected`,
    failed: "Comanda Hub is not running: open it to see why",
  },
  quitQuestion: (terminals) =>
    terminals === 1
      ? "1 terminal connected will lose its hub."
      : `${terminals} terminals connected will lose their hub.`,
  quitDetail:
    "They keep their changes and send them when the hub is back, but see nothing of each other until then. Closing the window instead leaves the hub running in the tray.",
  keepRunning: "Keep running",
  quitAnyway: "Quit anyway",
  windowGone: "The window of Comanda Hub keeps crashing.",
  windowGoneDetail:
    "The hub goes on and terminals are not affected. Open the window again from the tray, or use the hub's address in a browser.",
};

const es: Texts = {
  open: "Abrir Comanda Hub",
  copyAddress: "Copiar la dirección del hub",
  pauseWebhooks: "Pausar webhooks",
  trayUser: "en la PC del hub",
  quit: "Salir",
  menu: {
    edit: "Editar",
    view: "Ver",
    reload: "Recargar",
    zoomIn: "Más grande",
    zoomOut: "Más pequeño",
    zoomReset: "Tamaño normal",
    fullScreen: "Pantalla completa",
  },
  states: {
    starting: "Comanda Hub está arrancando",
    ok: (terminals) => `Comanda Hub: todo bien, ${count(terminals, "terminal conectada", "terminales conectadas")}`,
    warning: (terminals) =>
      `Comanda Hub necesita atención; ${count(terminals, "terminal conectada", "terminales conectadas")}`,
    failed: "Comanda Hub no está en marcha: ábralo para ver por qué",
  },
  quitQuestion: (terminals) =>
    terminals === 1 ? "1 terminal conectada perderá su hub." : `${terminals} terminales conectadas perderán su hub.`,
  quitDetail:
    "Guardan sus cambios y los envían cuando el hub vuelva, pero hasta entonces no se ven entre sí. Si solo cierra la ventana, el hub sigue en la bandeja.",
  keepRunning: "Seguir en marcha",
  quitAnyway: "Salir de todos modos",
  windowGone: "La ventana de Comanda Hub se cierra una y otra vez.",
  windowGoneDetail:
    "El hub sigue y los terminales no se ven afectados. Abra de nuevo la ventana desde la bandeja, o use la dirección del hub en un navegador.",
};

export function textsOf(language: Language): Texts {
  return language === "es" ? es : en;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
