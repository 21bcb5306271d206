import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import { OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { bench, failureOf, realSigner, sent, thePosition, zapInPlan, zapOutPlan, type Bench } from '../../../support/transactions/harness';

const zapOut = ({ dependencies, host, abort }: Bench) => runZapOut(zapOutPlan(), dependencies, host, abort.signal);
const zapIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

const SWITCHES = [
  ['service', (fixture: Bench) => (fixture.isServiceInUse = false)],
  ['wallet', (fixture: Bench) => fixture.portfolio.setOwner(OTHER_OWNER)],
] as const;

describe('operation: switch of the service or wallet', () => {
  for (const [what, change] of SWITCHES) {
    for (const [name, run] of [
      ['zap-out', zapOut],
      ['zap-in', zapIn],
    ] as const) {
      it(`The operation stops before signing (${name}, ${what} switched during the consent)`, async () => {
        const fixture: Bench = await bench({
          host: {
            approve: () => {
              change(fixture);
              return Promise.resolve(true);
            },
            signer: () => Promise.resolve({ owner: realSigner().owner, sign: () => assert.fail('asked to sign') }),
          },
        });
        const failure = await failureOf(run(fixture));
        assert.deepEqual([failure.kind, failure.money], ['notSigned', 'untouched']);
        assert.ok(failure.message.includes(what === 'wallet' ? 'This needs the wallet ' : 'Another service is in use now.'));
        assert.equal(fixture.trace.landings.length, 0);
      });
    }
  }

  it('The operation sends no request to a service that is no longer in use', async () => {
    const fixture = await bench();
    fixture.isServiceInUse = false;
    const failure = await failureOf(zapIn(fixture));
    assert.deepEqual([failure.kind, failure.money, fixture.trace.builds.length], ['notBuilt', 'untouched', 0]);
  });

  it('The extension does not withdraw from a position that the current service does not list', async () => {
    const fixture = await bench({ listed: [thePosition({ key: 'another' })] });
    const failure = await failureOf(zapOut(fixture));
    assert.deepEqual([failure.kind, failure.field, fixture.trace.builds.length], ['invalidPlan', 'position', 0]);
  });

  it('The operation does not accept the listing of another service as its effect', async () => {
    const noAnswer = new ServiceError('The connection broke.', { kind: 'unreachable', endpoint: 'POST /x', mayHaveLanded: true });
    const fixture: Bench = await bench({
      service: {
        landDecrease: () => {
          fixture.isServiceInUse = false;
          fixture.listed = [];
          fixture.portfolio.reset();
          return Promise.reject(noAnswer);
        },
      },
    });
    const failing = failureOf(zapOut(fixture));
    await sent(fixture);
    await fixture.clock.advance(24_000);
    fixture.abort.abort();
    assert.deepEqual([(await failing).kind, (await failing).money], ['mayHaveLanded', 'unknown']);
  });
});
