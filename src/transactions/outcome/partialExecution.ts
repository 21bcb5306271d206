import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { OpenPosition } from '../../service/positions';
import type { TokenFacts } from '../../service/poolInfo';
import type { Address } from '../../base/solana/address';
import { formatRaw, lamportsToSol } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { tickerText } from '../../base/solana/tickers';
import { isSamePosition } from './evidence';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import type { Measured } from './measure';
import type { TokensAtHand } from '../types';

// An operation of several transactions is not atomic: some may land and others not. What is left to do is derived from the journal, the
// list of positions, the landed transactions and the wallet; nothing is guessed.

/** What is left to do of a partially executed operation. `words`: what happened and what it means, in sentences for the user. */
export type Remainder =
  /** Nothing can be run: it is done, in progress, or only the user can do it. */
  | { readonly kind: 'noAction'; readonly words: string; readonly then: FollowUp }
  /** The rest of the position is withdrawn. */
  | { readonly kind: 'zapOut'; readonly words: string; readonly of: OperationRecord; readonly position: OpenPosition }
  /** The available tokens are deposited into a new position without a swap. */
  | {
      readonly kind: 'zapIn';
      readonly words: string;
      readonly of: OperationRecord;
      readonly tokens: TokensAtHand;
      readonly range: RemainingRange;
    };

/**
 * What follows a remainder without transactions. `seen`: nothing is left, it is not offered again. `asked`: nothing can be done now
 * (without an RPC, at this price), or it is not certain, and the user decides whether it is offered again. `again`: it is checked again later.
 */
export type FollowUp = 'seen' | 'asked' | 'again';

/** Both ends inclusive; `undefined` for pools without bins. */
export interface RemainingRange {
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** How much of an operation landed. */
export interface PartialExecution {
  readonly landed: number;
  readonly of: number;
}

/** The evidence about a partially executed operation. */
export interface Known {
  /** The journal, which shows whether another operation completes it. */
  readonly records: readonly OperationRecord[];
  /** A clean listing of the owner's positions; `undefined`: there is none. */
  readonly listed: readonly OpenPosition[] | undefined;
  /** Changes by the landed transactions (`transactions`); `undefined`: unknown. */
  readonly changed: Measured | undefined;
  /** The wallet's balances, raw units, SOL under the mint of wrapped SOL; `undefined`: unknown. */
  readonly held: ReadonlyMap<Address, bigint> | undefined;
  /** The landed part by the network, for an operation whose record doesn't have it (`isUnclear`); `undefined`: unknown. */
  readonly part?: PartialExecution | undefined;
  /** Balance of the wallet's wrapped SOL account in lamports; `undefined`: unknown. */
  readonly wrappedLamports?: bigint | undefined;
  /** What accounts cost now; `undefined`: unknown, so at most the highest rate. */
  readonly rent?: RentRate | undefined;
  /** US dollars per SOL, if not among the pool's tokens. */
  readonly solUsd?: number | undefined;
  /** Tokens X and Y of the pool, and its active bin; `undefined`: not read. */
  readonly pool: { readonly tokens: readonly TokenFacts[]; readonly activeBinId: number | undefined } | undefined;
  /** Whether public explorers list the transactions; not for the sandbox. */
  readonly hasExplorer?: boolean | undefined;
}

/** Costs of a new position besides the deposit: its rent, that of two token accounts, and fees. */
function keptLamports(rent: RentRate): bigint {
  return rent.position + 2n * rent.token2022Account + 5_000_000n;
}

/** The minimum for a position of its own: fees and closing it cost as much. */
const LEAST_LAMPORTS = 1_000_000n;

/** Symbols are untrusted text: tokens with any other symbol are named by mint. */
const PLAIN_SYMBOL = /^[\p{L}\p{N}$._-]{1,20}$/u;

/** The landed part, if only some transactions landed and the others can't; `undefined`: it was not partially executed. */
export function partialExecutionOf({ events, signatures, created }: OperationRecord): PartialExecution | undefined {
  const landed = created.operation === 'rebalance' ? undefined : landedOf(events);
  return landed === undefined || landed >= signatures.length ? undefined : { landed, of: signatures.length };
}

/** Number of landed transactions by the final event, if recorded. */
function landedOf(events: OperationRecord['events']): number | undefined {
  return events.flatMap((event) => (event.kind === 'settled' || event.kind === 'failed' ? [event.landedTransactions] : [])).at(-1);
}

/**
 * Whether completing an operation is offered: it is partially executed, no other operation completes it, and the user was not shown that
 * nothing is left.
 */
export function isPartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return partialExecutionOf(record) !== undefined && needsCompletion(record, records);
}

