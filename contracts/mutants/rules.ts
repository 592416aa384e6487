import { type Node, type Span, spanOf } from "./tree.ts";

/** One way to put a defect into a node's text. */
export type Change = { readonly rule: string; readonly span: Span; readonly to: string };

/** A node in its place. */
export type Place = {
  readonly node: Node;
  /** What the node lies in, the nearest last. */
  readonly above: readonly Node[];
  /** The text of another node of the same file. */
  readonly textOf: (node: Node) => string;
};

type Rule = (place: Place) => readonly Change[];

const field = (node: Node, name: string): Node => node[name] as Node;
const named = (node: Node, name: string): string => String(node[name]);

function instead(rule: string, node: Node, to: string): Change {
  return { rule, span: spanOf(node), to };
}

const DROPPED: Readonly<Record<string, string>> = {
  ExpressionStatement: "true",
  RevertStatement: "true",
  YulExpressionStatement: "",
  YulAssignment: "",
};

/** A statement less; the checks are a rule of their own. */
const dropStatement: Rule = ({ node, above, textOf }) => {
  const nothing = DROPPED[node.nodeType];
  if (nothing === undefined || isChecked(above, node)) return [];
  const endsWell = /^(return|stop)\(/.test(textOf(node));
  return endsWell ? [] : [instead("drop a statement", node, nothing)];
};

const BLOCKS: ReadonlySet<string> = new Set(["Block", "YulBlock"]);
const GUARDS: ReadonlySet<string> = new Set(["IfStatement", "YulIf"]);

/** Whether the statement is all that a condition guards: then the condition is what is changed. */
function isChecked(above: readonly Node[], node: Node): boolean {
  const isInBlock = BLOCKS.has(above.at(-1)?.nodeType ?? "");
  const block = isInBlock ? above.at(-1) : undefined;
  const guard = above.at(isInBlock ? -2 : -1);
  const alone = block === undefined || (block.statements as readonly Node[]).length === 1;
  if (guard === undefined || !GUARDS.has(guard.nodeType) || guard.falseBody) return false;
  return alone && node.nodeType !== "YulAssignment";
}

/** What a condition guards never happens. */
const dropCheck: Rule = ({ node }) => {
  const isYul = node.nodeType === "YulIf";
  if (!isYul && node.nodeType !== "IfStatement" && node.nodeType !== "Conditional") return [];
  return [instead("drop a check", field(node, "condition"), isYul ? "0" : "false")];
};

const FLIPS: Readonly<Record<string, string>> = {
  ...{ "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "&&": "||", "||": "&&" },
};

const flipComparison: Rule = ({ node, textOf }) => {
  const operator = named(node, "operator");
  if (node.nodeType === "UnaryOperation" && operator === "!")
    return [instead("flip a comparison", node, textOf(field(node, "subExpression")))];
  const to = FLIPS[operator];
  if (node.nodeType !== "BinaryOperation" || to === undefined) return [];
  const [left, right] = [textOf(field(node, "leftExpression")), textOf(field(node, "rightExpression"))];
  return [instead("flip a comparison", node, `${left} ${to} ${right}`)];
};

const YUL_FLIPS: Readonly<Record<string, (text: string) => string>> = {
  lt: (text) => `iszero(gt${text.slice(2)})`,
  gt: (text) => `iszero(lt${text.slice(2)})`,
  slt: (text) => `iszero(sgt${text.slice(3)})`,
  sgt: (text) => `iszero(slt${text.slice(3)})`,
  eq: (text) => `iszero(${text})`,
  iszero: (text) => text.slice("iszero(".length, -1),
};
const YUL_PEOPLE: Readonly<Record<string, string>> = { caller: "address", address: "caller" };

const changeYulCall: Rule = ({ node, textOf }) => {
  if (node.nodeType !== "YulFunctionCall") return [];
  const name = named(field(node, "functionName"), "name");
  const flip = YUL_FLIPS[name];
  if (flip !== undefined) return [instead("flip a comparison", node, flip(textOf(node)))];
  const other = YUL_PEOPLE[name];
  return other === undefined ? [] : [instead("swap caller and recipient", node, `${other}()`)];
};

/** What stands for one party, and those that a defect may put there; `run` ones only where a run is at hand. */
const PARTIES: Readonly<Record<string, readonly string[]>> = {
  "msg.sender": ["run.recipient()", "address(this)"],
  "address(this)": ["msg.sender", "run.recipient()"],
  "run.recipient()": ["msg.sender", "address(this)"],
  "run.payer()": ["run.recipient()", "address(this)"],
  "run.receiver(head, next)": ["run.recipient()", "address(this)"],
  "run.holder(head.src())": ["run.recipient()", "msg.sender", "address(this)"],
  "order.payer": ["order.receiver"],
  "order.receiver": ["order.payer"],
  "order.sold": ["order.bought"],
  "order.bought": ["order.sold"],
  "head.src()": ["head.dst()"],
  "head.dst()": ["head.src()"],
};

function hasRun(above: readonly Node[]): boolean {
  const scope = above.find(({ nodeType }) => nodeType === "FunctionDefinition");
  const parameters = (scope?.parameters as Node | undefined)?.parameters as readonly Node[] | undefined;
  return parameters?.some(({ name }) => name === "run") ?? false;
}

const swapParties: Rule = ({ node, above, textOf }) => {
  if (node.nodeType !== "FunctionCall" && node.nodeType !== "MemberAccess") return [];
  const others = PARTIES[textOf(node)] ?? [];
  return others
    .filter((other) => !other.startsWith("run.") || hasRun(above))
    .map((other) => instead("swap caller and recipient", node, other));
};

export const rules: readonly Rule[] = [dropStatement, dropCheck, flipComparison, changeYulCall, swapParties];
