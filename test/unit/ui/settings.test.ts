import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { lamportsToSol } from '../../../src/base/solana/amounts';
import { DEFAULT_POLICY } from '../../../src/review/policy';
import { SETTING } from '../../../src/ui/shell/names';
import {
  type BoundedSetting,
  MOST_ADDRESSES,
  MOST_CAP_LAMPORTS,
  READ,
  reviewPolicy,
  type ValueOf,
  whenFaulty,
} from '../../../src/ui/shell/settings/values';
import { localServiceArguments } from '../../../src/ui/shell/settings/localService';
import { addressOf } from '../../support/portfolio/fixtures';

const READINGS: Readonly<Record<BoundedSetting, (raw: unknown) => { readonly ok: boolean }>> = READ;

describe('A setting', () => {
  const cases = [
    [SETTING.refreshIntervalSeconds, [15, 60, 3600], [14, 3601, 60.5, '60', null, undefined, NaN]],
    [SETTING.slippageBps, [0, 100, 10_000], [-1, 10_001, 0.5, '100', true]],
    [SETTING.poolsSortBy, ['tvl', 'vol_24h', 'fee_tvl_ratio'], ['TVL', '', 7, {}]],
    [SETTING.statusBarCurrency, ['usd', 'sol'], ['eur', 'USD', undefined]],
    [SETTING.simulate, [true, false], ['true', 1, null]],
    [SETTING.strictWithoutRpc, [true, false], ['false', 0, undefined]],
    [SETTING.unlockMinutes, [1, 15, 1440], [0, 1441, 1.5, '15']],
    [SETTING.solanaRequestsPerSecond, [1, 8, 1000], [0, 1001, 2.5, '8']],
  ] as const;

  for (const [key, right, wrong] of cases) {
    it(`The setting ${key} accepts values within its bounds`, () => {
      for (const raw of right) {
        assert.deepEqual(READ[key](raw), { ok: true, value: raw });
      }
    });

    it(`The setting ${key} rejects other values and states what it found and what it expects`, () => {
      for (const raw of wrong) {
        const reading = READ[key](raw);
        assert.equal(reading.ok, false);
        assert.match(reading.message, /must be (a whole number from .+|one of .+|true or false), not .+/);
      }
    });
  }

  it('The template of the status bar is one short line', () => {
    const read = READ[SETTING.statusBarTemplate];
    assert.deepEqual(read('{pnl}'), { ok: true, value: '{pnl}' });
    for (const raw of ['x'.repeat(201), 'two\nlines', 7, null]) {
      assert.ok(!read(raw).ok);
    }
  });

  it('The message about an invalid setting shortens a long value', () => {
    const reading = READ[SETTING.poolsSortBy]('x'.repeat(1_000));
    assert.ok(!reading.ok && reading.message.length < 200);
  });
});

describe('The APIs of the local service', () => {
  const read = READ[SETTING.solanaSwapApi];

  it('The address of an API is normalized, and an empty one means none', () => {
    assert.deepEqual(read(' https://api.example.org/swap/ '), { ok: true, value: 'https://api.example.org/swap' });
    assert.deepEqual(read('  '), { ok: true, value: '' });
  });

  it('An address that is not safe or contains a key is refused without being quoted', () => {
    for (const raw of ['http://api.example.org', 'https://me:S3cret@example.org', 'https://example.org/?key=S3cret', 'S3cret', 7, null]) {
      const reading = read(raw);
      assert.ok(!reading.ok, String(raw));
      assert.doesNotMatch(reading.message, /S3cret/);
    }
    assert.equal(whenFaulty()[SETTING.solanaDataApi]?.value, '', 'the default would be asked against the will of the user');
  });

  it('The local service gets the address of every API, or that there is none', () => {
    const values: Readonly<Record<string, unknown>> = {
      [SETTING.solanaRequestsPerSecond]: 20,
      [SETTING.solanaDataApi]: 'https://data.example.org',
      [SETTING.solanaPriceApi]: '',
      [SETTING.solanaSwapApi]: '',
      [SETTING.solanaJito]: 'https://jito.example.org',
    };
    const settings = { get: <Key extends BoundedSetting>(key: Key) => values[key] as ValueOf<Key> };
    assert.equal(
      localServiceArguments(settings).join(' '),
      '--rpc-rps 20 --data-api https://data.example.org --price-api none --swap-api none --jito https://jito.example.org',
    );
  });
});

