import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { lamportsToSol } from '../../../src/base/solana/amounts';
import { DEFAULT_POLICY } from '../../../src/review/policy';
import type { BoundedSetting, SettingValue } from '../../../src/settings/settingTypes';
import { readArguments } from '../../../src/chain/arguments';
import { apiVariables } from '../../../src/ui/shell/settings/localService';
import { readerOf, reviewPolicy, type SettingReading, whenFaulty } from '../../../src/ui/shell/settings/values';
import { addressOf } from '../../support/portfolio/fixtures';
import { DECLARED_SETTINGS } from '../../support/settings/declaredSettings';

describe('A setting', () => {
  for (const { id, declaration, accepted, rejected } of DECLARED_SETTINGS) {
    it(`${id} takes every value within its declared bounds as it is`, () => {
      for (const raw of accepted) {
        const reading: SettingReading<unknown> = readerOf(id)(raw);
        assert.ok(reading.ok && reading.leftOut === undefined, String(raw));
        assert.deepEqual(typeof reading.value === 'bigint' ? Number(lamportsToSol(reading.value)) : reading.value, raw);
      }
    });

    it(`${id} refuses every other value, and says what it expects`, () => {
      const expected = {
        switch: /^true \/ false, not /,
        choice: /^\w+( \/ \w+)+, not /,
        integer: /^-?\d+–\d+ [A-Za-z ]+, not /,
        number: /^-?\d+–\d+ [A-Za-z ]+, not /,
        sol: /^0–[\d.]+ SOL, not /,
        addresses: /^a list of Solana addresses, not /,
        api: /^$/,
        line: /^a line of at most \d+ characters, not …$/,
        text: /^$/,
      }[declaration.kind];
      for (const raw of rejected) {
        const reading: SettingReading<unknown> = readerOf(id)(raw);
        assert.ok(!reading.ok, String(raw));
        const says = `${reading.expected}, not ${reading.found}`;
        assert.match(says, expected);
        assert.doesNotMatch(says, /S3cret/);
      }
    });
  }

  it('The message about an invalid setting shortens a long value', () => {
    const reading = readerOf('binsight.currency')('x'.repeat(1_000));
    assert.ok(!reading.ok && reading.found.length < 200);
  });
});

describe('The APIs of the local service', () => {
  it('The local service gets the address of every API, or that there is none, where other users cannot read it', () => {
    assert.deepEqual(apiVariables({ jito: 'https://jito.example.org' }, true), {
      BINSIGHT_DATA_API_URL: '',
      BINSIGHT_PRICE_API_URL: 'none',
      BINSIGHT_SWAP_API_URL: 'none',
      BINSIGHT_JITO_URL: 'https://jito.example.org',
    });
    assert.equal(apiVariables({}, false)['BINSIGHT_DATA_API_URL'], 'none');
    assert.equal(apiVariables({ dataApi: 'https://data.example.org' }, false)['BINSIGHT_DATA_API_URL'], 'https://data.example.org');
  });

  it('The local service understands them', () => {
    const read = (usesPublicData: boolean) =>
      readArguments([], { BINSIGHT_RPC_URL: 'https://rpc.example.org', ...apiVariables({}, usesPublicData) });
    assert.equal(read(true)?.dataApi, 'https://dlmm.datapi.meteora.ag');
    assert.deepEqual(
      (['dataApi', 'dammDataApi', 'discoveryApi', 'priceApi', 'swapApi', 'jito'] as const).map((api) => read(false)?.[api]),
      Array.from({ length: 6 }, () => undefined),
    );
  });
});

describe('A cap in SOL', () => {
  const read = readerOf('binsight.review.costCapSol');

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
      fc.property(fc.bigInt({ min: 0n, max: DEFAULT_POLICY.tipBlockLamports }), (lamports) => {
        assert.deepEqual(read(Number(lamportsToSol(lamports))), { ok: true, value: lamports });
      }),
    );
  });

  it('No tip and no fee above the fixed limit of the review can be allowed by a setting', () => {
    for (const most of [DEFAULT_POLICY.tipBlockLamports, DEFAULT_POLICY.feeBlockLamports]) {
      assert.deepEqual(read(Number(lamportsToSol(most))), { ok: true, value: most });
      assert.ok(!read(Number(lamportsToSol(most + 1n))).ok);
    }
  });
});

