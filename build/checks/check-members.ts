// Fails if a member of a factory's object, a class or an interface with methods is unused by product code. knip checks exports;
// this check looks inside them, with the compiler's references. Tests do not count as users. `check-members.ts FOLDER` checks
// another tree of the same shape.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SyntaxKind, type Node } from "typescript/unstable/ast";
import { API, type Project, type Symbol as TypeSymbol } from "typescript/unstable/sync";

const repo = path.resolve(import.meta.dirname, "../..");
const root = path.resolve(process.argv[2] ?? repo);
/** Where members are checked. The clients are libraries, whose callers are outside the repository. */
const checked = ["hub", "electron", "updater", "backoffice-stub", "ui", "renderer", "terminal"];
const packages = [...checked, "clients", "protocol/src", "rules/src"];
/** Shapes that a library reads or calls by its own names. */
const notOurs = ["updater/client/engine/engine-types.ts"];
/** Members without a user in product code, with the reason why they stay. */
const exemptions: Record<string, string> = {
  "hub/platform/log-tail.ts: createLogTail.write": "pino writes to it",
  "hub/platform/rate-limiter.ts: createRateLimiter.size": "shows its test that it forgets",
  "hub/platform/rate-limiter.ts: createRateLimiter.held": "shows its test that it forgets",
  "hub/http/port/port-server.ts: createPortServer.sockets": "shows its test that no socket is left",
  "hub/db/late-statement.ts: LateStatement.iterate": "called under the type of the library's statement",
  "hub/db/late-statement.ts: LateStatement.pluck": "called under the type of the library's statement",
  "hub/discovery/announce.ts: createAnnouncer.state": "shows its test when it is done",
  "terminal/lib/connection/live-terminal.ts: watchTerminal.conflicts": "read by its name, as every part (useLive)",
  "terminal/lib/connection/live-terminal.ts: watchTerminal.recentTickets": "read by its name, as every part (useLive)",
  "terminal/lib/connection/live-terminal.ts: createLive.subscribe": "React calls it, through the interface Live",
};

/** Declarations of a member, which do not count as a use. */
const declarations = new Set([
  SyntaxKind.PropertyAssignment,
  SyntaxKind.ShorthandPropertyAssignment,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertySignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
]);

const api = new API({ cwd: root });
try {
  const project = openProduct();
  const members = project.rootFiles
    .filter((file) => checked.some((name) => file.startsWith(`${path.join(root, name)}/`)))
    .filter((file) => !notOurs.includes(path.relative(root, file)))
    .flatMap((file) => membersIn(project, file));
  if (members.length === 0) {
    console.error(`No members were found below ${root}: nothing was checked.`);
    process.exitCode = 1;
  }
  const isNamed = findNamed(project, members);
  const shapes = findShapes(project);
  /** Members of the same name in shapes that other files declare for their needs. A use of those is a use of the member. */
  const shapesOf = ({ name }: Member): Node[] =>
    (shapes.get(name.getText()) ?? []).filter((shape) => shape.getSourceFile() !== name.getSourceFile());
  const unused = members
    .filter((member) => !isNamed(member.name) && !shapesOf(member).some(isNamed) && !(labelOf(member) in exemptions))
    .filter((member) => !isUsed(project, member.name) && !shapesOf(member).some((shape) => isUsed(project, shape)));
  for (const member of unused) console.error(`${labelOf(member)} has no user`);
  if (unused.length > 0) process.exitCode = 1;
  else if (members.length > 0) console.log(`each of ${members.length} members has a user`);
} finally {
  api.close();
}

/** Opens all packages without tests as one program, so that a use in another package counts. */
function openProduct(): Project {
  const config = path.join(repo, ".cache", `tsconfig.members.${process.pid}.json`);
  mkdirSync(path.dirname(config), { recursive: true });
  const settings = {
    extends: path.join(repo, "tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      declaration: false,
      emitDeclarationOnly: false,
      noEmit: true,
      jsx: "react-jsx",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
    },
    include: packages.flatMap((name) => ["ts", "tsx"].map((end) => path.join(root, name, `**/*.${end}`))),
    exclude: ["*.test.ts", "test/**", "node_modules", "dist"].map((each) => path.join(root, "**", each)),
  };
  writeFileSync(config, JSON.stringify(settings));
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error(`${config} is no project`);
    return project;
  } finally {
    rmSync(config);
  }
}

interface Member {
  owner: string;
  name: Node;
}

function membersIn(project: Project, file: string): Member[] {
  const found: Member[] = [];
  const source = project.program.getSourceFile(file);
  const visit = (node: Node): void => {
    const { owner, members } = offered(node);
    // Overriding members are called by the base class, or by a library's interface.
    const names = members.flatMap((member) => (isOverriding(member) ? [] : [nameOf(member)]));
    for (const name of names) if (name !== null && name.kind === SyntaxKind.Identifier) found.push({ owner, name });
    node.forEachChild(visit);
  };
  source?.forEachChild(visit);
  return found;
}