/** The same for an operation whose outcome is unclear: a check is offered, which needs an RPC. */
export function mayBePartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return record.isUnclear && needsCompletion(record, records);
}

function needsCompletion(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return !record.isSeen && completionOf(record, records) === undefined;
}

/** The operation that completed another one, may have, or is about to. Attempts of which nothing landed do not count. */
export function completionOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): OperationRecord | undefined {
  return records.find((other) => {
    const { created, state, events } = other;
    return (
      created.finishes === id &&
      (!isEnd(state) || state === 'settled' || (state === 'failed' && (landedOf(events) !== undefined || other.isUnclear)))
    );
  });
}

/** Derives what is left to do. */
export function remainderOf(record: OperationRecord, known: Known): Remainder {
  const finisher = completionOf(record, known.records);
  if (finisher !== undefined) {
    return isEnd(finisher.state)
      ? explained(l10n.t('It was completed already, or may have been. See the operation after it in Activity.'), 'again')
      : explained(l10n.t('Its completion is in progress or was just sent. Activity shows the outcome.'), 'again');
  }
  const part = partialExecutionOf(record) ?? (record.isUnclear ? known.part : undefined);
  const noun = record.created.operation === 'zapIn' ? l10n.t('zap-in') : l10n.t('zap-out');
  if (part === undefined) {
    return record.isUnclear
      ? explained(
          l10n.t`Whether part of this ${noun} landed cannot be determined without an RPC that has its transactions (setting binsight.rpcUrl); with one, Binsight finds out. Check your positions and your wallet. ${transactionsShown(known)}`,
          'asked',
        )
      : explained(l10n.t('This operation was not partially executed; there is nothing to complete.'), 'again');
  }
  if (part.landed === 0 || part.landed >= part.of) {
    return part.landed === 0
      ? explained(
          l10n.t`Your RPC has none of the ${part.of} transactions of this ${noun}. As far back as it goes, none of them landed, so there is nothing to complete.`,
          // An RPC may not go back that far: only the user acknowledges it.
          'asked',
        )
      : explained(
          l10n.t`All ${part.of} transactions of this ${noun} landed, so there is nothing to complete. Your positions and your wallet have the result.`,
          'seen',
        );
  }
  const landed = l10n.t`${part.landed} of the ${part.of} transactions of this ${noun} landed, and the others no longer can.`;
  return record.created.operation === 'zapIn' ? restOfZapIn(record, known, landed) : restOfZapOut(record, known, landed);
}

function restOfZapOut(record: OperationRecord, known: Known, landed: string): Remainder {
  const { plan } = record.created;
  const { listed, changed } = known;
  if (plan.kind !== 'zapOut' || listed === undefined) {
    return explained(
      l10n.t`${landed} Your positions cannot be loaded right now, so it is not known whether the position is still open. Refresh them, then try again.`,
      'again',
    );
  }
  const position = listed.find((one) => one.id === plan.positionId || isSamePosition(one, plan.position));
  if (position !== undefined) {
    return plan.shareBps === WHOLE_BPS
      ? {
          kind: 'zapOut',
          of: record,
          position,
          words: l10n.t`${landed} The position is still open. You chose to withdraw all of it: a new zap-out, which needs your approval, withdraws the rest.`,
        }
      : explained(
          l10n.t`${landed} You chose to withdraw ${plan.shareBps / 100}% of the position, and how much of that was withdrawn cannot be determined exactly. Check the position, and zap out what you still want to withdraw.`,
          'seen',
        );
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained(
      l10n.t`${landed} The position is closed, and its proceeds are in your wallet. Which tokens they are cannot be determined without an RPC that has its transactions (setting binsight.rpcUrl): check your wallet. ${transactionsShown(known)}`,
      'asked',
    );
  }
  const left = conjoined(leftovers(changed, known));
  const wrapped = wrappedSolMessage(changed, known);
  if (left === '' && wrapped === '') {
    return explained(
      l10n.t`${landed} The position is closed, and none of its proceeds are left unswapped in your wallet. There is nothing to do.`,
      'seen',
    );
  }
  const swap =
    left === ''
      ? ''
      : l10n.t` Not all of its proceeds were swapped: your wallet still has ${left} from it. Swap that anywhere, or zap in with tokens.`;
  return explained(l10n.t`${landed} The position is closed, and nothing is lost.${swap}${wrapped}`, 'seen');
}