describe('A cap in SOL', () => {
  const read = READ[SETTING.tipCapSol];

  it('An amount of SOL in a setting becomes exact lamports', () => {
    for (const [raw, lamports] of [
      [0, 0n],
      [0.01, 10_000_000n],
      [0.05, 50_000_000n],
      [1e-9, 1n],
      [0.049999999, 49_999_999n],
      [0.000000123, 123n],
    ] as const) {
      assert.deepEqual(read(raw), { ok: true, value: lamports });
    }
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MOST_CAP_LAMPORTS }), (lamports) => {
        assert.deepEqual(read(Number(lamportsToSol(lamports))), { ok: true, value: lamports });
      }),
    );
  });

  it('A cap is rejected if it is negative, above the review’s fixed limit, or no amount of SOL', () => {
    for (const raw of [-0.01, -1e-9, 0.0500000001, 0.051, 1, 1e21, Infinity, NaN, 1e-10, 0.0123456789, '0.01', null, undefined, [], true]) {
      const reading = read(raw);
      assert.ok(
        !reading.ok && reading.message.startsWith('must be an amount of SOL from 0 to 0.05 with at most 9 decimals, not '),
        String(raw),
      );
    }
    assert.equal(MOST_CAP_LAMPORTS, DEFAULT_POLICY.tipBlockLamports);
    assert.equal(MOST_CAP_LAMPORTS, DEFAULT_POLICY.feeBlockLamports);
  });

  it('The cap for fee recipients can be up to 1 SOL', () => {
    assert.deepEqual(READ[SETTING.feeRecipientCapSol](1), { ok: true, value: 1_000_000_000n });
    assert.equal(READ[SETTING.feeRecipientCapSol](1.000000001).ok, false);
  });
});

describe('A list of addresses', () => {
  const read = READ[SETTING.trustedPrograms];
  const [ONE, OTHER] = [addressOf(1), addressOf(2)];

  it('A list of addresses contains each address once', () => {
    assert.deepEqual(read([]), { ok: true, value: [] });
    assert.deepEqual(read([ONE, ` ${OTHER} `, ONE]), { ok: true, value: [ONE, OTHER] });
  });

  it('A list of addresses leaves out and names entries that are no addresses', () => {
    const reading = read([ONE, 'nonsense', 7, null, `${OTHER}0`]);
    assert.ok(reading.ok);
    assert.deepEqual(reading.value, [ONE]);
    assert.match(reading.leftOut ?? '', /^entry 2 \("nonsense"\), entry 3 \(7\), entry 4 \(null\) and 1 more are not Solana addresses$/);
  });

  it('The message about a list does not quote a key that was pasted by mistake', () => {
    const key = '5'.repeat(88);
    const reading = read([key]);
    assert.ok(reading.ok && reading.leftOut !== undefined);
    assert.ok(!reading.leftOut.includes(key.slice(0, 13)));
  });

  it('A list of addresses has a maximum length', () => {
    const reading = read(Array.from({ length: MOST_ADDRESSES + 5 }, (_, place) => addressOf(place)));
    assert.ok(
      reading.ok && reading.value.length === MOST_ADDRESSES && /only the first 50 of 55 entries are used/.test(reading.leftOut ?? ''),
    );
  });

  it('A setting for addresses rejects anything but a list', () => {
    for (const raw of [ONE, null, undefined, { 0: ONE }, 5]) {
      assert.equal(read(raw).ok, false);
    }
  });
});

describe('The settings of the review', () => {
  const raws: Readonly<Record<string, unknown>> = {
    [SETTING.tipCapSol]: 0.02,
    [SETTING.priorityFeeCapSol]: 0.003,
    [SETTING.trustedPrograms]: [addressOf(1)],
    [SETTING.feeRecipients]: [addressOf(2), 'x'],
    [SETTING.feeRecipientCapSol]: 0.1,
    [SETTING.strictWithoutRpc]: true,
  };
  const readerOf = (found: Readonly<Record<string, unknown>>) => ({
    get: <Key extends BoundedSetting>(key: Key): ValueOf<Key> => {
      const reading = READ[key](found[key]);
      return (reading.ok ? reading.value : whenFaulty()[key]?.value) as ValueOf<Key>;
    },
  });

  it('The review settings change only their own limits', () => {
    assert.deepEqual(reviewPolicy(readerOf(raws)), {
      tipAllowLamports: 20_000_000n,
      feeAllowLamports: 3_000_000n,
      trustedPrograms: [addressOf(1)],
      feeRecipients: [addressOf(2)],
      feeRecipientCapLamports: 100_000_000n,
      isStrictWithoutRpc: true,
    });
  });

  it('Invalid review settings are never laxer than the defaults', () => {
    const policy = {
      ...DEFAULT_POLICY,
      ...reviewPolicy(
        readerOf({
          [SETTING.tipCapSol]: 5,
          [SETTING.priorityFeeCapSol]: '0.04',
          [SETTING.trustedPrograms]: addressOf(1),
          [SETTING.feeRecipients]: 7,
          [SETTING.feeRecipientCapSol]: -1,
          [SETTING.strictWithoutRpc]: 'yes',
        }),
      ),
    };
    assert.deepEqual([policy.tipAllowLamports, policy.feeAllowLamports, policy.feeRecipientCapLamports], [0n, 0n, 0n]);
    assert.deepEqual([policy.trustedPrograms, policy.feeRecipients, policy.isStrictWithoutRpc], [[], [], true]);
    assert.deepEqual([policy.tipBlockLamports, policy.feeBlockLamports], [50_000_000n, 50_000_000n]);
  });

  it('An invalid setting that protects money or privacy takes its strictest value', () => {
    for (const key of Object.keys(READ) as BoundedSetting[]) {
      // The default of the data API tells a third party which pools are looked at.
      const guards = /\.(review|wallet)\./.test(key) || key === SETTING.solanaDataApi;
      assert.equal(key in whenFaulty(), guards, key);
      assert.equal(READINGS[key](Symbol('neither')).ok, false);
    }
  });
});