describe('A list of addresses', () => {
  const read = readerOf('binsight.review.trustedPrograms');
  const [ONE, OTHER] = [addressOf(1), addressOf(2)];

  it('A list of addresses contains each address once', () => {
    assert.deepEqual(read([]), { ok: true, value: [] });
    assert.deepEqual(read([ONE, ` ${OTHER} `, ONE]), { ok: true, value: [ONE, OTHER] });
  });

  it('A list of addresses leaves out and names entries that are no addresses', () => {
    const reading = read([ONE, 'nonsense', 7, null, `${OTHER}0`]);
    assert.ok(reading.ok);
    assert.deepEqual(reading.value, [ONE]);
    assert.match(reading.leftOut ?? '', /^#2 \("nonsense"\), #3 \(7\), #4 \(null\), …$/);
  });

  it('The message about a list does not quote a key that was pasted by mistake', () => {
    const key = '5'.repeat(88);
    const reading = read([key]);
    assert.ok(reading.ok && reading.leftOut !== undefined);
    assert.ok(!reading.leftOut.includes(key.slice(0, 13)));
  });

  it('A list of addresses has a maximum length', () => {
    const reading = read(Array.from({ length: 55 }, (_, place) => addressOf(place)));
    assert.ok(reading.ok && reading.value.length === 50 && /^#51–55 \(> 50\)$/.test(reading.leftOut ?? ''));
  });
});

describe('The settings of the review', () => {
  const raws: Readonly<Record<string, unknown>> = {
    'binsight.review.costCapSol': 0.02,
    'binsight.review.trustedPrograms': [addressOf(1)],
    'binsight.review.feeRecipients': [addressOf(2), 'x'],
    'binsight.review.feeRecipientCapSol': 0.1,
  };
  const settingsWith = (found: Readonly<Record<string, unknown>>) => ({
    get: <Id extends BoundedSetting>(id: Id): SettingValue<Id> => {
      const reading = readerOf(id)(found[id]);
      return reading.ok ? reading.value : (whenFaulty()[id]?.value ?? assert.fail(id));
    },
  });

  it('The review settings change only their own limits', () => {
    assert.deepEqual(reviewPolicy(settingsWith(raws)), {
      tipAllowLamports: 20_000_000n,
      feeAllowLamports: 20_000_000n,
      trustedPrograms: [addressOf(1)],
      feeRecipients: [addressOf(2)],
      feeRecipientCapLamports: 100_000_000n,
    });
  });

  it('Invalid review settings are never laxer than the defaults', () => {
    const policy = {
      ...DEFAULT_POLICY,
      ...reviewPolicy(
        settingsWith({
          'binsight.review.costCapSol': 5,
          'binsight.review.trustedPrograms': addressOf(1),
          'binsight.review.feeRecipients': 7,
          'binsight.review.feeRecipientCapSol': -1,
        }),
      ),
    };
    assert.deepEqual([policy.tipAllowLamports, policy.feeAllowLamports, policy.feeRecipientCapLamports], [0n, 0n, 0n]);
    assert.deepEqual([policy.trustedPrograms, policy.feeRecipients], [[], []]);
    assert.deepEqual([policy.tipBlockLamports, policy.feeBlockLamports], [50_000_000n, 50_000_000n]);
  });

  it('An invalid setting that protects money or privacy takes its strictest value', () => {
    const strict = DECLARED_SETTINGS.filter(({ declaration }) => declaration.strictWhenFaulty === true).map(({ id }) => id);
    // Public data tells third parties which pools are looked at.
    const guarding = DECLARED_SETTINGS.filter(({ id }) => /\.(review|wallet)\.|^binsight\.solanaRpc\.publicData$/.test(id)).map(
      ({ id }) => id,
    );
    assert.deepEqual(strict, guarding);
    assert.deepEqual(Object.keys(whenFaulty()).sort(), [...guarding].sort());
  });
});