/** Where the user can look up the transactions. */
function transactionsShown({ hasExplorer }: Known): string {
  return hasExplorer === true
    ? l10n.t('"Open Transaction in Explorer" in Activity shows its transactions.')
    : l10n.t('Activity lists its transactions.');
}

/** "12.5 BONK", "3 USDC": received tokens besides SOL that the wallet still has. */
function leftovers({ tokens }: Measured, { held, pool }: Known): readonly string[] {
  return [...tokens].flatMap(([mint, raw]) => {
    const there = held === undefined ? raw : least(raw, held.get(mint) ?? 0n);
    const facts = pool?.tokens.find((token) => token.address === mint);
    return mint === WRAPPED_SOL_MINT || there <= 0n ? [] : [amountText(mint, there, facts)];
  });
}

/** "12.5 BONK and 3 USDC"; empty for none. */
function conjoined(amounts: readonly string[]): string {
  return amounts.length === 0 ? '' : amounts.reduce((before, amount) => l10n.t`${before} and ${amount}`);
}

/** A sentence about SOL that is still wrapped; empty without any. Wallets don't show it as SOL, so the user must know. */
function wrappedSolMessage({ tokens }: Measured, { wrappedLamports }: Known): string {
  const brought = tokens.get(WRAPPED_SOL_MINT) ?? 0n;
  const lamports = wrappedLamports === undefined ? brought : least(brought, wrappedLamports);
  return lamports <= 0n
    ? ''
    : l10n.t` ${lamportsToSol(lamports)} SOL of it is still wrapped: it is in your wrapped SOL (wSOL) account and not in your SOL balance. Unwrap it in your wallet app or with "spl-token unwrap", which also refunds the rent of that account.`;
}

function restOfZapIn(record: OperationRecord, known: Known, landed: string): Remainder {
  const { plan, poolType } = record.created;
  const { listed, changed, held, pool, rent = RentRate.highest } = known;
  const [tokenX, tokenY] = pool?.tokens ?? [];
  if (
    plan.kind !== 'zapIn' ||
    listed === undefined ||
    tokenX?.address === undefined ||
    tokenY?.address === undefined ||
    held === undefined
  ) {
    return explained(
      l10n.t`${landed} Your positions, your balances or the pool cannot be loaded right now, so it is not known what is left to do. Refresh, then try again.`,
      'again',
    );
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained(
      l10n.t`${landed} What they brought is in your wallet or in the position. How much that is cannot be determined without an RPC that has these transactions (setting binsight.rpcUrl): check your wallet, and zap in with tokens what you still want to deposit. ${transactionsShown(known)}`,
      'asked',
    );
  }
  const made = record.built?.position;
  const isOpen = made !== undefined && listed.some((one) => isSamePosition(one, made));
  const atHand = (mint: Address, meantRaw: bigint | undefined): bigint => {
    const isSol = mint === WRAPPED_SOL_MINT;
    // Rent and fees are paid in SOL, too: never more than the user chose, less what the transactions took.
    const meant = meantRaw ?? (isSol ? plan.inputLamports : 0n);
    const left = meant + (changed.tokens.get(mint) ?? 0n) + (isSol ? changed.lamports : 0n);
    return most(0n, least(left, (held.get(mint) ?? 0n) - (isSol ? keptLamports(rent) : 0n)));
  };
  const all = { amountXRaw: atHand(tokenX.address, plan.tokens?.amountXRaw), amountYRaw: atHand(tokenY.address, plan.tokens?.amountYRaw) };
  const listOf = ({ amountXRaw, amountYRaw }: TokensAtHand): string =>
    conjoined([
      ...(amountXRaw > 0n ? [amountText(tokenX.address ?? WRAPPED_SOL_MINT, amountXRaw, tokenX)] : []),
      ...(amountYRaw > 0n ? [amountText(tokenY.address ?? WRAPPED_SOL_MINT, amountYRaw, tokenY)] : []),
    ]);
  const wrapped = wrappedSolMessage(changed, known);
  const whereIn = isOpen ? l10n.t('What was deposited is in the position.') : l10n.t('The position was not opened.');
  if (listOf(all) === '') {
    return explained(
      isOpen
        ? l10n.t`${landed} Nothing of the planned deposit is left in your wallet: what was deposited is in the position.${wrapped}`
        : l10n.t`${landed} Nothing of the planned deposit is left in your wallet: it was moved or swapped since.${wrapped}`,
      'seen',
    );
  }
  const tokens = withoutDust(all, plan);
  const list = listOf(tokens);
  if (list === '' || isTooLittle(tokens, known)) {
    return explained(
      l10n.t`${landed} ${whereIn} What is left in your wallet of the planned deposit is too little to deposit: ${listOf(all)}. It stays there, and nothing more is done.${wrapped}`,
      'seen',
    );
  }
  if (poolType === 'dammV2' && (tokens.amountXRaw === 0n || tokens.amountYRaw === 0n)) {
    return explained(
      l10n.t`${landed} Your wallet still has ${list} of the planned deposit. This pool takes both of its tokens, so it cannot be deposited alone: swap it, or start a new zap-in.${wrapped}`,
      'seen',
    );
  }
  const range = remainingRange(plan, tokens, pool?.activeBinId);
  if (range === undefined) {
    return explained(
      l10n.t`${landed} Your wallet still has ${list} of the planned deposit. The price has since left the range on the side where it cannot be deposited as it is: start a new zap-in with another range.${wrapped}`,
      'asked',
    );
  }
  const { fromBinId, toBinId = fromBinId } = range;
  const openText = isOpen ? l10n.t('The position is open, with part of the planned deposit.') : l10n.t('The position was not opened.');
  return {
    kind: 'zapIn',
    of: record,
    tokens,
    range,
    words:
      fromBinId === undefined || toBinId === undefined
        ? l10n.t`${landed} ${openText} Your wallet still has ${list} of the planned deposit: a new zap-in, which needs your approval, deposits it as it is, as a new position.`
        : l10n.t`${landed} ${openText} Your wallet still has ${list} of the planned deposit: a new zap-in, which needs your approval, deposits it as it is, as a new position over bins ${fromBinId} to ${toBinId}.`,
  };
}

