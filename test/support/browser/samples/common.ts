import type { Ambient, MoneyView, Part } from '../../../../src/protocol/schemas';

/** The moment that samples are told at. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12, 4, 30);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const SOL_USD = 178.42;

export const OWNER = '7Yk3cJq9WfA5T2mVbXhR8sDnGp4LuZeQ6rB1KtHvMwNx';
export const POOL = '5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6n';
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
export const TOKEN = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

/** Where panels are shown, mostly. */
export const AMBIENT: Ambient = {
  locale: 'en',
  currency: 'usd',
  serviceName: 'Sandbox',
  isSandbox: true,
  hasExplorer: false,
  owner: OWNER,
  canSign: true,
  isOwnService: true,
};

/** Something in US dollars, and what that is in SOL. */
export const money = (usd: number): MoneyView => ({ usd, native: usd / SOL_USD });
/** The same in both. */
export const same = (value: number): MoneyView => ({ usd: value, native: value });

/** Read half a minute ago. */
export const ready = <Data>(data: Data): Part<Data> => ({ status: 'ready', data, asOfMs: NOW_MS - 30_000 });
/** Read long ago; it could not be read again. */
export const stale = <Data>(data: Data): Part<Data> => ({
  status: 'stale',
  data,
  asOfMs: NOW_MS - 42 * 60_000,
  words: 'The service did not answer within 20 s.',
});
/** Never read. */
export const FAILED: Part<never> = {
  status: 'failed',
  words: 'The service cannot be reached at 127.0.0.1. Nothing was changed; your funds are not touched by this.',
  remedies: [{ label: 'Connect to Service…', command: 'binsight.connectService' }],
};

/** Numbers from 0 to 1 that are the same in every run. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An address without an owner. */
export function addressOf(random: () => number): string {
  return Array.from({ length: 44 }, () => LETTERS[Math.floor(random() * LETTERS.length)] ?? '1').join('');
}
