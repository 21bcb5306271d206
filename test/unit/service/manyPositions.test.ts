import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { ParseWarnings } from '../../../src/service/parsing/records';
import { readAllOpenPositions } from '../../../src/service/positions';
import { failureOf, openRecord, OWNER, success } from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const MANY = 10_000;

/** The address of position number `index`. */
function addressOf(index: number): string {
  const bytes = Buffer.alloc(32, 1);
  bytes.writeUInt32LE(index);
  return bs58.encode(bytes);
}

/** A list of open positions as the service answers it. */
function answerOf(count: number): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const data = Array.from({ length: count }, (_, index) =>
    openRecord({ position: addressOf(index), tokenId: addressOf(index), note: 'x'.repeat(200) }),
  );
  return { body: JSON.stringify({ status: 'success', count, data }), headers: { 'content-type': 'application/json' } };
}

describe('A wallet with 10,000 open positions', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  it('All positions are read from an answer of 22 MB', async () => {
    const answer = answerOf(MANY);
    assert.ok(answer.body.length > 22e6, `${answer.body.length} bytes`);
    service.willAnswer(answer);
    const { items, warnings } = await service.client().openPositions(OWNER);
    assert.deepEqual(warnings, []);
    assert.equal(items.length, MANY);
    assert.deepEqual([items[0]?.address, items.at(-1)?.address], [addressOf(0), addressOf(MANY - 1)]);
  });

  it('The positions are read in slices, so that other work runs in between', async () => {
    let turns = 0;
    let timer: NodeJS.Immediate | undefined;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    const rows = Array.from({ length: MANY / 4 }, (_, index) => openRecord({ position: addressOf(index), tokenId: addressOf(index) }));
    count();
    const items = await readAllOpenPositions(rows, 'data', { warnings: new ParseWarnings(), nowMs: 0 });
    clearImmediate(timer);
    assert.equal(items.length, MANY / 4);
    assert.ok(turns >= 5, `${turns} turns`);
  });

  it('Reading stops at 32,000 rows with a warning, and warnings name rows by their index', async () => {
    service.willAnswer(
      success([...Array.from({ length: 700 }, (_, index) => openRecord({ position: addressOf(index), tokenId: addressOf(index) })), 7]),
    );
    const { items, warnings } = await service.client().openPositions(OWNER);
    assert.equal(items.length, 700);
    assert.deepEqual(warnings, [{ path: 'data[700]', message: 'left out: 7 is not a record' }]);
    service.willAnswer(success(Array<unknown>(32_001).fill(null)));
    const more = await service.client().openPositions(OWNER);
    assert.equal(more.warnings[0]?.message, 'has 32001 records, of which the first 32000 were read');
  });

  it('An answer of more than 64 MiB is refused with a message that names the limit', async () => {
    service.willAnswer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(2 ** 20, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) {
          // Until it has to wait.
        }
      };
      response.on('drain', write);
      write();
    });
    assert.match((await failureOf(service.client().openPositions(OWNER), 'malformed')).message, /exceeds 64 MiB and was not read\./);
  });
});
