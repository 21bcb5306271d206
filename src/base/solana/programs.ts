import { address, type Address } from './address';

/** Programs that liquidity transactions call. Sources: their published IDLs and @solana/web3.js. */
export const PROGRAMS = {
  system: address('11111111111111111111111111111111'),
  computeBudget: address('ComputeBudget111111111111111111111111111111'),
  token: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  token2022: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  associatedToken: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  memo: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  memoV1: address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
  dlmm: address('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'),
  dammV2: address('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'),
  jupiterV6: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'),
} as const satisfies Record<string, Address>;

/** The mint of wrapped SOL; services also name the native token by it. */
export const WRAPPED_SOL_MINT = address('So11111111111111111111111111111111111111112');

export const USDC_MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

export const USDT_MINT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');

/** The mint of JUP, the token of Jupiter. */
const JUP_MINT = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');

/** Owns the vaults of all DAMM v2 pools and the mints of their positions' NFTs; fixed in the program's IDL. */
export const DAMM_POOL_AUTHORITY = address('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC');

/** Decimal places of the native token: 1 SOL = 10^9 lamports. */
export const SOL_DECIMALS = 9;

/** Well-known tokens, which others imitate: the ticker that belongs to the mint, and its decimal places, which never change. */
export const KNOWN_TOKENS: ReadonlyMap<Address, { readonly symbol: string; readonly decimals: number }> = new Map([
  [WRAPPED_SOL_MINT, { symbol: 'SOL', decimals: SOL_DECIMALS }],
  [USDC_MINT, { symbol: 'USDC', decimals: 6 }],
  [USDT_MINT, { symbol: 'USDT', decimals: 6 }],
  [JUP_MINT, { symbol: 'JUP', decimals: 6 }],
]);

/** Decimal places of well-known tokens. A list with other values would make amounts wrong by powers of ten. */
export const KNOWN_DECIMALS: ReadonlyMap<Address, number> = new Map([...KNOWN_TOKENS].map(([mint, { decimals }]) => [mint, decimals]));

export const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Lamports charged for each required signature of a transaction. */
export const LAMPORTS_PER_SIGNATURE = 5_000n;

/** The maximum size of a legacy or v0 transaction, bytes. */
export const MAX_TRANSACTION_BYTES = 1_232;

/** The maximum size of a v1 transaction, bytes (SIMD-0385). */
export const MAX_V1_TRANSACTION_BYTES = 4_096;

/** The eight accounts that take Jito tips (docs.jito `getTipAccounts`). */
export const JITO_TIP_ACCOUNTS: readonly Address[] = [
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
  'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
  'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
  'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
  'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
  'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
].map(address);
