import assert from 'node:assert/strict';
import { withJupiterKey } from '../../../src/chain/parts';

describe('The key for Jupiter', () => {
  for (const [url, expected] of [
    ['https://api.jup.ag/swap/v1/quote?amount=1', 'key'],
    ['https://api.jup.ag.example/swap/v1/quote', null],
    ['http://api.jup.ag/swap/v1/quote', null],
    ['https://swaps.example/https://api.jup.ag', null],
  ] as const) {
    it(`${expected === null ? 'It is not sent to' : 'It is sent to'} ${url}, and other headers stay`, async () => {
      const sent: Headers[] = [];
      const request = withJupiterKey((_, init) => {
        sent.push(new Headers(init?.headers));
        return Promise.resolve(new Response());
      }, 'key');
      await request(url, { headers: { accept: 'application/json' } });
      assert.deepEqual(
        sent.map((headers) => [headers.get('x-api-key'), headers.get('accept')]),
        [[expected, 'application/json']],
      );
    });
  }
});
