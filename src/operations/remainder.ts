import type { OpenPosition } from '../api/records/position';
import type { TokenFacts } from '../api/records/pool';
import type { Address } from '../solana/address';
import { formatRaw, lamportsToSol } from '../solana/amounts';
import { RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../solana/programs';
import { isSamePosition } from './effects';
import { isEnd } from './journal/states';
import type { OperationRecord } from './journal/types';
import type { Measured } from './measure';
import type { TokensAtHand } from './types';

// An operation of several transactions is not one step on a real chain: some of them may land, and the others never. What is left to
// do then is told from what the journal, the listing, the transactions themselves and the wallet say, and nothing is guessed.

/** What is left to do of an operation that is half done. `words`: what happened and what it means, for the user; in sentences. */
export type Remainder =
  /** There is nothing to run: it is done, somebody is doing it, or only the user can. */
  | { readonly kind: 'told'; readonly words: string }
  /** What is still in the position is withdrawn. */
  | { readonly kind: 'zapOut'; readonly words: string; readonly of: OperationRecord; readonly position: OpenPosition }
  /** The tokens that are at hand go in as they are, as a new position. */
  | { readonly kind: 'zapIn'; readonly words: string; readonly of: OperationRecord; readonly tokens: TokensAtHand; readonly range: RemainingRange };

/** Over which bins; `undefined` for pools without. Both ends are in it. */
export interface RemainingRange {
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** How much of an operation landed. */
export interface Part {
  readonly landed: number;
  readonly of: number;
}

/** What is known of it by now. */
export interface Known {
  /** The journal: who finished it already, or is about to. */
  readonly records: readonly OperationRecord[];
  /** A clean listing of the owner's positions; `undefined`: there is none. */
  readonly listed: readonly OpenPosition[] | undefined;
  /** What the transactions that landed changed, by themselves (`transactions`); `undefined`: it cannot be told. */
  readonly changed: Measured | undefined;
  /** What the wallet holds, raw, SOL under the mint of wrapped SOL; `undefined`: it cannot be told. */
  readonly held: ReadonlyMap<Address, bigint> | undefined;
  /** Token X and token Y of the pool, and the bin that its price is in; `undefined`: it could not be read. */
  readonly pool: { readonly tokens: readonly TokenFacts[]; readonly activeBinId: number | undefined } | undefined;
}

const WHOLE_BPS = 10_000;
/** What a new position takes besides the tokens: its rent, that of two token accounts, and fees. */
const KEPT_LAMPORTS = RENT_LAMPORTS.position + 2n * RENT_LAMPORTS.token2022Account + 5_000_000n;

/** What tokens call themselves is untrusted text: what is not plain goes by its mint. */
const PLAIN_SYMBOL = /^[\p{L}\p{N}$._-]{1,20}$/u;

/** How much of it landed, where that is known to be not all of it, and the rest cannot any more; `undefined`: it is not half done. */
export function partOf({ events, signatures, created }: OperationRecord): Part | undefined {
  const end = events.at(-1);
  const landed = created.operation !== 'rebalance' && (end?.kind === 'settled' || end?.kind === 'failed') ? end.landedTransactions : undefined;
  return landed === undefined || landed >= signatures.length ? undefined : { landed, of: signatures.length };
}

/** Whether an operation is half done, and nobody has finished it or is about to: it is offered to be finished. */
export function isHalfDone(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return partOf(record) !== undefined && finisherOf(record, records) === undefined;
}

/** The operation that finished another one, may have, or is about to; those of which nothing landed do not count. */
export function finisherOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): OperationRecord | undefined {
  return records.find(({ created, state, events }) => {
    const end = events.at(-1);
    return created.finishes === id && (!isEnd(state) || state === 'settled' || (end?.kind === 'failed' && end.landedTransactions !== undefined));
  });
}

/** Decides what is left to do. */
export function remainderOf(record: OperationRecord, known: Known): Remainder {
  const part = partOf(record);
  if (part === undefined) {
    return told('This operation is not half done: there is nothing to finish.');
  }
  const finisher = finisherOf(record, known.records);
  if (finisher !== undefined) {
    return told(isEnd(finisher.state) ? 'The rest of it was done already: see the operation after it in Activity.' : 'The rest of it is being done, or was sent just now: Activity says what becomes of it.');
  }
  const noun = record.created.operation === 'zapIn' ? 'zap-in' : 'zap-out';
  const landed = `${part.landed} of the ${part.of} transactions of this ${noun} landed, and the others no longer can.`;
  return record.created.operation === 'zapIn' ? restOfZapIn(record, known, landed) : restOfZapOut(record, known, landed);
}

function restOfZapOut(record: OperationRecord, { listed, changed, held, pool }: Known, landed: string): Remainder {
  const { plan } = record.created;
  if (plan.kind !== 'zapOut' || listed === undefined) {
    return told(`${landed} Your positions cannot be read just now, so that it is not known whether the position is still open. Refresh them, and try again.`);
  }
  const position = listed.find((one) => one.id === plan.positionId || isSamePosition(one, plan.position));
  if (position !== undefined) {
    return plan.shareBps === WHOLE_BPS
      ? { kind: 'zapOut', of: record, position, words: `${landed} The position is still open. You wanted all of it out: what is left of it is withdrawn by a new zap-out, which you are asked about.` }
      : told(`${landed} You wanted ${plan.shareBps / 100} % of the position out, and how much of that is out cannot be told exactly. Look at the position, and zap out what you still want out of it.`);
  }
  const left = leftovers(changed, held, pool?.tokens ?? [], plan.output === 'allBaseToken' ? WRAPPED_SOL_MINT : undefined);
  if (left === undefined) {
    return told(`${landed} The position is closed; what came out of it is in your wallet. Which tokens that are cannot be told without an RPC that has its transactions (setting binsight.rpcUrl): look at your wallet in an explorer.`);
  }
  return told(
    left === ''
      ? `${landed} The position is closed, and of what came out of it nothing is left unswapped in your wallet: nothing is to be done.`
      : `${landed} The position is closed, and what came out of it has not all been swapped: ${left} of it ${left.includes(' and ') ? 'are' : 'is'} in your wallet. Nothing is lost. Swap it wherever you like, or put it into a pool (Zap In, with tokens).`,
  );
}

/** "12.5 BONK and 3 USDC": what the transactions brought besides SOL, and is still there. `undefined`: that cannot be told. */
function leftovers(changed: Measured | undefined, held: Known['held'], tokens: readonly TokenFacts[], swappedTo: Address | undefined): string | undefined {
  if (changed === undefined || changed.from !== 'transactions') {
    return undefined;
  }
  const left = [...changed.tokens].flatMap(([mint, raw]) => {
    const there = held === undefined ? raw : least(raw, held.get(mint) ?? 0n);
    const facts = tokens.find((token) => token.address === mint);
    return mint === swappedTo || there <= 0n ? [] : [amountText(mint, there, facts)];
  });
  return left.join(' and ');
}

function restOfZapIn(record: OperationRecord, { listed, changed, held, pool }: Known, landed: string): Remainder {
  const { plan, poolType } = record.created;
  const [tokenX, tokenY] = pool?.tokens ?? [];
  if (plan.kind !== 'zapIn' || listed === undefined || tokenX?.address === undefined || tokenY?.address === undefined || held === undefined) {
    return told(`${landed} Your positions, your balances or the pool cannot be read just now, so that it is not known what is left to do. Refresh, and try again.`);
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return told(`${landed} What they brought is in your wallet or in the position. How much it is cannot be told without an RPC that has these transactions (setting binsight.rpcUrl): look at your wallet in an explorer, and put in what you still want to (Zap In, with tokens).`);
  }
  const made = record.built?.position;
  const isOpen = made !== undefined && listed.some((one) => isSamePosition(one, made));
  const atHand = (mint: Address, meantRaw: bigint | undefined): bigint => {
    const isSol = mint === WRAPPED_SOL_MINT;
    // Of SOL, rent and fees come off too: never more than was chosen, less all that the transactions took.
    const meant = meantRaw ?? (isSol ? plan.inputLamports : 0n);
    const left = meant + (changed.tokens.get(mint) ?? 0n) + (isSol ? changed.lamports : 0n);
    return most(0n, least(left, (held.get(mint) ?? 0n) - (isSol ? KEPT_LAMPORTS : 0n)));
  };
  const tokens = { amountXRaw: atHand(tokenX.address, plan.tokens?.amountXRaw), amountYRaw: atHand(tokenY.address, plan.tokens?.amountYRaw) };
  const list = [
    ...(tokens.amountXRaw > 0n ? [amountText(tokenX.address, tokens.amountXRaw, tokenX)] : []),
    ...(tokens.amountYRaw > 0n ? [amountText(tokenY.address, tokens.amountYRaw, tokenY)] : []),
  ].join(' and ');
  if (list === '') {
    return told(`${landed} Of what was to go in, nothing is left in your wallet that could: ${isOpen ? 'what went in is in the position' : 'it was moved or swapped since'}.`);
  }
  if (poolType === 'dammV2' && (tokens.amountXRaw === 0n || tokens.amountYRaw === 0n)) {
    return told(`${landed} ${list} of what was to go in is in your wallet. This pool takes both of its tokens, so that it cannot go in alone: swap it, or zap in anew.`);
  }
  const range = remainingRange(plan, tokens, pool?.activeBinId);
  if (range === undefined) {
    return told(`${landed} ${list} of what was to go in is in your wallet. The price has left the range since, on the side where it cannot go in as it is: zap in anew with another range.`);
  }
  const where = range.fromBinId === undefined ? '' : ` over bins ${range.fromBinId} to ${range.toBinId ?? range.fromBinId}`;
  return {
    kind: 'zapIn',
    of: record,
    tokens,
    range,
    words: `${landed} ${isOpen ? 'The position is open, with part of what was to go in.' : 'The position was not opened.'} ${list} of what was to go in is still in your wallet: it goes in as it is, as a new position${where}, which you are asked about.`,
  };
}

/** The bins that what is at hand can go into: above the price lies token X alone, below it token Y. */
function remainingRange({ fromBinId, toBinId }: RemainingRange, { amountXRaw, amountYRaw }: TokensAtHand, activeBinId: number | undefined): RemainingRange | undefined {
  if (fromBinId === undefined || toBinId === undefined || (amountXRaw > 0n && amountYRaw > 0n)) {
    return { fromBinId, toBinId };
  }
  if (activeBinId === undefined) {
    return undefined;
  }
  const range = amountXRaw > 0n ? { fromBinId: Math.max(fromBinId, activeBinId + 1), toBinId } : { fromBinId, toBinId: Math.min(toBinId, activeBinId - 1) };
  return range.fromBinId > range.toBinId ? undefined : range;
}

function amountText(mint: Address, raw: bigint, facts: TokenFacts | undefined): string {
  if (mint === WRAPPED_SOL_MINT) {
    return `${lamportsToSol(raw)} SOL`;
  }
  const { symbol = '', decimals } = facts ?? {};
  return decimals === undefined ? `${raw} of the smallest units of ${mint}` : `${formatRaw(raw, decimals)} ${PLAIN_SYMBOL.test(symbol) ? symbol : mint}`;
}

function told(words: string): Remainder {
  return { kind: 'told', words };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
