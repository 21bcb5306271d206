import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { usdToTheCent } from '../base/format/money';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { Money } from '../service/common';
import type { OpenPosition } from '../service/positions';
import type { JournalToken } from '../transactions/journal/plans';
import type { OperationRecord, PricedToken } from '../transactions/journal/types';
import { isRebalanceIncomplete } from '../transactions/rebalance/rebalanceStatus';
import { isOpening } from '../transactions/operations';
import { lastZapOutMs, openingOf, type WalletHistory } from './history';
import { LEAST_CONFIRMING_CHECKS, LEAST_CONFIRMING_MS } from './observations';
import type { AutoRebalanceRules } from './types';

// What was deposited into a position and withdrawn from it. Only operations change these figures, so a listing that changes them without
// one is wrong, however long it lasts: a wrong deposit looks like a loss. They are compared with the journal and with earlier checks, also
// those before a restart.

/** The figures of a position that only operations change. */
interface Ledger {
  readonly input: Money;
  readonly output: Money;
  readonly collectedFee: Money;
  readonly collectedReward: Money;
}

/** The ledger of a position as the checks saw it. */
export interface LedgerEntry extends Ledger {
  /** When a check first saw it, and last, milliseconds since 1970. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** In how many checks it was seen. */
  readonly checks: number;
}

/** Entries by the key of the position. */
export type Ledgers = ReadonlyMap<string, LedgerEntry>;

/** Entries that are kept, those seen last; a wallet with more open positions is unusual. */
const MOST_ENTRIES = 1_000;
/** Relative tolerance: services round, and convert with prices of slightly different moments. */
const TOLERANCE = 0.01;
/** Absolute tolerance: a cent, and a ten-thousandth of a SOL. */
const LEAST: Money = { usd: 0.01, native: 0.0001 };
/**
 * What a service lists as the deposit of a zap-in, relative to what went in. It may be less, since swaps cost something and a rest comes back.
 * It is more only by the prices that the service uses.
 */
const LISTED_DEPOSIT = { least: 0.8, most: 1.1 } as const;

/**
 * Adds the ledgers of a check. Positions that are not listed keep theirs: a list may be incomplete for a moment. So do those whose deposits are from
 * public data, which the chain's own figures replace.
 */
export function withLedgers(before: Ledgers, positions: readonly OpenPosition[], history: WalletHistory, nowMs: number): Ledgers {
  const entries = new Map(before);
  for (const position of positions.filter(({ doubt }) => doubt !== 'reported')) {
    entries.set(position.key, nextEntry(before.get(position.key), position, history, nowMs));
  }
  return new Map([...entries].sort(([, one], [, other]) => other.lastMs - one.lastMs).slice(0, MOST_ENTRIES));
}

/**
 * Why the ledger of a position can't be as it is listed, as a sentence; `undefined`: nothing speaks against it.
 * @param entry what earlier checks saw
 */
export function ledgerProblem(
  position: OpenPosition,
  pnlIn: AutoRebalanceRules['pnlIn'],
  entry: LedgerEntry | undefined,
  history: WalletHistory,
): string | undefined {
  if (position.doubt === 'reported') {
    return undefined;
  }
  const input = position.input[pnlIn];
  const opening = openingOf(position, history);
  const deposited = opening && depositOf(opening)[pnlIn];
  if (input !== undefined && deposited !== undefined && !isListedFor(deposited, input, pnlIn)) {
    return l10n.t`The service lists a deposit of ${amountText(input, pnlIn)}, but you deposited ${amountText(deposited, pnlIn)}.`;
  }
  if (entry === undefined || follows(entry, position, pnlIn) || isExplained(entry, position, history)) {
    return undefined;
  }
  const before = entry.input[pnlIn];
  return input !== undefined && before !== undefined && !agree(input, before, pnlIn)
    ? l10n.t`The service lists a deposit of ${amountText(input, pnlIn)}; earlier it was ${amountText(before, pnlIn)}. If you added to the position elsewhere, start auto-rebalance again.`
    : l10n.t('The service lists less as withdrawn or collected than earlier.');
}

/** Whether a ledger was seen long enough to be relied on. */
export function isSettled({ sinceMs, lastMs, checks }: LedgerEntry): boolean {
  return checks >= LEAST_CONFIRMING_CHECKS && lastMs - sinceMs >= LEAST_CONFIRMING_MS;
}

function nextEntry(before: LedgerEntry | undefined, position: OpenPosition, history: WalletHistory, nowMs: number): LedgerEntry {
  const { input, output, collectedFee, collectedReward } = position;
  const seenAnew = { input, output, collectedFee, collectedReward, sinceMs: nowMs, lastMs: nowMs, checks: 1 };
  if (before === undefined || isExplained(before, position, history)) {
    return seenAnew;
  }
  const isSame = follows(before, position, 'usd') && follows(before, position, 'native');
  // The figures stay those that were seen first: small changes must not add up, and a glitch must not become the measure.
  return isSame ? { ...before, lastMs: nowMs, checks: before.checks + 1 } : isSettled(before) ? { ...before, lastMs: nowMs } : seenAnew;
}