/** Returns the members that a declaration offers to others; none for data. */
function offered(node: Node): { owner: string; members: readonly Node[] } {
  const owner = nameOf(node)?.getText() ?? "";
  if (node.kind === SyntaxKind.FunctionDeclaration) {
    const { type, body } = node as Node & { type?: Node; body?: Node };
    // With a declared return type, the members are those of the type.
    if (type !== undefined || body === undefined || !/^(create|open|setup|watch)[A-Z]/.test(owner))
      return { owner, members: [] };
    return { owner, members: returnedObjects(body).flatMap(({ properties }) => properties) };
  }
  if (node.kind === SyntaxKind.ClassDeclaration || node.kind === SyntaxKind.InterfaceDeclaration) {
    const { members, heritageClauses } = node as Node & { members: readonly Node[]; heritageClauses?: unknown };
    const isBehaviour = members.some((member) => member.kind === SyntaxKind.MethodSignature);
    const counts = heritageClauses === undefined && (node.kind === SyntaxKind.ClassDeclaration || isBehaviour);
    return { owner, members: counts ? members : [] };
  }
  return { owner, members: [] };
}

/** Returns the object literals that a function's own statements return. */
function returnedObjects(body: Node): { properties: readonly Node[] }[] {
  const found: { properties: readonly Node[] }[] = [];
  const visit = (node: Node): void => {
    const isInner = [SyntaxKind.FunctionDeclaration, SyntaxKind.FunctionExpression, SyntaxKind.ArrowFunction];
    if (isInner.includes(node.kind) || node.kind === SyntaxKind.MethodDeclaration) return;
    if (node.kind === SyntaxKind.ReturnStatement) {
      const { expression } = node as Node & { expression?: Node };
      if (expression?.kind === SyntaxKind.ObjectLiteralExpression) {
        found.push(expression as Node & { properties: readonly Node[] });
      }
    }
    node.forEachChild(visit);
  };
  body.forEachChild(visit);
  return found;
}

function labelOf({ owner, name }: Member): string {
  return `${path.relative(root, name.getSourceFile().fileName)}: ${owner}.${name.getText()}`;
}

/**
 * Finds members named in an access such as `service.list` or a pattern such as `const { list } = service`, as most are.
 * Looking up all symbols of a file at once is much faster than finding the references of each member.
 */
function findNamed(project: Project, members: readonly Member[]): (name: Node) => boolean {
  const accessed = findAccessed(project);
  const others = members.filter(({ name }) => !accessed.has(name.parent));
  const destructured = findDestructured(project, new Set(others.map(({ name }) => name.getText())));
  return ({ parent }) => accessed.has(parent) || destructured.has(parent);
}

function findAccessed(project: Project): Set<Node> {
  const accessed = new Set<Node>();
  for (const file of project.rootFiles) {
    const names = nodesIn(project, file, SyntaxKind.PropertyAccessExpression).flatMap((node) => nameOf(node) ?? []);
    for (const symbol of project.checker.getSymbolAtLocation(names)) addDeclarations(project, symbol, accessed);
  }
  return accessed;
}

/** Checks only these names, because a type is queried one name at a time. */
function findDestructured(project: Project, memberNames: ReadonlySet<string>): Set<Node> {
  const found = new Set<Node>();
  for (const file of project.rootFiles) {
    const patterns = nodesIn(project, file, SyntaxKind.ObjectBindingPattern)
      .map((pattern) => ({ pattern, names: boundNames(pattern).filter((name) => memberNames.has(name)) }))
      .filter(({ names }) => names.length > 0);
    const types = project.checker.getTypeAtLocation(patterns.map(({ pattern }) => pattern));
    for (const [at, { names }] of patterns.entries()) {
      const type = types[at];
      if (type === undefined) continue;
      for (const name of names) addDeclarations(project, project.checker.getPropertyOfType(type, name), found);
    }
  }
  return found;
}

/** Returns the names that a pattern takes out of an object. */
function boundNames(pattern: Node): string[] {
  const { elements } = pattern as Node & {
    elements: readonly (Node & { propertyName?: Node; dotDotDotToken?: Node })[];
  };
  return elements
    .filter(({ dotDotDotToken }) => dotDotDotToken === undefined)
    .flatMap((element) => (element.propertyName ?? nameOf(element))?.getText() ?? []);
}

function addDeclarations(project: Project, symbol: TypeSymbol | undefined, into: Set<Node>): void {
  for (const handle of symbol?.declarations ?? []) {
    const declaration = handle.path.includes("/node_modules/") ? undefined : handle.resolve(project);
    if (declaration !== undefined) into.add(declaration);
  }
}

function nodesIn(project: Project, file: string, kind: SyntaxKind): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (node.kind === kind) found.push(node);
    node.forEachChild(visit);
  };
  project.program.getSourceFile(file)?.forEachChild(visit);
  return found;
}

/** Returns the members that interfaces and type literals declare, by name. */
function findShapes(project: Project): Map<string, Node[]> {
  const found = project.rootFiles
    .flatMap((file) =>
      [SyntaxKind.MethodSignature, SyntaxKind.PropertySignature].flatMap((kind) => nodesIn(project, file, kind)),
    )
    .flatMap((member) => nameOf(member) ?? []);
  return Map.groupBy(found, (name) => name.getText());
}

/** Whether a member is named anywhere except in declarations. */
function isUsed(project: Project, name: Node): boolean {
  const references = project.checker.getReferencedSymbolsForNode(name, name.getStart());
  return references
    .flatMap((entry) => entry.references)
    .some((handle) => {
      const node = handle.resolve(project);
      return node !== undefined && !declarations.has(node.parent.kind);
    });
}

function isOverriding(member: Node): boolean {
  const { modifiers = [] } = member as Node & { modifiers?: readonly Node[] };
  return modifiers.some(({ kind }) => kind === SyntaxKind.OverrideKeyword || kind === SyntaxKind.PrivateKeyword);
}

function nameOf(node: Node): Node | null {
  return (node as Node & { name?: Node }).name ?? null;
}
