import type * as z from 'zod';
import { parseAddress, type Address } from '../../solana/address';
import type { BinLiquidity, PoolInfo, TokenFacts } from '../records/pool';
import { hasFields } from './envelope';
import { readRecord, readRecords, type FieldPath, type ParseContext } from './reading';
import { decimal, entries, group, integer, label, needed, solanaAddress, tokenDecimals, wireRecord } from './scalars';
import { poolTypeOf, tokenFrom } from './token';

const poolInfoRecord = wireRecord({
  type: label,
  tokenInfo: entries,
  amountX: decimal,
  amountY: decimal,
  feeInfo: group({ baseFeeRatePercentage: decimal, maxFeeRatePercentage: decimal, protocolFeePercentage: decimal, dynamicFee: decimal }),
  liquidityViz: group({ activeBin: group({ binId: integer, price: decimal, pricePerToken: decimal }), bins: entries }),
});

const binRecord = wireRecord({ binId: needed(integer), xAmount: decimal, yAmount: decimal, price: decimal, pricePerToken: decimal });

const tokenRecord = wireRecord({
  id: solanaAddress,
  name: label,
  symbol: label,
  decimals: tokenDecimals,
  mcap: decimal,
  fdv: decimal,
  usdPrice: decimal,
  organicScore: decimal,
  holderCount: integer,
});

/** The names under which the two programs' pool accounts carry their mints, in the two usual spellings. */
const MINT_FIELDS = {
  x: ['tokenXMint', 'token_x_mint', 'tokenAMint', 'token_a_mint'],
  y: ['tokenYMint', 'token_y_mint', 'tokenBMint', 'token_b_mint'],
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the details of a pool (spec §2.4). @returns `undefined` where they cannot be read. */
export function readPoolInfo(raw: unknown, path: string, reading: ParseContext): PoolInfo | undefined {
  const wire = readRecord(poolInfoRecord, raw, path, reading);
  if (wire === undefined || !hasFields(raw)) {
    return undefined;
  }
  const poolState = fieldsIn(raw.poolState);
  const tokens = inPoolOrder(readTokens(wire.tokenInfo ?? [], `${path}.tokenInfo`, reading), poolState);
  const perToken = pricePerToken(tokens);
  const active = wire.liquidityViz?.activeBin;
  return {
    poolType: poolTypeOf(wire.type) ?? (wire.liquidityViz ? 'dlmm' : 'other'),
    protocol: wire.type,
    tokens,
    amountX: wire.amountX,
    amountY: wire.amountY,
    fees: {
      basePercent: wire.feeInfo?.baseFeeRatePercentage,
      maxPercent: wire.feeInfo?.maxFeeRatePercentage,
      protocolPercent: wire.feeInfo?.protocolFeePercentage,
      dynamicPercent: wire.feeInfo?.dynamicFee,
    },
    activeBin: active?.binId === undefined ? undefined : { binId: active.binId, price: perToken(active) },
    bins: readRecords(binRecord, wire.liquidityViz?.bins ?? [], `${path}.liquidityViz.bins`, reading, (bin): BinLiquidity => ({
      binId: bin.binId,
      amountX: bin.xAmount ?? 0,
      amountY: bin.yAmount ?? 0,
      price: perToken(bin),
    })).sort((one, other) => one.binId - other.binId),
    feeStats: Array.isArray(raw.feeStats) ? raw.feeStats.filter(hasFields) : [],
    poolStats: fieldsIn(raw.poolStats),
    poolState,
    poolDb: fieldsIn(raw.poolDb),
  };
}

/**
 * `tokenInfo` holds one result for each token, whose `data` is a list with the token, or the token itself; or the first result
 * holds both tokens and the second is an error.
 */
function readTokens(results: readonly unknown[], path: string, reading: ParseContext): TokenFacts[] {
  return results.flatMap((result, index) => {
    const data = hasFields(result) && 'data' in result ? result.data : result;
    const list = Array.isArray(data) ? data : hasFields(data) ? [data] : [];
    return readRecords(tokenRecord, list, `${path}[${index}].data`, reading, toTokenFacts);
  });
}

function toTokenFacts(wire: z.output<typeof tokenRecord>, place: FieldPath): TokenFacts | undefined {
  if (wire.id === undefined && wire.symbol === undefined) {
    place.oddities.add(place.path, 'left out: nothing in it says which token it is');
    return undefined;
  }
  return {
    ...tokenFrom({ address: wire.id, symbol: wire.symbol, name: wire.name, decimals: wire.decimals }),
    marketCapUsd: wire.mcap,
    fdvUsd: wire.fdv,
    priceUsd: wire.usdPrice,
    organicScore: wire.organicScore,
    holders: wire.holderCount,
  };
}

/** Puts the tokens in the order of the pool account's mints, where it names them; a token without facts is named by its mint. */
function inPoolOrder(tokens: readonly TokenFacts[], poolState: Fields): readonly TokenFacts[] {
  const x = mintIn(poolState, MINT_FIELDS.x);
  const y = mintIn(poolState, MINT_FIELDS.y);
  if (x === undefined || y === undefined) {
    return tokens;
  }
  return [x, y].map((mint) => tokens.find(({ address }) => address === mint) ?? withoutFacts(mint));
}

function withoutFacts(mint: Address): TokenFacts {
  const token = tokenFrom({ address: mint, symbol: undefined, name: undefined, decimals: undefined });
  return { ...token, marketCapUsd: undefined, fdvUsd: undefined, priceUsd: undefined, organicScore: undefined, holders: undefined };
}

function mintIn(poolState: Fields, names: readonly string[]): Address | undefined {
  const text = names.map((name) => poolState[name]).find((value) => typeof value === 'string');
  return typeof text === 'string' ? parseAddress(text) : undefined;
}

/**
 * `pricePerToken` is token1 for one token0 in whole tokens; `price` is the same in smallest units, so it takes the difference of
 * the decimals (guides: dlmm.md).
 */
function pricePerToken([x, y]: readonly TokenFacts[]): (bin: { readonly price?: number | undefined; readonly pricePerToken?: number | undefined }) => number | undefined {
  const exponent = x?.decimals === undefined || y?.decimals === undefined ? undefined : x.decimals - y.decimals;
  return (bin) => bin.pricePerToken ?? (bin.price === undefined || exponent === undefined ? undefined : bin.price * 10 ** exponent);
}

function fieldsIn(value: unknown): Fields {
  return hasFields(value) ? value : {};
}
