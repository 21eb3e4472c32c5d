import { splitTexts } from "../../lib/language.ts";

export const updateTexts = splitTexts({
  title: ["Hay una versión nueva: {{version}}", "There is a new version: {{version}}"],
  published: ["Publicada el {{date}}", "Published on {{date}}"],
  notes: ["Qué cambia", "What changes"],
  noNotes: ["Sin notas.", "No notes."],
  install: ["Instalar actualización", "Install Update"],
  download: ["Descargar actualización", "Download Update"],
  later: ["Después", "Later"],
  laterNote: [
    "Se ofrece de nuevo en el próximo arranque. El servicio continúa mientras se descarga; para instalar, la aplicación se reinicia.",
    "It is offered again at the next start. Service continues during the download; the app restarts to install it.",
  ],
  downloading: ["Descargando la versión {{version}}", "Downloading version {{version}}"],
  progress: ["{{done}} de {{total}}", "{{done}} of {{total}}"],
  progressOpen: ["{{done}} descargados", "{{done}} downloaded"],
  speed: ["{{speed}} por segundo", "{{speed}} per second"],
  verifying: ["Comprobando la firma de la versión {{version}}", "Checking the signature of version {{version}}"],
  verifyingNote: [
    "Solo se instala lo que está firmado con la llave conocida.",
    "Only an update signed with the known key is installed.",
  ],
  installing: ["Instalando la versión {{version}}", "Installing version {{version}}"],
  installingNote: [
    "La aplicación se cierra y se abre sola. Los terminales guardan su trabajo y se reconectan.",
    "The app closes and reopens by itself. Terminals keep their work and reconnect.",
  ],
  stay: ["No apague esta PC.", "Do not turn off this PC."],
  fallbackTitle: ["No se pudo buscar actualizaciones", "Looking for updates did not work"],
  continueAnyway: ["Continuar de todos modos", "Continue Anyway"],
  tryAgain: ["Intentar de nuevo", "Try Again"],
});
