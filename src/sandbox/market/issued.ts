import { createHash } from 'node:crypto';
import * as z from 'zod';
import { STRATEGIES } from '../../dlmm/strategy';
import { parseTransaction, WireError } from '../../solana/wire';
import { EngineError } from '../engine';
import { StoredAddress } from './position';

/** An operation that was built and handed out: what may land. */
export const Issue = z.object({
  kind: z.enum(['decrease', 'add']),
  owner: StoredAddress,
  /** sha256 of each message, hex, in the order in which they land. */
  messages: z.array(z.string()),
  strategy: z.enum(STRATEGIES).nullable(),
  activeBinId: z.int(),
  binsOfSlippage: z.int(),
});
export type Issue = z.output<typeof Issue>;

const REMEMBERED = 2_000;

/** What the service has built; nothing else lands. Remembers the last two thousand operations. */
export class Issued {
  private readonly byMessage = new Map<string, Issue>();
  private count: number;

  constructor(private readonly issues: Issue[] = []) {
    this.count = issues.length;
    issues.forEach((issue) => this.index(issue));
  }

  /** Another number for each operation that is built in the lifetime of a blockhash. */
  get number(): number {
    return this.count;
  }

  save(): readonly Issue[] {
    return this.issues;
  }

  /** Remembers the transactions of an operation. */
  add(of: Omit<Issue, 'messages'>, transactions: readonly Uint8Array[]): void {
    const issue = { ...of, messages: transactions.map(messageOf) };
    this.issues.push(issue);
    this.count += 1;
    this.index(issue);
    if (this.issues.length > REMEMBERED) {
      this.issues.shift()?.messages.forEach((message) => this.byMessage.delete(message));
    }
  }

  /**
   * Finds the operation that these transactions are of.
   * @throws EngineError where one of them was not built here, or they are not of one operation and in its order.
   */
  find(kind: Issue['kind'], transactions: readonly Uint8Array[]): Issue {
    const messages = transactions.map(read);
    const issues = messages.map((message, index) => this.byMessage.get(message) ?? refuse(`Transaction ${index + 1} was not built by this service, or was changed since`));
    const [issue] = issues;
    if (issue === undefined) {
      return refuse('There is no transaction to land');
    }
    if (issues.some((other) => other !== issue)) {
      return refuse('The transactions are of different operations');
    }
    if (issue.kind !== kind) {
      return refuse(`The transactions were built by ${issue.kind === 'add' ? 'add-tx' : 'decrease-tx'}: they land elsewhere`);
    }
    const places = messages.map((message) => issue.messages.indexOf(message));
    if (places.some((place, index) => index > 0 && place <= (places[index - 1] ?? place))) {
      return refuse('The transactions are not in the order in which they were built, or one is there twice');
    }
    return issue;
  }

  private index(issue: Issue): void {
    issue.messages.forEach((message) => this.byMessage.set(message, issue));
  }
}

function read(bytes: Uint8Array, index: number): string {
  try {
    return messageOf(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      return refuse(`Transaction ${index + 1} is malformed: ${error.message}`);
    }
    throw error;
  }
}

/** @throws WireError where the bytes are not a transaction. */
function messageOf(bytes: Uint8Array): string {
  const { messageOffset } = parseTransaction(bytes);
  return createHash('sha256').update(bytes.subarray(messageOffset)).digest('hex');
}

function refuse(message: string): never {
  throw new EngineError('invalid', message);
}
