import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import type { Plan } from '../../src/protocol/pool';
import { parseDecimal } from '../../src/base/solana/amounts';
import { answering, askSandbox, commandEnding, openAddresses, readExtension, solBalance, solPool } from '../support/editor/inspect';

const COMMAND = 'binsight.continuePlan';

describe('Continuing a plan of a panel', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  const pool = () => solPool(inspection);

  async function planned(
    part: (activeBinId: number) => Partial<Plan> = () => ({}),
  ): Promise<{ readonly kind: 'plan'; readonly pool: string; readonly plan: Plan }> {
    const info = await askSandbox(inspection, `/pools/${pool().address}/info`);
    const activeBinId = (info['data'] as { liquidityViz: { activeBin: { binId: number } } }).liquidityViz.activeBin.binId;
    const plan: Plan = {
      range: { fromBinId: activeBinId - 12, toBinId: activeBinId + 15 },
      activeBinId,
      strategy: 'Curve',
      amountLamports: '300000000',
      percentX: 0.45,
      slippageBps: 300,
      ...part(activeBinId),
    };
    return { kind: 'plan', pool: pool().address, plan };
  }

  it('A panel’s plan is reviewed and approved by one question, and the new position has the planned range', async () => {
    const before = await openAddresses(inspection);
    const argument = await planned();
    const { asked } = await commandEnding(
      inspection,
      COMMAND,
      inspection.panelPlans.announced(argument),
      [{ press: 'Sign and Send' }],
      /^Zap .+ into .+: done\. Value: about \$/,
    );
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['confirm'],
    );
    assert.match(asked[0]?.title ?? '', /^Zap 0\.3 SOL into .+\?$/);
    assert.match(asked[0]?.text ?? '', /^You get: a Curve position, \S+ to \S+ \S+ per \S+ \(−[\d.]+% to \+[\d.]+%\); /m);
    assert.match(asked[0]?.text ?? '', /You pay: at most .+ SOL/);
    const fresh = (await openAddresses(inspection)).filter((address) => !before.includes(address));
    assert.equal(fresh.length, 1);
    const position = inspection.portfolio.snapshot.positions.find(({ address }) => address === fresh[0]);
    assert.deepEqual(
      [position?.lowerBinId, position?.upperBinId, position?.pool],
      [argument.plan.range?.fromBinId, argument.plan.range?.toBinId, pool().address],
    );
  });

  it('A panel’s plan that the wallet cannot pay is changed in the panel, which has all of it again', async () => {
    const before = await openAddresses(inspection);
    const argument = await planned(() => ({ amountLamports: '9'.repeat(15) }));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { asked } = await answering(inspection, [{ press: 'Change…' }], async () => {
      await vscode.commands.executeCommand(COMMAND, inspection.panelPlans.announced(argument));
    });
    assert.match(asked[0]?.title ?? '', /^Zap (999999|999,999)\.999999999 SOL into /);
    assert.equal(inspection.panels.activePool, pool().address);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(await openAddresses(inspection), before);
  });

  it('The question says that the price has left the planned range, and the zap-in is one-sided', async () => {
    const argument = await planned((active) => ({
      range: { fromBinId: active + 5, toBinId: active + 25 },
      activeBinId: active + 10,
      percentX: 0.5,
    }));
    const { asked } = await commandEnding(
      inspection,
      COMMAND,
      inspection.panelPlans.announced(argument),
      [{ press: 'Sign and Send' }],
      /^Zap .+ into .+: done\. .+ out of range/,
    );
    assert.match(asked[0]?.text ?? '', /^The price has moved since you planned: .+ It is now outside the range\.\nAbove the price: /);
  });

  it('A plan that does not come from a panel, such as one of another extension, is asked about as a proposal', async () => {
    const before = await openAddresses(inspection);
    const argument = await planned();
    for (const forged of [argument, { ...argument, panelId: 'guessed' }, { ...argument, isProposal: false }]) {
      const { asked } = await answering(inspection, [{ press: 'Decline' }], async () => {
        await vscode.commands.executeCommand(COMMAND, forged);
      });
      assert.match(asked[0]?.title ?? '', /^Proposed by an assistant: /);
    }
    assert.deepEqual(await openAddresses(inspection), before);
  });

  it('A cancelled or invalid plan changes nothing', async () => {
    const [before, balance] = [await openAddresses(inspection), await solBalance(inspection)];
    const argument = await planned();
    await commandEnding(inspection, COMMAND, inspection.panelPlans.announced(argument), ['escape'], /canceled\. Nothing was signed/);
    const lamports = parseDecimal(balance, 9) ?? 0n;
    const prompts = await answering(inspection, ['escape'], async () => {
      const costly = { ...argument, plan: { ...argument.plan, amountLamports: lamports.toString() } };
      await vscode.commands.executeCommand(COMMAND, inspection.panelPlans.announced(costly));
    });
    assert.deepEqual(prompts.asked[0]?.shown, ['Change…']);
    const { plan } = argument;
    const hostile: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /This plan cannot be used/],
      [{ kind: 'plan', pool: 'nowhere', plan }, /This plan cannot be used/],
      [{ kind: 'pool', pool: { address: pool().address } }, /This plan cannot be used/],
      [{ ...argument, plan: undefined }, /plan cannot be used/],
      [{ ...argument, plan: { ...plan, amountLamports: '-5' } }, /plan cannot be used/],
      [{ ...argument, plan: { ...plan, percentX: 2 } }, /plan cannot be used/],
      [{ ...argument, plan: { ...plan, slippageBps: 10_001 } }, /plan cannot be used/],
      [{ ...argument, plan: { ...plan, range: { fromBinId: 5, toBinId: -5 } } }, /This plan cannot be used/],
      [{ ...argument, plan: { ...plan, range: { fromBinId: -5_000, toBinId: 5_000 } } }, /This plan cannot be used/],
      [{ ...argument, plan: { ...plan, amountLamports: '0' } }, /plan cannot be used/],
      // An address of no pool.
      [{ ...argument, pool: 'So11111111111111111111111111111111111111112' }, /./],
    ];
    for (const [one, words] of hostile) {
      await commandEnding(inspection, COMMAND, one, [], words);
    }
    assert.deepEqual(await openAddresses(inspection), before);
    assert.equal(await solBalance(inspection), balance);
  });
});
