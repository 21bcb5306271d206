import assert from 'node:assert/strict';
import { plan as planSchema } from '../../../src/protocol/pool';
import { ACTIVE_BIN, toolWorld } from '../../support/assistants/toolWorld';
import { addressOf, openPosition, OWNER, pool } from '../../support/portfolio/fixtures';

const POSITION = addressOf(1001);

describe('Tools of assistants: proposals', () => {
  it('A proposed zap-out names position, share, output and slippage, and tells that the user decides', async () => {
    const { ask, proposals } = toolWorld();
    const answer = await ask('binsight_propose_zap_out', {
      position: POSITION,
      sharePercent: 33.33,
      receive: 'both',
      maxSlippagePercent: 0.5,
    });
    await ask('binsight_propose_zap_out', { position: POSITION, sharePercent: 100 });
    assert.deepEqual(proposals, [
      { kind: 'zapOut', key: POSITION, shareBps: 3_333, output: 'both', slippageBps: 50 },
      { kind: 'zapOut', key: POSITION, shareBps: 10_000, output: 'allBaseToken', slippageBps: 150 },
    ]);
    assert.equal(answer['status'], 'shown');
    assert.match(String(answer['note']), /Nothing has been signed/);
  });

  it('A proposed zap-in is a plan as a panel makes it', async () => {
    const { ask, proposals } = toolWorld();
    await ask('binsight_propose_zap_in', { pool: pool(1).address, amountSol: 0.25, halfWidthBins: 10, strategy: 'Curve' });
    const [proposal] = proposals;
    assert.ok(proposal?.kind === 'zapIn');
    assert.equal(proposal.pool, pool(1).address);
    assert.deepEqual(planSchema.parse(proposal.plan), proposal.plan);
    assert.deepEqual(
      [proposal.plan.range, proposal.plan.activeBinId, proposal.plan.amountLamports, proposal.plan.slippageBps, proposal.plan.strategy],
      [{ fromBinId: ACTIVE_BIN - 10, toBinId: ACTIVE_BIN + 10 }, ACTIVE_BIN, '250000000', 150, 'Curve'],
    );
  });

  it('A rebalance is proposed only for a position with bins', async () => {
    const damm = openPosition(2, { poolType: 'dammV2', lowerBinId: undefined, upperBinId: undefined });
    const { ask, fail, proposals } = toolWorld({ positions: [openPosition(1), damm] });
    await ask('binsight_propose_rebalance', { position: POSITION });
    assert.match(String(await fail('binsight_propose_rebalance', { position: addressOf(1002) })), /cannot be rebalanced/);
    assert.deepEqual(proposals, [{ kind: 'rebalance', key: POSITION }]);
  });

  it('A claim is proposed for a position that may have something to claim, with a service that builds claims', async () => {
    const nothing = openPosition(2, { uncollectedFee0: 0, uncollectedFee1: 0 });
    const reward = { token: openPosition(1).token0, amount: 3, worth: { usd: undefined, native: undefined } };
    const rewarded = openPosition(4, { uncollectedFee0: 0, uncollectedFee1: 0, uncollectedRewards: [reward] });
    const { ask, fail, proposals } = toolWorld({ positions: [openPosition(1), nothing, openPosition(3, { poolType: 'other' }), rewarded] });
    await ask('binsight_propose_claim', { position: POSITION });
    await ask('binsight_propose_claim', { position: addressOf(1004) });
    assert.match(String(await fail('binsight_propose_claim', { position: addressOf(1002) })), /nothing to claim/);
    assert.match(String(await fail('binsight_propose_claim', { position: addressOf(1003) })), /nothing to claim/);
    assert.deepEqual(
      proposals,
      [POSITION, rewarded.key].map((key) => ({ kind: 'claim', key })),
    );
    const other = toolWorld({
      reads: { wallet: () => ({ service: 'x', isSandbox: false, owner: OWNER, canSign: true, canClaim: false }) },
    });
    assert.match(String(await other.fail('binsight_propose_claim', { position: POSITION })), /needs a Solana RPC or the sandbox/);
    assert.equal((await other.ask('binsight_positions'))['canClaim'], false);
    assert.deepEqual(other.proposals, []);
  });

  for (const [name, input] of [
    ['binsight_propose_zap_out', { position: POSITION, sharePercent: 100 }],
    ['binsight_propose_zap_in', { pool: pool(1).address, amountSol: 0.25, halfWidthBins: 10 }],
    ['binsight_propose_claim', { position: POSITION }],
    ['binsight_propose_rebalance', { position: POSITION }],
  ] as const) {
    it(`A call of ${name} that is cancelled while it reads shows nothing`, async () => {
      const { run, proposals } = toolWorld();
      const call = new AbortController();
      const running = run(name, input, call.signal);
      call.abort();
      const { isError, json } = await running;
      assert.ok(isError);
      assert.match(json, /canceled or took too long/);
      assert.deepEqual(proposals, []);
    });
  }

  it('Hostile proposals open nothing', async () => {
    const { fail, proposals } = toolWorld({ positions: [openPosition(1), openPosition(3, { poolType: 'other' })] });
    const address = pool(1).address;
    const hostile: readonly (readonly [string, unknown])[] = [
      // Of another wallet, or closed.
      ['binsight_propose_zap_out', { position: addressOf(7), sharePercent: 100 }],
      // Of a pool that the review cannot read.
      ['binsight_propose_zap_out', { position: addressOf(1003), sharePercent: 100 }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 0 }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 101 }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 50, maxSlippagePercent: 6 }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 50, isConfirmed: true }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 50, owner: addressOf(9) }],
      ['binsight_propose_zap_out', { position: POSITION, sharePercent: 50, receive: 'allToken0' }],
      ['binsight_propose_zap_in', { pool: address, amountSol: 0 }],
      ['binsight_propose_zap_in', { pool: address, amountSol: -1 }],
      ['binsight_propose_zap_in', { pool: address, amountSol: 1, maxSlippagePercent: 100 }],
      ['binsight_propose_zap_in', { pool: address, amountSol: 1, recipient: OWNER }],
      ['binsight_propose_claim', { position: addressOf(7) }],
      ['binsight_propose_claim', { position: POSITION, recipient: addressOf(9) }],
      ['binsight_propose_rebalance', { position: POSITION, sign: true }],
      ['binsight_propose_rebalance', { position: [POSITION] }],
    ];
    for (const [tool, input] of hostile) {
      assert.equal(typeof (await fail(tool, input)), 'string', `${tool} ${JSON.stringify(input)}`);
    }
    assert.deepEqual(proposals, []);
  });

  it('Nothing is proposed for a watch-only wallet, and a refusal of the window is passed on', async () => {
    const watched = toolWorld({
      reads: { wallet: () => ({ service: 'x', isSandbox: false, owner: OWNER, canSign: false, canClaim: true }) },
    });
    assert.match(String(await watched.fail('binsight_propose_rebalance', { position: POSITION })), /watch-only/);
    assert.deepEqual(watched.proposals, []);
    const busy = toolWorld({ answer: { kind: 'refused', reason: 'Wait for the user.' } });
    assert.equal(await busy.fail('binsight_propose_rebalance', { position: POSITION }), 'Wait for the user.');
  });
});
