import type { TextTable } from "../../lib/language.ts";

export const overviewTexts = {
  version: ["Versión", "Version"],
  hubVersion: ["Comanda Hub", "Comanda Hub"],
  protocol: ["Protocolo de terminales", "Terminal protocol"],
  schema: ["Esquema de datos", "Data schema"],
  runtime: ["Node", "Node"],
  platform: ["Sistema", "System"],
  host: ["Modo", "Mode"],
  hosts: {
    desktop: ["aplicación de escritorio", "desktop app"],
    headless: ["servicio sin ventana", "service without a window"],
  },
  started: ["En marcha desde", "Running since"],
  timeZone: ["Zona horaria", "Time zone"],
  update: ["Actualización", "Update"],
  updateWeb: [
    "Las actualizaciones se instalan con la aplicación de escritorio, que las busca al arrancar.",
    "Updates are installed by the desktop app, which checks for them when it starts.",
  ],
  updateCheck: ["Buscar actualizaciones", "Check for updates"],
  updateNone: ["Ya tiene la versión más reciente.", "You already have the newest version."],
  updateNoChannel: [
    "Esta aplicación no tiene de dónde recibir actualizaciones: no se buscó nada. Instale las versiones nuevas a mano.",
    "This app has no source of updates: nothing was checked. Install new versions by hand.",
  ],
  setup: ["Repetir la configuración inicial", "Run the first setup again"],
  drill: ["Simulacro", "Practice drill"],
  drillAbout: [
    "Una copia de práctica se desconecta del back-office, cobra órdenes y se vuelve a conectar. Los números demuestran que no se pierde nada. El servicio real no se toca.",
    "A practice copy is cut off from the back-office, takes payments and reconnects. The counts prove that nothing is lost. The real service is not touched.",
  ],
  drillRun: ["Hacer el simulacro", "Run the drill"],
  drillPaid: ["Cobradas durante el corte", "Paid while cut off"],
  drillQueued: ["Esperando durante el corte", "Waiting while cut off"],
  drillForwarded: ["Enviadas después", "Sent afterwards"],
  drillLost: ["Perdidas", "Lost"],
  drillTwice: ["Enviadas dos veces", "Sent twice"],
  diagnostics: ["Paquete de diagnóstico", "Diagnostics bundle"],
  diagnosticsAbout: [
    "Para pedir ayuda. No contiene contraseñas, llaves ni datos de clientes.",
    "For support requests. It contains no passwords, keys or guest data.",
  ],
  diagnosticsDownload: ["Descargar el paquete", "Download the bundle"],
} as const satisfies TextTable;
