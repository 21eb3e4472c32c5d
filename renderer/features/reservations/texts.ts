import { splitTexts } from "../../lib/language.ts";

export const reservationsTexts = splitTexts({
  title: ["Reservas", "Reservations"],
  about: ["El día por mesa, como lo muestran ahora los terminales.", "The day by table, as the terminals show it now."],
  previous: ["Día anterior", "Previous day"],
  next: ["Día siguiente", "Next day"],
  today: ["Hoy", "Today"],
  day: ["Día", "Day"],
  plan: ["El día por mesa", "The day by table"],
  phase: {
    invisible: ["Aún no se muestra", "Not shown yet"],
    upcoming: ["Próxima", "Upcoming"],
    due: ["Es la hora", "Due"],
    late: ["Atrasada", "Late"],
    ended: ["Terminada", "Ended"],
  },
  status: {
    booked: ["Reservada", "Booked"],
    seated: ["En la mesa", "Seated"],
    cancelled: ["Cancelada", "Cancelled"],
    no_show: ["No llegó", "No-show"],
  },
  list: ["Lista", "List"],
  time: ["Hora", "Time"],
  guest: ["A nombre de", "Name"],
  party: ["Personas", "Guests"],
  table: ["Mesa", "Table"],
  state: ["Estado", "State"],
  contact: ["Teléfono y notas", "Phone and notes"],
  problems: ["Reservas que los terminales no muestran", "Bookings that terminals do not show"],
  problemsAbout: [
    "La integración envió datos incorrectos: el hub los guarda, pero los terminales los descartan. Avise a quien mantiene la integración.",
    "The integration sent invalid data: the hub keeps it, but terminals ignore it. Contact the maintainer of the integration.",
  ],
  problem: ["Motivo", "Reason"],
  record: ["Registro", "Record"],
  offTitle: ["Las reservas no están activas", "Reservations are not enabled"],
  off: [
    "Se activan con el complemento «reservations» en Sistema, Ajustes (HUB_ENABLED_PLUGINS).",
    "They are enabled with the plugin “reservations” under System, Settings (HUB_ENABLED_PLUGINS).",
  ],
  emptyTitle: ["Ninguna reserva este día", "No bookings on this day"],
  empty: [
    "Las reservas llegan de una integración. Nunca ocupan una mesa ni impiden sentar a nadie.",
    "Bookings come from an integration. They never occupy a table or keep guests from being seated.",
  ],
});
