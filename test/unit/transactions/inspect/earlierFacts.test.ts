import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type ChainFacts, NO_FACTS } from '../../../../src/review/facts/facts';
import { reviewOperation } from '../../../../src/review/review';
import type { Review } from '../../../../src/review/types';
import { Reviewer } from '../../../../src/transactions/inspect/reviewer';
import {
  addressOf,
  base64Of,
  honestZapOut,
  MINT,
  objections,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  THIEF,
} from '../../../support/review/bundles';
import { ScriptedNode } from '../../../support/rpc/scriptedNode';
import { calmWorld, nodeOf } from '../../../support/transactions/run/withdrawals';

describe('Reviewer: facts about an earlier build', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  const simulations = () => node.received.filter(({ method }) => method === 'simulateTransaction').length;

  async function reviewed(earlier?: ChainFacts): Promise<Review> {
    node.willAnswer(nodeOf(calmWorld()));
    const reviewer = new Reviewer(
      {
        intent: {
          ...{ kind: 'zapOut', owner: OWNER, pool: POOL, poolType: 'dlmm', position: POSITION, shareBps: 10_000, slippageBps: 300 },
          ...{ output: 'allBaseToken', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, fromBinId: undefined, toBinId: undefined },
        },
        transactions: honestZapOut().map((draft) => ({ group: draft.group, base64: base64Of(draft) })),
        lastValidBlockHeight: 1_000,
      },
      {
        ...{ rpc: node.client(), policy: () => ({}), isSimulating: true, nowMs: () => 0, reviewOperation, prior: undefined, earlier },
        signal: new AbortController().signal,
        log: () => undefined,
      },
    );
    return reviewer.review();
  }

  it('A review comes to the same verdict whatever was known before: only answers about these transactions count', async () => {
    const plain = await reviewed();
    const mint = addressOf('another mint');
    for (const earlier of [
      NO_FACTS,
      { ...NO_FACTS, problem: 'The RPC was down.' },
      { ...NO_FACTS, tokenAccounts: new Map([[OWN_TOKEN, { owner: THIEF, mint, state: 'initialized' as const }]]) },
      {
        ...NO_FACTS,
        decimals: new Map([[MINT, 3]]),
        lookupTables: new Map([[addressOf('table'), { addresses: [], isDeactivated: true }]]),
      },
    ] satisfies readonly ChainFacts[]) {
      const review = await reviewed(earlier);
      assert.deepEqual(objections(review), objections(plain));
      assert.deepEqual([review.checked, review.terms], [plain.checked, plain.terms]);
    }
  });

  it('A simulation that ran beside the questions is not repeated if it shows all that the review watches', async () => {
    await reviewed(NO_FACTS);
    assert.equal(simulations(), 1);
  });
});
