import type { Language } from "@comanda/protocol";

/** The texts that the app shows outside its pages. */
export type Texts = typeof en;

const en = {
  open: "Open Comanda Hub",
  copyAddress: "Copy the hub's address",
  pauseWebhooks: "Pause webhooks",
  /** Name in the audit log of the person at the tray. */
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
    ok: (terminals: number) => `Comanda Hub: all good, ${count(terminals, "terminal", "terminals")} connected`,
    warning: (terminals: number) =>
      `Comanda Hub needs attention; ${count(terminals, "terminal", "terminals")} connected`,
    failed: "Comanda Hub is not running: open it to see why",
  },
  quitQuestion: (terminals: number) =>
    terminals === 1
      ? "1 connected terminal will lose its hub."
      : `${terminals} connected terminals will lose their hub.`,
  quitDetail:
    "They keep their changes and send them when the hub is back, but until then they do not see each other's. To keep the hub running in the tray, close the window instead.",
  keepRunning: "Keep running",
  quitAnyway: "Quit anyway",
  unsaved: "This terminal could not save everything that was entered.",
  unsavedDetail:
    "What is not saved yet is lost if it closes now. Wait until it has been sent, or free up space on this PC.",
  stay: "Stay",
  closeAnyway: "Close anyway",
  windowGone: "The window of Comanda Hub keeps crashing.",
  windowGoneDetail:
    "The hub keeps running and terminals are not affected. Open the window again from the tray, or open the hub's address in a browser.",
  terminalGoneDetail: "Nothing recorded is lost: it waits on this PC. Open Comanda Hub again.",
};

const es: Texts = {
  open: "Abrir Comanda Hub",
  copyAddress: "Copiar la dirección del hub",
  pauseWebhooks: "Pausar las notificaciones",
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
    starting: "Comanda Hub se está iniciando",
    ok: (terminals) => `Comanda Hub: todo bien, ${count(terminals, "terminal conectado", "terminales conectados")}`,
    warning: (terminals) =>
      `Comanda Hub necesita atención; ${count(terminals, "terminal conectado", "terminales conectados")}`,
    failed: "Comanda Hub está detenido: ábralo para ver por qué",
  },
  quitQuestion: (terminals) =>
    terminals === 1
      ? "1 terminal conectado se quedará sin hub."
      : `${terminals} terminales conectados se quedarán sin hub.`,
  quitDetail:
    "Guardan sus cambios y los envían cuando el hub vuelva, pero hasta entonces no ven los de los demás. Para que el hub siga funcionando en la bandeja, cierre solo la ventana.",
  keepRunning: "Dejarlo funcionando",
  quitAnyway: "Salir de todos modos",
  unsaved: "Este terminal no pudo guardar todo lo que se registró.",
  unsavedDetail:
    "Lo que falta por guardar se pierde si se cierra ahora. Espere a que se envíe, o libere espacio en esta PC.",
  stay: "Quedarse",
  closeAnyway: "Cerrar de todos modos",
  windowGone: "La ventana de Comanda Hub falla una y otra vez.",
  windowGoneDetail:
    "El hub sigue funcionando y los terminales no se ven afectados. Abra de nuevo la ventana desde la bandeja, o abra la dirección del hub en un navegador.",
  terminalGoneDetail: "Lo registrado no se pierde: espera en esta PC. Abra Comanda Hub de nuevo.",
};

export function textsOf(language: Language): Texts {
  return language === "es" ? es : en;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
