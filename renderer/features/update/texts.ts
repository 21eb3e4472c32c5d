import type { SameKeys } from "../../lib/language.ts";

const es = {
  title: "Hay una versión nueva: {{version}}",
  published: "Publicada el {{date}}",
  notes: "Qué cambia",
  noNotes: "Sin notas.",
  install: "Instalar actualización",
  download: "Descargar actualización",
  later: "Después",
  laterNote:
    "Se ofrece de nuevo en el próximo arranque. El servicio continúa mientras se descarga; para instalar, la aplicación se reinicia.",
  downloading: "Descargando la versión {{version}}",
  progress: "{{done}} de {{total}}",
  progressOpen: "{{done}} descargados",
  speed: "{{speed}} por segundo",
  verifying: "Comprobando la firma de la versión {{version}}",
  verifyingNote: "Solo se instala lo que está firmado con la llave conocida.",
  installing: "Instalando la versión {{version}}",
  installingNote: "La aplicación se cierra y se abre sola. Los terminales guardan su trabajo y se reconectan.",
  stay: "No apague esta PC.",
  fallbackTitle: "No se pudo buscar actualizaciones",
  continueAnyway: "Continuar de todos modos",
  tryAgain: "Intentar de nuevo",
};

const en: SameKeys<typeof es> = {
  title: "There is a new version: {{version}}",
  published: "Published on {{date}}",
  notes: "What changes",
  noNotes: "No notes.",
  install: "Install Update",
  download: "Download Update",
  later: "Later",
  laterNote:
    "It is offered again at the next start. Service continues during the download; the app restarts to install it.",
  downloading: "Downloading version {{version}}",
  progress: "{{done}} of {{total}}",
  progressOpen: "{{done}} downloaded",
  speed: "{{speed}} per second",
  verifying: "Checking the signature of version {{version}}",
  verifyingNote: "Only an update signed with the known key is installed.",
  installing: "Installing version {{version}}",
  installingNote: "The app closes and reopens by itself. Terminals keep their work and reconnect.",
  stay: "Do not turn off this PC.",
  fallbackTitle: "Looking for updates did not work",
  continueAnyway: "Continue Anyway",
  tryAgain: "Try Again",
};

export const updateTexts = { es, en };
