import type { SameKeys } from "../../lib/language.ts";

const es = {
  title: "Iniciar sesión",
  about: "Use una cuenta de gerente del back-office. Sin ella solo se ven cantidades y estados, en Servicio.",
  expiredTitle: "La sesión terminó",
  expiredAbout: "Inicie sesión de nuevo para continuar donde estaba. Lo que estaba escribiendo sigue aquí.",
  login: "Usuario",
  password: "Contraseña",
  action: "Entrar",
  refusedWhat: "Usuario o contraseña incorrectos.",
  refusedTodo: "Revise ambos. Es la misma cuenta con la que entra al back-office.",
  forbiddenWhat: "Esta cuenta existe, pero no es de gerente.",
  forbiddenTodo: "Pida a un gerente que inicie sesión, o pida ese permiso en el back-office.",
  without: "Ver Servicio sin iniciar sesión",
};

const en: SameKeys<typeof es> = {
  title: "Sign in",
  about: "Use a manager's back-office account. Without one you see only counts and states, under Service.",
  expiredTitle: "Your session has ended",
  expiredAbout: "Sign in again to continue where you were. What you were typing is still here.",
  login: "User",
  password: "Password",
  action: "Sign in",
  refusedWhat: "Wrong user or password.",
  refusedTodo: "Check both. It is the account you use in the back-office.",
  forbiddenWhat: "This account exists, but it is not a manager's.",
  forbiddenTodo: "Ask a manager to sign in, or to grant you that permission in the back-office.",
  without: "See Service without signing in",
};

export const signInTexts = { es, en };
