import assert from 'node:assert/strict';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { emptySnapshot, withParts } from '../../../src/portfolio/snapshot';
import { ServiceError } from '../../../src/service/errors';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { operationCommands } from '../../../src/ui/zap/zapCommands';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { fakeService, OWNER, pool } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

function infoOf({ poolType, protocol, token0, token1 }: Pool): PoolInfo {
  const facts = { marketCapUsd: undefined, fdvUsd: undefined, priceUsd: 1, organicScore: undefined, holders: undefined };
  return {
    ...{ poolType, protocol, amountX: undefined, amountY: undefined, activeBin: { binId: -350, price: 0.5 }, bins: [], feeStats: [] },
    tokens: [
      { ...token0, ...facts },
      { ...token1, ...facts },
    ],
    fees: { basePercent: 1, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
    statistics: {},
  };
}

/** A window that lists pool 1; the service knows pool 7 besides. */
function setUp(answers: readonly ScriptedAnswer[]) {
  const prompts = new ScriptedPrompts(answers);
  const begun: ZapInChoices[] = [];
  const snapshot = withParts(emptySnapshot(OWNER), { pools: [pool(1)] });
  const commands = operationCommands({
    prompts,
    portfolio: { snapshot, warnings: [], onDidChange: () => ({ dispose: () => undefined }) },
    busy: new BusyPositions(fail),
    owners: { active: () => ({ address: OWNER, canSign: true, origin: 'sandbox', hasPassphrase: false }) },
    service: () => SANDBOX,
    isInBrowser: false,
    waiting: { nowMs: () => 0, log: () => undefined },
    slippageBps: () => 100,
    connect: () =>
      Promise.resolve(
        fakeService({
          poolInfo: (address) => {
            const found = [pool(1), pool(7)].find((one) => one.address === address);
            return found === undefined
              ? Promise.reject(new ServiceError('no', { kind: 'notFound', endpoint: 'GET /pools/{id}/info' }))
              : Promise.resolve(infoOf(found));
          },
          tokenBalances: () =>
            Promise.resolve({
              items: [
                {
                  ...{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountText: '10', priceUsd: 100 },
                  amountRaw: 10n * LAMPORTS_PER_SOL,
                },
              ],
              warnings: [],
            }),
        }),
      ),
    runner: () =>
      Promise.resolve({
        zapOut: () => fail(new Error('Nothing is zapped out')),
        claim: () => fail(new Error('Nothing is claimed')),
        addLiquidity: () => fail(new Error('Nothing is added')),
        zapIn: (choices) => {
          begun.push(choices);
          return Promise.resolve({ kind: 'declined' });
        },
      }),
  });
  return { prompts, begun, zapIn: commands['binsight.zapIn'] };
}

const ANSWERS: readonly ScriptedAnswer[] = [{ pick: '9.9' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '1%' }];

describe('Zap In on a row', () => {
  for (const number of [1, 7]) {
    it(`Zap In starts on a pool that the list ${number === 1 ? 'has' : 'does not have, such as a favorite'}`, async () => {
      const { prompts, begun, zapIn } = setUp(ANSWERS);
      await zapIn({ kind: 'pool', address: pool(number).address });
      prompts.assertDone();
      assert.deepEqual(
        begun.map(({ target }) => [target.pool, target.pairName]),
        [[pool(number).address, `P${number}/SOL`]],
      );
    });
  }

  it('Zap In on a pool that the service does not know reports that, and asks nothing', async () => {
    const { prompts, zapIn } = setUp([]);
    await assert.rejects(zapIn({ kind: 'pool', address: pool(8).address }), ServiceError);
    prompts.assertDone();
  });
});