/** Drops amounts below one raw unit per bin: no bin could receive any. */
function withoutDust({ amountXRaw, amountYRaw }: TokensAtHand, { fromBinId, toBinId }: RemainingRange): TokensAtHand {
  const bins = fromBinId === undefined || toBinId === undefined ? 1n : BigInt(toBinId - fromBinId + 1);
  return { amountXRaw: amountXRaw < bins ? 0n : amountXRaw, amountYRaw: amountYRaw < bins ? 0n : amountYRaw };
}

/** Whether the tokens are worth next to nothing by the pool's prices. False without prices. */
function isTooLittle({ amountXRaw, amountYRaw }: TokensAtHand, { pool, solUsd }: Known): boolean {
  const [tokenX, tokenY] = pool?.tokens ?? [];
  const priceOfSol = [tokenX, tokenY].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd ?? solUsd;
  const worthOf = (raw: bigint, token: TokenFacts | undefined): number => {
    if (raw === 0n || token?.address === WRAPPED_SOL_MINT) {
      return Number(raw);
    }
    const { priceUsd, decimals } = token ?? {};
    return priceUsd === undefined || decimals === undefined || priceOfSol === undefined || !(priceOfSol > 0)
      ? Number.NaN
      : ((Number(raw) / 10 ** decimals) * priceUsd * Number(LAMPORTS_PER_SOL)) / priceOfSol;
  };
  return worthOf(amountXRaw, tokenX) + worthOf(amountYRaw, tokenY) < Number(LEAST_LAMPORTS);
}

/** The bins that the available tokens can fill: token X alone above the price, token Y alone below it. */
function remainingRange(
  { fromBinId, toBinId }: RemainingRange,
  { amountXRaw, amountYRaw }: TokensAtHand,
  activeBinId: number | undefined,
): RemainingRange | undefined {
  if (fromBinId === undefined || toBinId === undefined || (amountXRaw > 0n && amountYRaw > 0n)) {
    return { fromBinId, toBinId };
  }
  if (activeBinId === undefined) {
    return undefined;
  }
  const range =
    amountXRaw > 0n
      ? { fromBinId: Math.max(fromBinId, activeBinId + 1), toBinId }
      : { fromBinId, toBinId: Math.min(toBinId, activeBinId - 1) };
  return range.fromBinId > range.toBinId ? undefined : range;
}

function amountText(mint: Address, raw: bigint, facts: TokenFacts | undefined): string {
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${lamportsToSol(raw)} SOL`;
  }
  const { symbol = '', decimals } = facts ?? {};
  return decimals === undefined
    ? l10n.t`${String(raw)} of the smallest units of ${mint}`
    : `${formatRaw(raw, decimals)} ${PLAIN_SYMBOL.test(symbol) ? tickerText(symbol, mint) : mint}`;
}

function explained(words: string, then: FollowUp): Remainder {
  return { kind: 'noAction', words, then };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
