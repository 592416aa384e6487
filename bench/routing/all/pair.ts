import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Order } from "../market/schema.ts";
import type { Kept, Message, Opened } from "./child.ts";

/** An engine of some commit over some market, in a process of its own. */
export type Side = { readonly root: string; readonly market: readonly string[] };

/** One order as two sides answered it; `b` where there is another side. */
export type Both = { readonly order: Order; readonly a: Kept; readonly b?: Kept };

/** The heap that the service runs on. */
const HEAP: readonly string[] = JSON.parse(readFileSync("package.json", "utf8"))
  .scripts["bench:routing"].split(" ")
  .filter((word: string) => word.startsWith("--"));

/**
 * Asks both sides for every order, one order after the other, and takes turns at being first: whatever else the machine does hits both
 * alike. Both processes have the same flags.
 */
export async function runBoth(
  sides: { readonly a: Side; readonly b?: Side | undefined },
  orders: readonly Order[],
  gweis: readonly number[],
): Promise<Map<number, Both[]>> {
  const a = await start(sides.a, orders);
  const b = sides.b && (await start(sides.b, orders));
  try {
    const all = new Map<number, Both[]>();
    for (const gasGwei of gweis) {
      const list: Both[] = [];
      for (const [k, order] of orders.entries()) {
        const message = { kind: "ask", order, gasGwei } as const;
        const first = k % 2 === 1 && b ? await b.tell<Kept>(message) : undefined;
        const mine = await a.tell<Kept>(message);
        const other = first ?? (b && (await b.tell<Kept>(message)));
        list.push({ order, a: mine, ...(other ? { b: other } : {}) });
      }
      all.set(gasGwei, list);
    }
    return all;
  } finally {
    a.end();
    b?.end();
  }
}

type Engine = { readonly tell: <T>(message: Message) => Promise<T>; readonly end: () => void };

async function start({ root, market }: Side, orders: readonly Order[]): Promise<Engine> {
  const child = fork(join(import.meta.dirname, "child.ts"), [root], { execArgv: [...HEAP] });
  const tell = <T>(message: Message) => answerOf<T>(child, message);
  await tell<Opened>({ kind: "open", market, orders });
  return { tell, end: () => void child.disconnect() };
}

function answerOf<T>(child: ChildProcess, message: Message): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`an engine's process ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as T);
    });
    child.send(message);
  });
}
