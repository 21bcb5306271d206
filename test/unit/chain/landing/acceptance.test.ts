import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LandingProcess, refusal } from '../../../support/chain/landingProcess';

describe('Landing: which transactions the service accepts', () => {
  let folder: string;
  let service: LandingProcess;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-landing-'));
    service = new LandingProcess({ folder });
  });
  afterEach(() => {
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('A transaction that this service did not build is refused, and nothing is sent', async () => {
    service.build(1);
    const foreign = service.world.sign(service.world.build(1, { label: 'foreign' }));
    assert.match(await refusal('invalid', service.land(foreign)), /not built by this service/);
    assert.deepEqual(service.world.sent, []);
  });

  it('A transaction that was changed by one byte is refused', async () => {
    const [signed = ''] = service.build(1);
    const bytes = Buffer.from(signed, 'base64');
    bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) ^ 1;
    assert.match(await refusal('invalid', service.land([bytes.toString('base64')])), /changed since|malformed/);
    assert.deepEqual(service.world.sent, []);
  });

  it('An operation without a signature, or with a wrong one, is refused and can be landed later', async () => {
    const [signed = ''] = service.build(1);
    const bytes = Buffer.from(signed, 'base64');
    const unsigned = Buffer.from(bytes);
    unsigned.fill(0, 1, 65);
    assert.match(await refusal('notLanded', service.land([unsigned.toString('base64')])), /Signature 1 of transaction 1 is missing/);
    const wrong = Buffer.from(bytes);
    wrong[1] = (wrong[1] ?? 0) ^ 1;
    assert.match(await refusal('notLanded', service.land([wrong.toString('base64')])), /Signature 1 of transaction 1 is wrong/);
    assert.deepEqual(service.world.sent, []);
    await service.land([signed]);
  });

  it('An operation lands as a whole, in order, on its own endpoint and only there', async () => {
    const signed = service.build(3);
    assert.match(await refusal('invalid', service.land(signed.slice(0, 2))), /built as 3 transactions/);
    assert.match(await refusal('invalid', service.land(signed.toReversed())), /not in the order/);
    assert.match(await refusal('invalid', service.landing.land('add', { first: [], second: signed })), /Send them to landing-decrease-tx/);
    const mixed = [...signed.slice(0, 2), ...service.build(1, { label: 'another' })];
    assert.match(await refusal('invalid', service.land(mixed)), /different operations/);
    await service.land(signed);
    assert.deepEqual(service.world.executed, [1, 2, 3]);
  });

  it('An operation that would fail is refused with the reason before anything is sent, and can be landed later', async () => {
    const signed = service.build(2);
    service.world.simulationOf = () => ({ InstructionError: [2, { Custom: 6003 }] });
    assert.match(await refusal('notLanded', service.land(signed)), /would fail: .*6003/);
    assert.deepEqual(service.world.sent, []);
    service.world.simulationOf = () => null;
    await service.land(signed);
  });

  for (const [what, answer] of [
    ['fails', { status: 503 }],
    ['answers 429', { status: 429 }],
    ['answers 429 and asks for a minute', { status: 429, headers: { 'retry-after': '60' } }],
    ['rejects the key', { status: 401 }],
  ] as const) {
    it(`Nothing is sent while the RPC ${what}, and the operation can be landed later`, async () => {
      const signed = service.build(1);
      service.world.intercept = () => answer;
      assert.match(await refusal('unavailable', service.land(signed)), /Nothing was sent/);
      service.world.intercept = () => undefined;
      await service.wait(30_000);
      await service.land(signed);
      assert.deepEqual(service.world.sent, [1]);
    });
  }

  it('Nothing is sent by way of an RPC that does not offer the statuses of transactions', async () => {
    const signed = service.build(1);
    service.world.intercept = ({ method }) =>
      method === 'getSignatureStatuses' ? { error: { code: -32601, message: 'Method not found' } } : undefined;
    assert.match(await refusal('unavailable', service.land(signed)), /Nothing was sent.*getSignatureStatuses/);
    assert.deepEqual(service.world.sent, []);
  });

  it('If the RPC answers too slowly to check the operation, the client learns in time that nothing was sent, and nothing is sent later', async () => {
    const signed = service.build(1);
    const began = service.world.client.clock.now();
    const answered = new Set<string>();
    service.world.intercept = ({ method }) => {
      if (answered.has(method)) {
        return undefined;
      }
      answered.add(method);
      return { status: 429, headers: { 'retry-after': '8' } };
    };
    assert.match(await refusal('unavailable', service.land(signed)), /Nothing was sent.*did not answer within 15 s/);
    assert.ok(service.world.client.clock.now() - began < 20_000);
    await service.wait(60_000);
    assert.deepEqual(service.world.sent, []);
  });

  it('An operation that was built before a restart can be landed after it', async () => {
    const signed = service.build(2);
    service.restart();
    await service.land(signed);
    assert.deepEqual(service.world.executed, [1, 2]);
  });

  it('The same request twice at the same time, and once later, gets the same answer, and the operation lands once', async () => {
    const signed = service.build(2);
    const [one, other] = await Promise.all([service.land(signed), service.land(signed)]);
    assert.deepEqual(other, one);
    assert.deepEqual(await service.land(signed), one);
    service.restart();
    assert.deepEqual(await service.land(signed), one, 'also after a restart');
    assert.deepEqual(service.world.sent, [1, 2]);
  });
});