/** Whether a listing can follow a ledger without an operation on the position: the deposit is the same, and nothing else shrank. */
function follows(before: Ledger, now: Ledger, currency: keyof Money): boolean {
  const [was, is] = [before.input[currency], now.input[currency]];
  const hasSameInput = was === undefined || is === undefined || agree(was, is, currency);
  // Figures of many thousands may be rounded: what shrinks is measured by the deposit.
  const room = (LEAST[currency] ?? 0) + TOLERANCE * (was ?? 0);
  return (
    hasSameInput &&
    (['output', 'collectedFee', 'collectedReward'] as const).every(
      (name) => (now[name][currency] ?? 0) >= (before[name][currency] ?? 0) - room,
    )
  );
}

/** Binsight withdrew from the position since the ledger was first seen: it is seen anew. */
function isExplained({ sinceMs }: LedgerEntry, position: OpenPosition, history: WalletHistory): boolean {
  const atMs = lastZapOutMs(position, history);
  return atMs !== undefined && atMs >= sinceMs;
}

/** What a zap-in deposited, by the journal; `undefined` in a currency without a price. */
function depositOf(record: OperationRecord): Money {
  const { plan, tokens = [] } = record.created;
  if (!isOpening(plan) || isRebalanceIncomplete(record)) {
    return { usd: undefined, native: undefined };
  }
  const solUsd = usdOf(WRAPPED_SOL_MINT, tokens);
  if (plan.tokens === undefined) {
    const native = Number(plan.inputLamports) / Number(LAMPORTS_PER_SOL);
    return { native, usd: solUsd === undefined ? undefined : native * solUsd };
  }
  const { x, y, amountXRaw, amountYRaw } = plan.tokens;
  const worth = [worthUsd(x, amountXRaw, tokens), worthUsd(y, amountYRaw, tokens)];
  const usd = worth.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
  return { usd, native: usd === undefined || solUsd === undefined ? undefined : usd / solUsd };
}

function worthUsd(token: JournalToken | undefined, amountRaw: bigint, tokens: readonly PricedToken[]): number | undefined {
  const usd = token && usdOf(token.mint, tokens);
  return usd === undefined || token?.decimals === undefined ? undefined : (Number(amountRaw) / 10 ** token.decimals) * usd;
}

function usdOf(mint: JournalToken['mint'], tokens: readonly PricedToken[]): number | undefined {
  const usd = Number(tokens.find((token) => token.mint === mint)?.priceUsd);
  return usd > 0 && Number.isFinite(usd) ? usd : undefined;
}

function isListedFor(deposited: number, listed: number, currency: keyof Money): boolean {
  const least = LEAST[currency] ?? 0;
  return listed >= LISTED_DEPOSIT.least * deposited - least && listed <= LISTED_DEPOSIT.most * deposited + least;
}

function agree(one: number, other: number, currency: keyof Money): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other)) + (LEAST[currency] ?? 0);
}

function amountText(amount: number, currency: keyof Money): string {
  return currency === 'usd' ? usdToTheCent(amount) : l10n.t`${amount.toFixed(4)} SOL`;
}

// The stored form, so that a restart does not forget what earlier checks saw. It is not sealed: it can only keep auto-rebalance from acting.

const money = z
  .strictObject({ usd: z.number().nullable(), native: z.number().nullable() })
  .transform(({ usd, native }): Money => ({ usd: usd ?? undefined, native: native ?? undefined }));

const stored = z.strictObject({
  /** {@link AutoRebalanceConsent.sinceMs} of the consent under which they were seen. */
  sinceMs: z.number(),
  entries: z
    .array(
      z.tuple([
        z.string(),
        z.strictObject({
          input: money,
          output: money,
          collectedFee: money,
          collectedReward: money,
          sinceMs: z.number(),
          lastMs: z.number(),
          checks: z.number(),
        }),
      ]),
    )
    .max(MOST_ENTRIES),
});

/** Reads stored ledgers; none if they are of another consent, or unreadable: they are then seen anew. Never throws. */
export function readLedgers(value: unknown, consentSinceMs: number): Ledgers {
  const read = stored.safeParse(value);
  return new Map(read.success && read.data.sinceMs === consentSinceMs ? read.data.entries : []);
}

/** The stored form of ledgers; see {@link readLedgers}. */
export function writtenLedgers(ledgers: Ledgers, consentSinceMs: number): unknown {
  const written = ({ usd, native }: Money) => ({ usd: usd ?? null, native: native ?? null });
  return {
    sinceMs: consentSinceMs,
    entries: [...ledgers].map(([key, { input, output, collectedFee, collectedReward, ...times }]) => [
      key,
      {
        ...times,
        input: written(input),
        output: written(output),
        collectedFee: written(collectedFee),
        collectedReward: written(collectedReward),
      },
    ]),
  };
}
