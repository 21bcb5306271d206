import type { WireDataPool, WireDataToken } from './dataApiServer';

export const SOL = 'So11111111111111111111111111111111111111112';

const HOURS = 3_600;
/** 1 November 2026, seconds since 1970. */
export const NOVEMBER_S = 1_793_491_200;

const windows = (day: number): Readonly<Record<string, number>> => ({
  '30m': day / 48,
  '1h': day / 24,
  '2h': day / 12,
  '4h': day / 6,
  '12h': day / 2,
  '24h': day,
});

/** A token of the data API. */
export function dataToken(address: string, symbol: string, over: Partial<WireDataToken> = {}): WireDataToken {
  return {
    ...{ address, symbol, name: `${symbol} token`, decimals: 9, is_verified: true, holders: 1_000, freeze_authority_disabled: true },
    ...{ total_supply: 1_000_000, price: 2, market_cap: 1_500_000 },
    ...over,
  };
}

/** A pool of the data API with SOL as token Y; `place` makes its figures differ from those of others. */
export function dataPool(address: string, place: number, over: Partial<WireDataPool> = {}): WireDataPool {
  const x = dataToken(mintOf(place), `T${place}`, { market_cap: 1_000_000 * ((place * 7) % 10) + 1, price: place + 1 });
  return {
    ...{ address, name: `T${place}-SOL`, token_x: x, token_y: dataToken(SOL, 'SOL', { price: 150 }) },
    ...{ reserve_x: mintOf(place), reserve_y: mintOf(place), token_x_amount: 10 * place, token_y_amount: 5 * place },
    ...{ created_at: NOVEMBER_S - place * HOURS, reward_mint_x: SOL, reward_mint_y: SOL },
    pool_config: {
      bin_step: 10 * (place + 1),
      base_fee_pct: 0.2 * (place + 1),
      max_fee_pct: 10,
      protocol_fee_pct: 10,
      collect_fee_mode: 0,
    },
    ...{ dynamic_fee_pct: 0.2 * (place + 1) + ((place * 3) % 7) / 10, tvl: 1_000 * ((place * 3) % 11), current_price: 0.01 },
    ...{ apr: 0.1, apy: 0.1, has_farm: false, farm_apr: 0, farm_apy: 0 },
    ...{ volume: windows(2_400 * place), fees: windows(24 * place), protocol_fees: windows(place), fee_tvl_ratio: windows(place) },
    ...{ cumulative_metrics: { volume: 1, fees: 1 }, is_blacklisted: false, tags: [] },
    ...over,
  };
}

/** A pool of the data API of DAMM v2, with the figures of a {@link dataPool}. */
export function dammDataPool(address: string, place: number, over: Partial<WireDataPool> = {}): WireDataPool {
  const { pool_config: config, ...pool } = dataPool(address, place);
  const onlyDlmm = ['reserve_x', 'reserve_y', 'reward_mint_x', 'reward_mint_y', 'dynamic_fee_pct', 'apr', 'apy', 'cumulative_metrics'];
  return {
    ...pool,
    ...Object.fromEntries(onlyDlmm.map((name) => [name, undefined])),
    pool_config: {
      ...{ base_fee_pct: config.base_fee_pct, base_fee_mode: 0, collect_fee_mode: 0, protocol_fee_pct: 20, partner_fee_pct: 0 },
      ...{ referral_fee_pct: 0, dynamic_fee_initialized: true, pool_type: 0, concentrated_liquidity: false, min_price: 0, max_price: 1e9 },
      ...{ activation_type: 0, activation_point: 0 },
    },
    ...{ vault_x: SOL, vault_y: SOL, alpha_vault: SOL, permanent_lock_liquidity: 0, vested_liquidity: { months_3: 0, months_6: 0 } },
    ...over,
  };
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A mint address, different for each number below 33 * 33. */
export function mintOf(place: number): string {
  const [high = '1', low = '1'] = [DIGITS[Math.floor(place / DIGITS.length)], DIGITS[place % DIGITS.length]];
  return `Mint${high}${low}${'m'.repeat(37)}`;
}

/** A pool address, different for each number below 33 * 33. */
export function poolAddressOf(place: number): string {
  return mintOf(place).replace('Mint', 'Poo2');
}
