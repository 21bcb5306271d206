import assert from 'node:assert/strict';
import { type AddParameters, type Engine, EngineError } from '../../../src/engine/engine';
import { entryRoutes } from '../../../src/engine/http/transactionRoutes';
import { addressOf, OWNER } from '../../support/portfolio/fixtures';

/** Posts an entry, and returns the parameters that reach the engine. */
async function postedInput(amounts: Readonly<Record<string, unknown>>): Promise<AddParameters['input']> {
  const built: AddParameters[] = [];
  const engine: Partial<Engine> = {
    buildAdd: (parameters) => {
      built.push(parameters);
      throw new EngineError('invalid', 'not built');
    },
  };
  await entryRoutes(() => engine as Engine).request(`/${addressOf(1)}/add-tx`, {
    method: 'POST',
    body: JSON.stringify({ strategy: 'Spot', owner: OWNER, ...amounts }),
  });
  return built[0]?.input ?? assert.fail('Nothing reached the engine');
}

describe('Amounts of an entry', () => {
  it('The engine gets each lamport of the SOL that the client sends', async () => {
    for (const [inputSOL, lamports] of [
      [0.1, 100_000_000n],
      [133.057769733, 133_057_769_733n],
      [999_999.999999999, 999_999_999_999_999n],
    ] as const) {
      assert.deepEqual(await postedInput({ inputSOL, percentX: 0.5 }), { mode: 'zap-in', lamports, percentX: 0.5 });
    }
  });
});
