import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Inspection } from '../../src/ui/services';
import { answering, askSandbox, commandEnding, readExtension, refresh, sandboxOf, setFaults, solPool } from '../support/editor/inspect';

const Balances = z.array(z.object({ address: z.string(), rawBalance: z.string(), rawWrappedBalance: z.string().optional() }));

describe('Rows of the Wallet view', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
    await refresh(inspection);
  });

  /** A row as the view passes it to its commands. */
  const row = (mint: string) => ({ kind: 'account', address: mint });
  const balances = async (): Promise<z.output<typeof Balances>> =>
    Balances.parse((await askSandbox(inspection, `/token/balance?owner=${sandboxOf(inspection).owner}`))['data']);
  const held = async (mint: string): Promise<bigint> =>
    BigInt((await balances()).find(({ address }) => address === mint)?.rawBalance ?? '0');
  const wrapped = async (): Promise<bigint> =>
    BigInt((await balances()).find(({ address }) => address === WRAPPED_SOL_MINT)?.rawWrappedBalance ?? '0');

  it('Swap to SOL on the row of a token asks how much and once for the signature, sells exactly that, and says what changed in the wallet', async () => {
    const [token] = (await balances()).filter(
      ({ address, rawBalance }) => address !== WRAPPED_SOL_MINT && BigInt(rawBalance) > 10_000_000n,
    );
    const mint = token?.address ?? assert.fail('The wallet has no tokens');
    const before = await held(mint);
    const { asked } = await commandEnding(
      inspection,
      'binsight.swapToSol',
      row(mint),
      [{ pick: 'Other…' }, { type: '1' }, { press: 'Sign and Send' }],
      /^Swap 1 \S+ to SOL: done\. Change in your wallet, with fees and rent: −/,
    );
    assert.match(asked.at(-1)?.title ?? '', /^Swap 1 \S+ to SOL\?$/);
    assert.match(asked.at(-1)?.text ?? '', /^You pay: at most 1 [^]+You get: [^]+Costs: at most [^]+Goes to: only you, tip$/m);
    const sold = before - (await held(mint));
    assert.match(String(sold), /^10+$/, 'one whole token');
  });

  it('Unwrap SOL on the row of SOL turns what a half-done zap-in left wrapped into SOL, and has nothing to do afterwards', async () => {
    const info = await askSandbox(inspection, `/pools/${solPool(inspection).address}/info`);
    const { activeBin } = (info['data'] as { liquidityViz: { activeBin: { binId: number } } }).liquidityViz;
    const plan = {
      range: { fromBinId: activeBin.binId - 5, toBinId: activeBin.binId + 5 },
      activeBinId: activeBin.binId,
      ...{ strategy: 'Spot', amountLamports: '300000000', percentX: 0.5, slippageBps: 300 },
    };
    await setFaults(inspection, [{ kind: 'partial', transactions: 1, path: '/pools/landing-add-tx', times: 1 }]);
    await answering(
      inspection,
      [{ press: 'Sign and Send' }],
      async (scripted) => {
        const argument = inspection.panelPlans.announced({ kind: 'plan', pool: solPool(inspection).address, plan });
        await vscode.commands.executeCommand('binsight.continuePlan', argument);
        await scripted.noticed(/./);
      },
      { 'Cancel only stops waiting': 'Cancel' },
    );
    assert.ok((await wrapped()) > 0n, 'SOL is wrapped');
    const { asked } = await commandEnding(
      inspection,
      'binsight.unwrapSol',
      row(WRAPPED_SOL_MINT),
      [{ press: 'Sign and Send' }],
      /^Unwrap [\d.]+ SOL: done\. Change in your wallet, with fees and rent: /,
    );
    assert.match(asked[0]?.text ?? '', /^You pay: nothing but the costs\nYou get: [^]+Goes to: only you, tip$/m);
    assert.equal(await wrapped(), 0n);
    await commandEnding(inspection, 'binsight.unwrapSol', row(WRAPPED_SOL_MINT), [], /^The wallet has no wrapped SOL\.$/);
  });
});
