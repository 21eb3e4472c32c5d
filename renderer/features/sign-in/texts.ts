import { splitTexts } from "../../lib/language.ts";

export const signInTexts = splitTexts({
  title: ["Iniciar sesión", "Sign in"],
  about: [
    "Use una cuenta de gerente del back-office. Sin ella solo se ven cantidades y estados, en Servicio.",
    "Use a manager's back-office account. Without one you see only counts and states, under Service.",
  ],
  expiredTitle: ["La sesión terminó", "Your session has ended"],
  expiredAbout: [
    "Inicie sesión de nuevo para continuar donde estaba. Lo que estaba escribiendo sigue aquí.",
    "Sign in again to continue where you were. What you were typing is still here.",
  ],
  login: ["Usuario", "User"],
  password: ["Contraseña", "Password"],
  action: ["Entrar", "Sign in"],
  refusedWhat: ["Usuario o contraseña incorrectos.", "Wrong user or password."],
  refusedTodo: [
    "Revise ambos. Es la misma cuenta con la que entra al back-office.",
    "Check both. It is the account you use in the back-office.",
  ],
  forbiddenWhat: ["Esta cuenta existe, pero no es de gerente.", "This account exists, but it is not a manager's."],
  forbiddenTodo: [
    "Pida a un gerente que inicie sesión, o pida ese permiso en el back-office.",
    "Ask a manager to sign in, or to grant you that permission in the back-office.",
  ],
  without: ["Ver Servicio sin iniciar sesión", "See Service without signing in"],
});
